import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StreamTokenizer;

/** Convex hull trick with whole crossing points instead of products: nothing exceeds a long. */
public class Main {
    private static long[] slope, height;

    /** The first whole x from which on the later line (of smaller slope) is at least as low as the earlier one. */
    private static long crossing(int earlier, int later) {
        long rise = height[later] - height[earlier], fall = slope[earlier] - slope[later];
        return -Math.floorDiv(-rise, fall);
    }

    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
        in.nextToken();
        int n = (int) in.nval, first = 0, end = 0;
        slope = new long[n];
        height = new long[n];
        long sweat = 0;
        for (int i = 0; i < n; i++) {
            in.nextToken();
            long x = (long) in.nval;
            in.nextToken();
            long c = (long) in.nval;
            if (i > 0) {
                while (end - first > 1 && crossing(first, first + 1) <= x) first++;
                sweat = c + x * x + slope[first] * x + height[first];
            }
            slope[end] = -2 * x;
            height[end] = sweat + x * x;
            while (end - first > 1 && crossing(end - 1, end) <= crossing(end - 2, end - 1)) {
                slope[end - 1] = slope[end];
                height[end - 1] = height[end];
                end--;
            }
            end++;
        }
        System.out.println(sweat);
    }
}
