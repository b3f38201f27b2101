// The knock stays in the buffer: the program waits for the answer, and the crab waits for the knock.
#include <algorithm>
#include <iostream>
#include <string>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    int first = 1, last = n;
    while (true) {
        int x = first + (last - first) / 2;
        std::cout << x << '\n';
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
