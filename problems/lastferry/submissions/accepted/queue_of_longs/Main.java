import java.io.IOException;

public class Main {
    public static void main(String[] args) throws IOException {
        FastInput in = new FastInput(System.in);
        int n = in.number(), m = in.number();
        long s = in.number();
        int[] first = new int[n + 1], next = new int[2 * m], to = new int[2 * m], period = new int[m], duration = new int[m];
        java.util.Arrays.fill(first, -1);
        for (int i = 0; i < m; i++) {
            int u = in.number(), v = in.number();
            period[i] = in.number();
            duration[i] = in.number();
            to[2 * i] = v;
            to[2 * i + 1] = u;
            next[2 * i] = first[u];
            first[u] = 2 * i;
            next[2 * i + 1] = first[v];
            first[v] = 2 * i + 1;
        }
        long[] earliest = new long[n + 1];
        java.util.Arrays.fill(earliest, Long.MAX_VALUE);
        earliest[1] = s;
        ArrivalHeap heap = new ArrivalHeap(2 * m + 1);
        heap.add(s, 1);
        while (heap.size() > 0) {
            long now = heap.firstTime();
            int island = heap.removeFirst();
            if (now > earliest[island]) continue;
            for (int e = first[island]; e >= 0; e = next[e]) {
                long p = period[e / 2], arrival = (now + p - 1) / p * p + duration[e / 2];
                if (arrival < earliest[to[e]]) {
                    earliest[to[e]] = arrival;
                    heap.add(arrival, to[e]);
                }
            }
        }
        System.out.println(earliest[n] == Long.MAX_VALUE ? "stranded" : Long.toString(earliest[n]));
    }
}
