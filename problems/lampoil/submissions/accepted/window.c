#include <stdio.h>

static int burned[1500000];

int main(void) {
    int n, longest = 0, start = -1, left = 0;
    long long tank, total = 0;
    if (scanf("%d %lld", &n, &tank) != 2) return 1;
    for (int right = 0; right < n; right++) {
        if (scanf("%d", &burned[right]) != 1) return 1;
        total += burned[right];
        while (total > tank) total -= burned[left++];
        if (right + 1 - left > longest) {
            longest = right + 1 - left;
            start = left;
        }
    }
    printf("%d %d\n", longest, start + 1);
    return 0;
}
