// Forgets that a slide can be turned around.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string s;
    std::cin >> s;
    int n = s.size();
    std::vector<int> fail(n, 0);
    for (int i = 1; i < n; i++) {
        int k = fail[i - 1];
        while (k > 0 && s[i] != s[k]) k = fail[k - 1];
        fail[i] = k + (s[i] == s[k]);
    }
    int p = n - fail[n - 1];
    std::cout << (n % p == 0 ? p : n) << '\n';
}
