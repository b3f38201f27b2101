// The sums do not fit into 32 bits.
#include <cstdio>
#include <vector>

int main() {
    int n, q;
    if (scanf("%d %d", &n, &q) != 2) return 1;
    std::vector<unsigned> tree(n + 1, 0);
    int top = 1;
    while (2 * top <= n) top *= 2;
    while (q-- > 0) {
        char kind;
        if (scanf(" %c", &kind) != 1) return 1;
        if (kind != '?') {
            int jar;
            unsigned grains;
            if (scanf("%d %u", &jar, &grains) != 2) return 1;
            for (; jar <= n; jar += jar & -jar) tree[jar] += kind == '+' ? grains : -grains;
            continue;
        }
        long long k;
        if (scanf("%lld", &k) != 1) return 1;
        int before = 0;
        for (int step = top; step > 0; step /= 2) {
            if (before + step <= n && tree[before + step] < k) {
                before += step;
                k -= tree[before];
            }
        }
        if (before == n) puts("none");
        else printf("%d\n", before + 1);
    }
}
