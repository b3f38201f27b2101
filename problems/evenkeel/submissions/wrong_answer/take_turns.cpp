// Puts the crates to the left and to the right in turns, whatever they weigh.
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    for (int i = 0; i < n; i++) std::cout << (i % 2 ? 'R' : 'L');
    std::cout << "\n";
}
