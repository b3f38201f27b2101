// Goes through all lines again and again until nothing improves.
#include <climits>
#include <cstdio>
#include <vector>

struct Line {
    int u, v;
    long long period, duration;
};

int main() {
    int n, m;
    long long s;
    if (scanf("%d %d %lld", &n, &m, &s) != 3) return 1;
    std::vector<Line> lines(m);
    for (Line &line : lines) {
        if (scanf("%d %d %lld %lld", &line.u, &line.v, &line.period, &line.duration) != 4) return 1;
    }
    std::vector<long long> earliest(n + 1, LLONG_MAX);
    earliest[1] = s;
    auto ride = [&](int from, int to, const Line &line) {
        if (earliest[from] == LLONG_MAX) return false;
        long long arrival = (earliest[from] + line.period - 1) / line.period * line.period + line.duration;
        if (arrival >= earliest[to]) return false;
        earliest[to] = arrival;
        return true;
    };
    for (bool better = true; better;) {
        better = false;
        for (const Line &line : lines) {
            better |= ride(line.u, line.v, line);
            better |= ride(line.v, line.u, line);
        }
    }
    if (earliest[n] == LLONG_MAX) puts("stranded");
    else printf("%lld\n", earliest[n]);
}
