// Room for a hundred thousand lines.
#include <array>
#include <cstdio>

static std::array<long long, 100000> slope, height;

int main() {
    int n, best = 0, count = 0;
    if (scanf("%d", &n) != 1) return 1;
    long long sweat = 0;
    for (int i = 0; i < n; i++) {
        long long x, c;
        if (scanf("%lld %lld", &x, &c) != 2) return 1;
        if (i > 0) {
            while (best + 1 < count && slope[best + 1] * x + height[best + 1] <= slope[best] * x + height[best]) best++;
            sweat = c + x * x + slope[best] * x + height[best];
        }
        long long m = -2 * x, b = sweat + x * x;
        while (count >= best + 2 && __int128(b - height[count - 2]) * (slope[count - 2] - slope[count - 1]) <= __int128(height[count - 1] - height[count - 2]) * (slope[count - 2] - m)) count--;
        slope.at(count) = m;
        height.at(count) = b;
        count++;
    }
    printf("%lld\n", sweat);
}
