// Lays every boardwalk there is.
#include <iostream>
#include <vector>

static std::vector<int> planks;
static unsigned long long ways = 0;

static void lay(int rest, int last) {
    if (rest == 0) ways++;
    for (int plank : planks) {
        if (plank != last && plank <= rest) lay(rest - plank, plank);
    }
}

int main() {
    int n, k;
    std::cin >> n >> k;
    planks.resize(k);
    for (int &plank : planks) std::cin >> plank;
    lay(n, 0);
    std::cout << ways % 1'000'000'007 << '\n';
}
