// Adds up the oil anew from every first night.
#include <cstdio>
#include <vector>

int main() {
    int n, longest = 0, start = -1;
    long long tank;
    if (scanf("%d %lld", &n, &tank) != 2) return 1;
    std::vector<int> burned(n);
    for (int &drops : burned) {
        if (scanf("%d", &drops) != 1) return 1;
    }
    for (int first = 0; first < n; first++) {
        long long total = 0;
        int end = first;
        while (end < n && total + burned[end] <= tank) total += burned[end++];
        if (end - first > longest) {
            longest = end - first;
            start = first;
        }
    }
    printf("%d %d\n", longest, start + 1);
}
