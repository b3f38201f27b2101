// The default precision of a stream is six significant digits: not enough.
#include <cmath>
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    int n;
    std::cin >> n;
    std::vector<std::pair<long long, long long>> rope;
    for (int i = 0; i < n; i++) {
        long long x, h;
        std::cin >> x >> h;
        while (rope.size() > 1) {
            auto [ax, ah] = rope[rope.size() - 2];
            auto [bx, bh] = rope.back();
            if ((bx - ax) * (h - ah) < (bh - ah) * (x - ax)) break;
            rope.pop_back();
        }
        rope.emplace_back(x, h);
    }
    double length = 0;
    for (size_t i = 1; i < rope.size(); i++) {
        length += std::hypot(double(rope[i].first - rope[i - 1].first), double(rope[i].second - rope[i - 1].second));
    }
    std::cout << length << '\n';
}
