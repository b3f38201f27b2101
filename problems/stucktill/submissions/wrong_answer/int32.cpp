// The prices do not fit into an int.
#include <iostream>

int main() {
    int a = 0, b = 0, lost = 0;
    std::cin >> a >> b;
    unsigned ten = 10;
    for (; a > 0 || b > 0; ten *= 10) {
        if (a % 10 + b % 10 > 9) lost += ten;
        a /= 10;
        b /= 10;
    }
    std::cout << lost << '\n';
}
