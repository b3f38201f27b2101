// If a pot does not fit in there need not be another one to compare it with.
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
    std::vector<int> chosen;
    long long end = 0;
    for (auto [fetched, minutes] : pots) {
        if (end + minutes > fetched) {
            int longest = chosen.at(0);
            if (longest <= minutes) continue;
            std::pop_heap(chosen.begin(), chosen.end());
            chosen.pop_back();
            end -= longest;
        }
        chosen.push_back(minutes);
        std::push_heap(chosen.begin(), chosen.end());
        end += minutes;
    }
    printf("%zu\n", chosen.size());
}
