// Tries every stage.
#include <cstdio>
#include <vector>

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<long long> x(n), c(n), sweat(n, 0);
    for (int i = 0; i < n; i++) {
        if (scanf("%lld %lld", &x[i], &c[i]) != 2) return 1;
        if (i == 0) continue;
        sweat[i] = sweat[0] + (x[i] - x[0]) * (x[i] - x[0]) + c[i];
        for (int j = i - 1; j > 0; j--) {
            long long candidate = sweat[j] + (x[i] - x[j]) * (x[i] - x[j]) + c[i];
            if (candidate < sweat[i]) sweat[i] = candidate;
        }
    }
    printf("%lld\n", sweat[n - 1]);
}
