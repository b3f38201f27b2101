#include <algorithm>
#include <cstdio>
#include <queue>
#include <vector>

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<std::pair<int, int>> pots(n);
    for (auto &[fetched, minutes] : pots) {
        if (scanf("%d %d", &minutes, &fetched) != 2) return 1;
    }
    std::sort(pots.begin(), pots.end());
    std::priority_queue<int> chosen;
    long long end = 0;
    for (auto [fetched, minutes] : pots) {
        chosen.push(minutes);
        end += minutes;
        if (end > fetched) {
            end -= chosen.top();
            chosen.pop();
        }
    }
    printf("%zu\n", chosen.size());
}
