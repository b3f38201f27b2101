import java.io.DataInputStream;
import java.io.IOException;

public class Main {
    private static final byte[] BUFFER = new byte[1 << 16];
    private static int filled;
    private static int at;

    public static void main(String[] args) throws IOException {
        DataInputStream in = new DataInputStream(System.in);
        int n = number(in);
        long difference = 0;
        StringBuilder sides = new StringBuilder();
        for (int i = 0; i < n; i++) {
            int weight = number(in);
            boolean left = difference <= 0;
            difference += left ? weight : -weight;
            sides.append(left ? 'L' : 'R');
        }
        System.out.println(sides);
    }

    private static int number(DataInputStream in) throws IOException {
        int c = next(in);
        while (c <= ' ') {
            c = next(in);
        }
        int value = 0;
        while (c > ' ') {
            value = value * 10 + c - '0';
            c = next(in);
        }
        return value;
    }

    private static int next(DataInputStream in) throws IOException {
        if (at == filled) {
            filled = in.read(BUFFER);
            at = 0;
            if (filled <= 0) {
                filled = 0;
                return -1;
            }
        }
        return BUFFER[at++];
    }
}
