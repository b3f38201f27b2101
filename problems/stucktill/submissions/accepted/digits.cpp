// Counts the tens that are lost, digit by digit.
#include <iostream>

int main() {
    unsigned long long a, b, lost = 0;
    std::cin >> a >> b;
    for (unsigned long long ten = 10; a > 0 || b > 0; ten *= 10) {
        if (a % 10 + b % 10 > 9) lost += ten;
        a /= 10;
        b /= 10;
    }
    std::cout << lost << '\n';
}
