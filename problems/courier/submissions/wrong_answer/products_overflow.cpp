// The right idea, but the products of the comparison do not fit into 64 bits.
#include <cstdio>
#include <vector>

struct Line {
    long long slope, height;

    long long at(long long x) const { return slope * x + height; }
};

static long long product(long long a, long long b) {
    return static_cast<long long>(static_cast<unsigned long long>(a) * static_cast<unsigned long long>(b));
}

static bool useless(const Line &first, const Line &middle, const Line &last) {
    return product(last.height - first.height, first.slope - middle.slope) <= product(middle.height - first.height, first.slope - last.slope);
}

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<Line> lines;
    size_t best = 0;
    long long sweat = 0;
    for (int i = 0; i < n; i++) {
        long long x, c;
        if (scanf("%lld %lld", &x, &c) != 2) return 1;
        if (i > 0) {
            while (best + 1 < lines.size() && lines[best + 1].at(x) <= lines[best].at(x)) best++;
            sweat = c + x * x + lines[best].at(x);
        }
        Line line{-2 * x, sweat + x * x};
        while (lines.size() >= best + 2 && useless(lines[lines.size() - 2], lines.back(), line)) lines.pop_back();
        lines.push_back(line);
    }
    printf("%lld\n", sweat);
}
