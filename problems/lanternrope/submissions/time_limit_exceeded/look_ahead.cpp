// From every pole that the rope touches, looks at all later poles for the steepest way up.
#include <cmath>
#include <cstdio>
#include <vector>

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<double> x(n), h(n);
    for (int i = 0; i < n; i++) {
        if (scanf("%lf %lf", &x[i], &h[i]) != 2) return 1;
    }
    double length = 0;
    for (int at = 0; at < n - 1;) {
        int next = at + 1;
        for (int i = at + 2; i < n; i++) {
            if ((h[i] - h[at]) / (x[i] - x[at]) >= (h[next] - h[at]) / (x[next] - x[at])) next = i;
        }
        length += std::hypot(x[next] - x[at], h[next] - h[at]);
        at = next;
    }
    printf("%.9f\n", length);
}
