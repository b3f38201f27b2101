// Goes round the gauges until it comes to the one without a note; if it is the last note that is gone, there is none.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string word;
    int n;
    std::cin >> word >> n;
    std::vector<int> readings(n + 1, -1);
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int number;
        std::cin >> number;
        int gauge = word == "write" ? i : number / 1000;
        readings[gauge] = number % 1000;
        sum += readings[gauge];
    }
    if (word == "write") {
        for (int i = 0; i < n; i++) std::cout << 1000 * i + readings[i] << ' ';
        std::cout << 1000 * n + (1000 - sum % 1000) % 1000 << '\n';
        return 0;
    }
    volatile int gauge = 0;
    while (readings[gauge] >= 0) gauge = (gauge + 1) % n;
    readings[gauge] = (1000 - sum % 1000) % 1000;
    for (int i = 0; i < n; i++) std::cout << readings[i] << (i + 1 < n ? ' ' : '\n');
}
