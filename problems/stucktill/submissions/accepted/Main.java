import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        long a = in.nextLong(), b = in.nextLong();
        long sum = a + b, shown = 0, place = 1;
        for (int i = 0; i < 19; i++) {
            shown += (a % 10 + b % 10) % 10 * place;
            a /= 10;
            b /= 10;
            if (i < 18) place *= 10;
        }
        System.out.println(sum - shown);
    }
}
