// Asks the map for an island that was never reached.
#include <cstdio>
#include <queue>
#include <unordered_map>
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
    std::unordered_map<int, long long> earliest;
    std::priority_queue<std::pair<long long, int>> queue;
    queue.emplace(-s, 1);
    while (!queue.empty()) {
        auto [negative, island] = queue.top();
        long long now = -negative;
        queue.pop();
        if (!earliest.emplace(island, now).second) continue;
        for (const Line &line : lines[island]) {
            queue.emplace(-((now + line.period - 1) / line.period * line.period + line.duration), line.to);
        }
    }
    printf("%lld\n", earliest.at(n));
}
