import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int n = Integer.parseInt(in.readLine());
        int first = 1;
        int last = n;
        while (true) {
            int x = first + (last - first) / 2;
            System.out.println(x);
            System.out.flush();
            switch (in.readLine()) {
                case "left":
                    last = Math.max(1, x - 2);
                    first = Math.max(1, first - 1);
                    break;
                case "right":
                    first = Math.min(n, x + 2);
                    last = Math.min(n, last + 1);
                    break;
                default:
                    return;
            }
        }
    }
}
