#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string word;
    int n;
    std::cin >> word >> n;
    int sum = 0;
    if (word == "write") {
        for (int i = 0; i < n; i++) {
            int reading;
            std::cin >> reading;
            sum += reading;
            std::cout << 1000 * i + reading << ' ';
        }
        std::cout << 1000 * n + sum % 1000 << '\n';
        return 0;
    }
    std::vector<int> readings(n + 1, -1);
    for (int i = 0; i < n; i++) {
        int note;
        std::cin >> note;
        readings[note / 1000] = note % 1000;
        sum += note / 1000 < n ? note % 1000 : 0;
    }
    for (int i = 0; i < n; i++) {
        std::cout << (readings[i] >= 0 ? readings[i] : (readings[n] - sum % 1000 + 1000) % 1000) << (i + 1 < n ? ' ' : '\n');
    }
}
