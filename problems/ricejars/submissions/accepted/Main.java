import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.StringTokenizer;

/** A segment tree in an array: node i has the children 2i and 2i + 1. */
public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in), 1 << 16);
        StringTokenizer head = new StringTokenizer(in.readLine());
        int n = Integer.parseInt(head.nextToken()), q = Integer.parseInt(head.nextToken());
        int leaves = Integer.highestOneBit(n) * 2;
        long[] sum = new long[2 * leaves];
        StringBuilder out = new StringBuilder();
        for (int event = 0; event < q; event++) {
            StringTokenizer words = new StringTokenizer(in.readLine());
            char kind = words.nextToken().charAt(0);
            if (kind == '?') {
                long k = Long.parseLong(words.nextToken());
                if (k > sum[1]) {
                    out.append("none\n");
                    continue;
                }
                int node = 1;
                while (node < leaves) {
                    node *= 2;
                    if (sum[node] < k) k -= sum[node++];
                }
                out.append(node - leaves).append('\n');
            } else {
                int node = leaves + Integer.parseInt(words.nextToken());
                long grains = Long.parseLong(words.nextToken());
                for (; node > 0; node /= 2) sum[node] += kind == '+' ? grains : -grains;
            }
        }
        System.out.print(out);
    }
}
