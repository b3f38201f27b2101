import java.util.Scanner;

/** Leaves as soon as it knows where the crab is, without knocking there. */
public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt();
        int first = 1;
        int last = n;
        while (first < last) {
            int x = first + (last - first) / 2;
            System.out.println(x);
            String answer = in.next();
            if (answer.equals("here")) {
                return;
            }
            if (answer.equals("left")) {
                last = Math.max(1, x - 2);
                first = Math.max(1, first - 1);
            } else {
                first = Math.min(n, x + 2);
                last = Math.min(n, last + 1);
            }
        }
    }
}
