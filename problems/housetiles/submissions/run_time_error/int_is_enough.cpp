// Reads the largest number into an int; std::stoi throws where it does not fit.
#include <algorithm>
#include <iostream>
#include <string>

namespace {

int largest;
std::string box;

int best(int number) {
    int found = number;
    for (char digit = '9'; digit >= '0'; digit--) {
        auto tile = box.find(digit == '9' ? '6' : digit);
        long long next = 10LL * number + digit - '0';
        if (tile == std::string::npos || next == 0 || next > largest) continue;
        char taken = box[tile];
        box.erase(tile, 1);
        found = std::max(found, best(static_cast<int>(next)));
        box.insert(tile, 1, taken);
    }
    return found;
}

}  // namespace

int main() {
    std::string m;
    std::cin >> m >> box;
    largest = std::stoi(m);
    std::replace(box.begin(), box.end(), '9', '6');
    int found = best(0);
    if (found == 0) std::cout << "none\n";
    else std::cout << found << '\n';
}
