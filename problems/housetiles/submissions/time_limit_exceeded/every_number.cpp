// Lays every number that the tiles make.
#include <algorithm>
#include <iostream>
#include <string>

namespace {

long long largest, found = 0;
std::string box;

void lay(long long number) {
    found = std::max(found, number <= largest ? number : 0);
    for (std::size_t tile = 0; tile < box.size() && number <= largest / 10; tile++) {
        char taken = box[tile];
        if (number == 0 && taken == '0') continue;
        box.erase(tile, 1);
        lay(10 * number + taken - '0');
        if (taken == '6') lay(10 * number + 9);
        box.insert(tile, 1, taken);
    }
}

}  // namespace

int main() {
    std::cin >> largest >> box;
    std::replace(box.begin(), box.end(), '9', '6');
    lay(0);
    if (found == 0) std::cout << "none\n";
    else std::cout << found << '\n';
}
