import java.util.Scanner;

/** Takes the largest digit that fits at every place, and steps back where nothing fits any more. */
public class Main {
    private static final int[] count = new int[10];

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        String m = in.next();
        String tiles = in.next();
        for (char tile : tiles.toCharArray()) {
            count[tile == '9' ? 6 : tile - '0']++;
        }
        String found = tiles.length() < m.length() ? null : lay(m, 0, true);
        int length = Math.min(tiles.length(), m.length() - 1);
        if (found == null && length > 0) {
            found = lay("9".repeat(length), 0, true);
        }
        System.out.println(found == null ? "none" : found);
    }

    /** The largest end of a number of the length of m; null if there is none. */
    private static String lay(String m, int at, boolean tight) {
        if (at == m.length()) {
            return "";
        }
        int limit = tight ? m.charAt(at) - '0' : 9;
        for (int digit = limit; digit >= (at == 0 ? 1 : 0); digit--) {
            int tile = digit == 9 ? 6 : digit;
            if (count[tile] == 0) {
                continue;
            }
            count[tile]--;
            String rest = lay(m, at + 1, tight && digit == limit);
            count[tile]++;
            if (rest != null) {
                return digit + rest;
            }
        }
        return null;
    }
}
