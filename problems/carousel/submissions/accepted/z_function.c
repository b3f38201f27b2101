/* The Z function of "s s" gives the period, that of "mirror # s s" the place of the mirror image. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char ring[1000002], text[3000004];
static int z[3000004];

static void z_function(int length) {
    z[0] = length;
    for (int i = 1, left = 0, right = 0; i < length; i++) {
        z[i] = 0;
        if (i < right) z[i] = z[i - left] < right - i ? z[i - left] : right - i;
        while (i + z[i] < length && text[z[i]] == text[i + z[i]]) z[i]++;
        if (i + z[i] > right) {
            left = i;
            right = i + z[i];
        }
    }
}

int main(void) {
    if (scanf("%1000001s", ring) != 1) return 1;
    int n = strlen(ring), p = 1;
    memcpy(text, ring, n);
    memcpy(text + n, ring, n);
    z_function(2 * n);
    while (z[p] < n) p++;
    for (int i = 0; i < p; i++) text[i] = ring[p - 1 - i];
    text[p] = '#';
    memcpy(text + p + 1, ring, p);
    memcpy(text + 2 * p + 1, ring, p);
    z_function(3 * p + 1);
    int own = 0, found = 0;
    for (int k = 0; k < p && !found; k++) {
        if (z[p + 1 + k] < p) continue;
        found = 1;
        own = p % 2 ? 1 : (k % 2 ? 0 : 2);
    }
    printf("%d\n", found ? (p + own) / 2 : p);
    return 0;
}
