#include <cmath>
#include <cstdio>
#include <vector>

struct Pole {
    long long x, h;
};

// True if b is on or below the straight line from a to c.
static bool slack(const Pole &a, const Pole &b, const Pole &c) {
    return (b.x - a.x) * (c.h - a.h) >= (b.h - a.h) * (c.x - a.x);
}

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<Pole> rope;
    for (int i = 0; i < n; i++) {
        Pole pole;
        if (scanf("%lld %lld", &pole.x, &pole.h) != 2) return 1;
        while (rope.size() > 1 && slack(rope[rope.size() - 2], rope.back(), pole)) rope.pop_back();
        rope.push_back(pole);
    }
    double length = 0;
    for (size_t i = 1; i < rope.size(); i++) {
        length += std::hypot(double(rope[i].x - rope[i - 1].x), double(rope[i].h - rope[i - 1].h));
    }
    printf("%.9f\n", length);
}
