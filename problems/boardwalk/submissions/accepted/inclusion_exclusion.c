/*
 * A run of r equal planks of length l, counted with the sign (-1)^(r-1), turns "no two neighbours alike" into free
 * sequences of runs: ways[n] = sum over all planks and r >= 1 of (-1)^(r-1) ways[n - r l]. For one plank these sums
 * follow from each other: s[n] = ways[n - l] - s[n - l].
 */
#include <stdio.h>

#define MODULUS 1000000007

static int ways[100001], sums[10][100001];

int main(void) {
    int n, k, planks[10];
    if (scanf("%d %d", &n, &k) != 2) return 1;
    for (int j = 0; j < k; j++) {
        if (scanf("%d", &planks[j]) != 1) return 1;
    }
    ways[0] = 1;
    for (int length = 1; length <= n; length++) {
        for (int j = 0; j < k; j++) {
            int before = length - planks[j];
            if (before < 0) continue;
            int sum = ways[before] - sums[j][before];
            if (sum < 0) sum += MODULUS;
            sums[j][length] = sum;
            ways[length] += sum;
            if (ways[length] >= MODULUS) ways[length] -= MODULUS;
        }
    }
    printf("%d\n", ways[n]);
    return 0;
}
