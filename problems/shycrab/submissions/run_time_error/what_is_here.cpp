// Knows two answers only: the third one, when the crab has been found, is an exception that nobody catches.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>

int main() {
    const std::map<std::string, int> sides{{"left", -1}, {"right", 1}};
    int n;
    std::cin >> n;
    int first = 1, last = n;
    while (true) {
        int x = first + (last - first) / 2;
        std::cout << x << std::endl;
        std::string answer;
        std::cin >> answer;
        int side = sides.at(answer);
        if (side < 0) last = x - 1;
        else first = x + 1;
        first = std::clamp(first + side, 1, n);
        last = std::clamp(last + side, 1, n);
    }
}
