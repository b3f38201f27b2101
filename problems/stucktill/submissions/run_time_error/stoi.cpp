// std::stoi throws when a price does not fit into an int.
#include <iostream>
#include <string>

int main() {
    std::string a, b;
    std::cin >> a >> b;
    long long x = std::stoi(a), y = std::stoi(b), lost = 0;
    for (long long ten = 10; x > 0 || y > 0; ten *= 10) {
        if (x % 10 + y % 10 > 9) lost += ten;
        x /= 10;
        y /= 10;
    }
    std::cout << lost << '\n';
}
