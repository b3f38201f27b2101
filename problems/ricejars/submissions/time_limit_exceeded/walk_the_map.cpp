// Keeps the jars that are not empty in a map and walks it like the ant.
#include <cstdio>
#include <map>

int main() {
    int n, q;
    if (scanf("%d %d", &n, &q) != 2) return 1;
    std::map<int, long long> jars;
    while (q-- > 0) {
        char kind;
        if (scanf(" %c", &kind) != 1) return 1;
        if (kind != '?') {
            int jar;
            long long grains;
            if (scanf("%d %lld", &jar, &grains) != 2) return 1;
            long long &held = jars[jar];
            held += kind == '+' ? grains : -grains;
            if (held == 0) jars.erase(jar);
            continue;
        }
        long long k;
        if (scanf("%lld", &k) != 1) return 1;
        auto at = jars.begin();
        while (at != jars.end() && at->second < k) k -= (at++)->second;
        if (at == jars.end()) puts("none");
        else printf("%d\n", at->first);
    }
}
