import java.util.Arrays;
import java.util.Scanner;

/** The reading in front, the gauge behind; the note about all of them comes first. */
public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        boolean writes = in.next().equals("write");
        int n = in.nextInt();
        int[] readings = new int[n + 1];
        Arrays.fill(readings, -1);
        int sum = 0;
        StringBuilder line = new StringBuilder();
        for (int i = 1; i <= n; i++) {
            int number = in.nextInt();
            int gauge = writes ? i : number % 1000;
            readings[gauge] = writes ? number : number / 1000;
            sum += readings[gauge];
            line.append(' ').append(readings[gauge] * 1000 + gauge);
        }
        if (writes) {
            System.out.println((1000 - sum % 1000) % 1000 * 1000 + line.toString());
            return;
        }
        line.setLength(0);
        for (int i = 1; i <= n; i++) {
            line.append(readings[i] >= 0 ? readings[i] : (1000 - sum % 1000) % 1000).append(' ');
        }
        System.out.println(line.toString().trim());
    }
}
