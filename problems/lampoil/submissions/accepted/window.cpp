#include <cstdio>
#include <vector>

static long long number() {
    int c = getchar_unlocked();
    while (c < '0') c = getchar_unlocked();
    long long value = 0;
    for (; c >= '0'; c = getchar_unlocked()) value = value * 10 + (c - '0');
    return value;
}

int main() {
    int n = number();
    long long tank = number(), total = 0;
    std::vector<int> burned(n);
    int longest = 0, start = -1, left = 0;
    for (int right = 0; right < n; right++) {
        burned[right] = number();
        total += burned[right];
        while (total > tank) total -= burned[left++];
        if (right + 1 - left > longest) {
            longest = right + 1 - left;
            start = left;
        }
    }
    printf("%d %d\n", longest, start + 1);
}
