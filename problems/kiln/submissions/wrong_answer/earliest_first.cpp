// Serves the earliest buyer whose pot still fits in and never reconsiders.
#include <algorithm>
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
    long long end = 0;
    int served = 0;
    for (auto [fetched, minutes] : pots) {
        if (end + minutes > fetched) continue;
        end += minutes;
        served++;
    }
    printf("%d\n", served);
}
