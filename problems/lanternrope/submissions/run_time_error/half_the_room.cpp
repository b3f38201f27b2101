// Believes that the rope cannot touch more than half of the poles.
#include <array>
#include <cmath>
#include <cstdio>

static std::array<long long, 100000> x, h;

int main() {
    int n, top = 0;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++) {
        long long px, ph;
        if (scanf("%lld %lld", &px, &ph) != 2) return 1;
        while (top > 1 && (x[top - 1] - x[top - 2]) * (ph - h[top - 2]) >= (h[top - 1] - h[top - 2]) * (px - x[top - 2])) top--;
        x.at(top) = px;
        h.at(top) = ph;
        top++;
    }
    double length = 0;
    for (int i = 1; i < top; i++) length += std::hypot(double(x[i] - x[i - 1]), double(h[i] - h[i - 1]));
    printf("%.9f\n", length);
}
