// Compares every turn with the first picture, figure by figure.
#include <iostream>
#include <string>

int main() {
    std::string s;
    std::cin >> s;
    int n = s.size(), p = 1;
    for (; p < n; p++) {
        int i = 0;
        while (i < n && s[i] == s[p + i < n ? p + i : p + i - n]) i++;
        if (i == n) break;
    }
    int fixed = 0;
    bool symmetric = false;
    for (int k = 0; k < p && !symmetric; k++) {
        int i = 0;
        while (i < p && s[p - 1 - i] == s[(k + i) % p]) i++;
        if (i < p) continue;
        symmetric = true;
        fixed = p % 2 ? 1 : (k % 2 ? 0 : 2);
    }
    std::cout << (symmetric ? (p + fixed) / 2 : p) << '\n';
}
