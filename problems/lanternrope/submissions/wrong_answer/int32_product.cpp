// The products of the turn test need 64 bits.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<uint32_t> xs, hs;
    for (int i = 0; i < n; i++) {
        uint32_t x, h;
        if (scanf("%u %u", &x, &h) != 2) return 1;
        while (xs.size() > 1) {
            uint32_t ax = xs[xs.size() - 2], ah = hs[hs.size() - 2];
            int32_t turn = (xs.back() - ax) * (h - ah) - (hs.back() - ah) * (x - ax);
            if (turn < 0) break;
            xs.pop_back();
            hs.pop_back();
        }
        xs.push_back(x);
        hs.push_back(h);
    }
    double length = 0;
    for (size_t i = 1; i < xs.size(); i++) length += std::hypot(double(xs[i]) - xs[i - 1], double(hs[i]) - hs[i - 1]);
    printf("%.9f\n", length);
}
