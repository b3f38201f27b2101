// done[k] is the earliest end of k pots: right, but quadratic.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <vector>

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<std::pair<int, int>> pots(n);
    for (auto &[fetched, minutes] : pots) {
        if (scanf("%d %d", &minutes, &fetched) != 2) return 1;
    }
    std::sort(pots.begin(), pots.end());
    std::vector<long long> done(n + 1, LLONG_MAX / 2);
    done[0] = 0;
    int most = 0;
    for (int i = 0; i < n; i++) {
        auto [fetched, minutes] = pots[i];
        for (int k = i + 1; k > 0; k--) {
            long long end = done[k - 1] + minutes;
            if (end <= fetched && end < done[k]) {
                done[k] = end;
                most = std::max(most, k);
            }
        }
    }
    printf("%d\n", most);
}
