import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StreamTokenizer;
import java.util.Arrays;
import java.util.PriorityQueue;

public class Main {
    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
        in.nextToken();
        int n = (int) in.nval;
        // Time in the upper half of a long, minutes in the lower: sorting numbers is quicker than sorting objects.
        long[] pots = new long[n];
        for (int i = 0; i < n; i++) {
            in.nextToken();
            long minutes = (long) in.nval;
            in.nextToken();
            pots[i] = (long) in.nval << 32 | minutes;
        }
        Arrays.sort(pots);
        PriorityQueue<Long> chosen = new PriorityQueue<>();
        long end = 0;
        for (long pot : pots) {
            long fetched = pot >> 32, minutes = pot & 0xffffffffL;
            chosen.add(-minutes);
            end += minutes;
            if (end > fetched) end += chosen.remove();
        }
        System.out.println(chosen.size());
    }
}
