#include <cstdio>
#include <queue>
#include <vector>

struct Line {
    int to;
    long long period, duration;
};

int main() {
    int n, m;
    long long s;
    if (scanf("%d %d %lld", &n, &m, &s) != 3) return 1;
    std::vector<std::vector<Line>> lines(n + 1);
    for (int i = 0; i < m; i++) {
        int u, v;
        long long p, d;
        if (scanf("%d %d %lld %lld", &u, &v, &p, &d) != 4) return 1;
        lines[u].push_back({v, p, d});
        lines[v].push_back({u, p, d});
    }
    std::vector<long long> earliest(n + 1, -1);
    using Arrival = std::pair<long long, int>;
    std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> queue;
    queue.emplace(s, 1);
    while (!queue.empty() && earliest[n] < 0) {
        auto [now, island] = queue.top();
        queue.pop();
        if (earliest[island] >= 0) continue;
        earliest[island] = now;
        for (const Line &line : lines[island]) {
            if (earliest[line.to] < 0) queue.emplace((now + line.period - 1) / line.period * line.period + line.duration, line.to);
        }
    }
    if (earliest[n] < 0) puts("stranded");
    else printf("%lld\n", earliest[n]);
}
