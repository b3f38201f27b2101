#include <bits/stdc++.h>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    long long difference = 0;
    std::string sides;
    for (int i = 0; i < n; i++) {
        long long weight;
        std::cin >> weight;
        bool left = difference <= 0;
        difference += left ? weight : -weight;
        sides += left ? 'L' : 'R';
    }
    std::cout << sides << "\n";
}
