import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;

public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        in.readLine();
        String bushes = in.readLine();
        Map<Long, Integer> seen = new HashMap<>();
        long place = 0;
        long fair = 0;
        seen.put(place, 1);
        for (int i = 0; i < bushes.length(); i++) {
            char bush = bushes.charAt(i);
            place += bush == 'R' ? 1 : bush == 'Y' ? 1 << 20 : -(1 << 20) - 1;
            int before = seen.getOrDefault(place, 0);
            fair += before;
            seen.put(place, before + 1);
        }
        System.out.println(fair);
    }
}
