import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StreamTokenizer;
import java.util.Locale;

public class Main {
    private static final StreamTokenizer IN = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));

    private static long number() throws IOException {
        IN.nextToken();
        return (long) IN.nval;
    }

    public static void main(String[] args) throws IOException {
        int n = (int) number(), top = 0;
        long[] x = new long[n], h = new long[n];
        for (int i = 0; i < n; i++) {
            long nextX = number(), nextH = number();
            while (top > 1 && (x[top - 1] - x[top - 2]) * (nextH - h[top - 2]) >= (h[top - 1] - h[top - 2]) * (nextX - x[top - 2])) top--;
            x[top] = nextX;
            h[top++] = nextH;
        }
        double length = 0;
        for (int i = 1; i < top; i++) {
            double dx = x[i] - x[i - 1], dh = h[i] - h[i - 1];
            length += Math.sqrt(dx * dx + dh * dh);
        }
        System.out.printf(Locale.ROOT, "%.8f%n", length);
    }
}
