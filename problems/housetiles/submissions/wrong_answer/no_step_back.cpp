// Follows the largest number as long as there are tiles; if the next digit cannot be had nor undercut, it lays a shorter number.
#include <algorithm>
#include <functional>
#include <iostream>
#include <string>

int main() {
    std::string m, tiles;
    std::cin >> m >> tiles;
    std::replace(tiles.begin(), tiles.end(), '9', '6');
    std::string box = tiles, found;
    bool tight = true;
    while (found.size() < m.size() && tiles.size() >= m.size()) {
        char digit = tight ? m[found.size()] : '9';
        while (digit >= '0' && box.find(digit == '9' ? '6' : digit) == std::string::npos) digit--;
        if (digit < (found.empty() ? '1' : '0')) break;
        box.erase(box.find(digit == '9' ? '6' : digit), 1);
        tight = tight && digit == m[found.size()];
        found += digit;
    }
    if (found.size() < m.size()) {
        std::replace(tiles.begin(), tiles.end(), '6', '9');
        std::sort(tiles.begin(), tiles.end(), std::greater<>());
        found = tiles.substr(0, m.size() - 1);
    }
    std::cout << (found.empty() || found[0] == '0' ? "none" : found) << '\n';
}
