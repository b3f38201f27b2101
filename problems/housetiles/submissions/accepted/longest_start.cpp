// Follows the largest number as far as possible, then one smaller digit, then the largest tiles that are left.
#include <algorithm>
#include <functional>
#include <iostream>
#include <string>

namespace {

// Takes the digit's tile out of the box.
bool take(std::string &box, char digit) {
    auto tile = box.find(digit == '9' ? '6' : digit);
    if (tile == std::string::npos) return false;
    box.erase(tile, 1);
    return true;
}

// The `count` largest digits of the box in descending order.
std::string largest_of(std::string box, std::size_t count) {
    std::replace(box.begin(), box.end(), '6', '9');
    std::sort(box.begin(), box.end(), std::greater<>());
    return box.substr(0, count);
}

std::string as_long(const std::string &m, const std::string &tiles) {
    for (std::size_t kept = m.size() + 1; kept-- > 0;) {
        std::string box = tiles;
        bool fits = true;
        for (std::size_t i = 0; i < kept && fits; i++) fits = take(box, m[i]);
        if (!fits) continue;
        if (kept == m.size()) return m;
        for (char digit = m[kept] - 1; digit >= (kept == 0 ? '1' : '0'); digit--) {
            std::string rest = box;
            if (take(rest, digit)) return m.substr(0, kept) + digit + largest_of(rest, m.size() - kept - 1);
        }
    }
    return "";
}

}  // namespace

int main() {
    std::string m, tiles;
    std::cin >> m >> tiles;
    std::replace(tiles.begin(), tiles.end(), '9', '6');
    std::string found = tiles.size() >= m.size() ? as_long(m, tiles) : "";
    if (found.empty()) found = largest_of(tiles, m.size() - 1);
    std::cout << (found.empty() || found[0] == '0' ? "none" : found) << '\n';
}
