import java.io.DataInputStream;
import java.io.IOException;

public class Main {
    private static final byte[] BUFFER = new byte[1 << 16];
    private static int length = 0, position = 0;
    private static DataInputStream in = new DataInputStream(System.in);

    private static int next() throws IOException {
        if (position == length) {
            length = in.read(BUFFER, 0, BUFFER.length);
            position = 0;
            if (length <= 0) return -1;
        }
        return BUFFER[position++];
    }

    private static long number() throws IOException {
        int c = next();
        while (c < '0') c = next();
        long value = 0;
        for (; c >= '0'; c = next()) value = value * 10 + (c - '0');
        return value;
    }

    public static void main(String[] args) throws IOException {
        int n = (int) number();
        long tank = number();
        // Binary search over the prefix sums, which never decrease.
        long[] before = new long[n + 1];
        for (int i = 0; i < n; i++) before[i + 1] = before[i] + number();
        int longest = 0, start = -1;
        for (int i = 0; i < n; i++) {
            int low = i, high = n;
            while (low < high) {
                int middle = (low + high + 1) / 2;
                if (before[middle] - before[i] <= tank) low = middle;
                else high = middle - 1;
            }
            if (low - i > longest) {
                longest = low - i;
                start = i;
            }
        }
        System.out.println(longest + " " + (start + 1));
    }
}
