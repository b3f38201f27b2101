// Knuth–Morris–Pratt twice: once for the period, once to find the mirror image in the doubled ring.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

static std::vector<int> failure(const std::string &s) {
    std::vector<int> fail(s.size(), 0);
    for (size_t i = 1; i < s.size(); i++) {
        int k = fail[i - 1];
        while (k > 0 && s[i] != s[k]) k = fail[k - 1];
        fail[i] = k + (s[i] == s[k]);
    }
    return fail;
}

int main() {
    std::string s;
    std::cin >> s;
    int n = s.size(), p = n - failure(s)[n - 1];
    if (n % p != 0) p = n;
    std::string root = s.substr(0, p), mirror(root.rbegin(), root.rend());
    std::vector<int> fail = failure(mirror);
    int shift = -1;
    for (int i = 0, k = 0; i < 2 * p && shift < 0; i++) {
        char c = root[i % p];
        while (k > 0 && mirror[k] != c) k = fail[k - 1];
        if (mirror[k] == c) k++;
        if (k == p) shift = i - p + 1;
    }
    int fixed = p % 2 ? 1 : (shift % 2 ? 0 : 2);
    std::cout << (shift < 0 ? p : (p + fixed) / 2) << '\n';
}
