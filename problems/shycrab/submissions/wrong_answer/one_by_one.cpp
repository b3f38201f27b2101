// Knocks on one burrow after the other, which takes more than 30 knocks.
#include <iostream>
#include <string>

int main() {
    int n;
    std::cin >> n;
    std::string answer;
    for (int x = 1; x <= n && answer != "here"; x++) {
        std::cout << x << std::endl;
        if (!(std::cin >> answer)) return 0;
    }
}
