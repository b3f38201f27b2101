#include <algorithm>
#include <iostream>
#include <string>

int main() {
    int n;
    std::cin >> n;
    int first = 1, last = n;
    while (true) {
        int x = first + (last - first) / 2;
        std::cout << x << std::endl;
        std::string answer;
        std::cin >> answer;
        if (answer == "here") return 0;
        if (answer == "left") {
            last = std::max(1, x - 2);
            first = std::max(1, first - 1);
        } else {
            first = std::min(n, x + 2);
            last = std::min(n, last + 1);
        }
    }
}
