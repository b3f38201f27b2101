// Looks at stretches of up to thirty bushes: there are no longer ones if ten bushes are blue.
#include <algorithm>
#include <iostream>
#include <string>

int main() {
    int n;
    std::string bushes;
    std::cin >> n >> bushes;
    long long fair = 0;
    for (int first = 0; first < n; first++) {
        int yellow = 0, blue = 0;
        for (int i = first; i < std::min(n, first + 30); i++) {
            if (bushes[i] == 'R') yellow--, blue--;
            else if (bushes[i] == 'Y') yellow++;
            else blue++;
            if (yellow == 0 && blue == 0) fair++;
        }
    }
    std::cout << fair << '\n';
}
