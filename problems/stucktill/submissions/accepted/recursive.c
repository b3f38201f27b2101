#include <stdio.h>

static long long shown(long long a, long long b) {
    if (a == 0 && b == 0) return 0;
    return shown(a / 10, b / 10) * 10 + (a % 10 + b % 10) % 10;
}

int main(void) {
    long long a, b;
    if (scanf("%lld %lld", &a, &b) != 2) return 1;
    printf("%lld\n", a + b - shown(a, b));
    return 0;
}
