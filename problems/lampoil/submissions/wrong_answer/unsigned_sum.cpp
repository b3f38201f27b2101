// The sum of a few nights need not fit into 32 bits.
#include <cstdio>
#include <vector>

int main() {
    int n, longest = 0, start = -1, left = 0;
    long long tank;
    unsigned total = 0;
    if (scanf("%d %lld", &n, &tank) != 2) return 1;
    std::vector<unsigned> burned(n);
    for (int right = 0; right < n; right++) {
        if (scanf("%u", &burned[right]) != 1) return 1;
        total += burned[right];
        while (total > tank && left <= right) total -= burned[left++];
        if (right + 1 - left > longest) {
            longest = right + 1 - left;
            start = left;
        }
    }
    printf("%d %d\n", longest, start + 1);
}
