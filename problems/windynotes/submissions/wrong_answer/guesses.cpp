// The notes tell of which gauge they are, but nothing tells what the missing one said.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string word;
    int n;
    std::cin >> word >> n;
    std::vector<int> readings(n + 1, 0);
    for (int i = 0; i < n; i++) {
        int number;
        std::cin >> number;
        if (word == "write") readings[i] = number;
        else readings[number / 1000] = number % 1000;
    }
    if (word == "write") {
        for (int i = 0; i <= n; i++) std::cout << 1000 * i + readings[i] << ' ';
    } else {
        for (int i = 0; i < n; i++) std::cout << readings[i] << ' ';
    }
    std::cout << '\n';
}
