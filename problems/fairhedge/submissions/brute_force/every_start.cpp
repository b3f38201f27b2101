// From every bush on to the end of the hedge: fast enough for the medium hedges too.
#include <cstdint>
#include <iostream>
#include <string>

int main() {
    int n;
    std::string bushes;
    std::cin >> n >> bushes;
    std::int64_t fair = 0;
    for (int first = 0; first < n; first++) {
        int yellow = 0, blue = 0;
        for (int i = first; i < n; i++) {
            if (bushes[i] == 'R') yellow--, blue--;
            else if (bushes[i] == 'Y') yellow++;
            else blue++;
            if (yellow == 0 && blue == 0) fair++;
        }
    }
    std::cout << fair << '\n';
}
