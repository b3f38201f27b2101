// The remainder of a negative number is negative.
#include <iostream>
#include <vector>

int main() {
    const long long modulus = 1'000'000'007;
    int n, k;
    std::cin >> n >> k;
    std::vector<int> planks(k);
    for (int &plank : planks) std::cin >> plank;
    std::vector<std::vector<long long>> ending(k, std::vector<long long>(n + 1, 0));
    std::vector<long long> total(n + 1, 0);
    total[0] = 1;
    for (int length = 1; length <= n; length++) {
        for (int j = 0; j < k; j++) {
            int before = length - planks[j];
            if (before < 0) continue;
            ending[j][length] = (total[before] - ending[j][before]) % modulus;
            total[length] += ending[j][length];
        }
        total[length] %= modulus;
    }
    std::cout << total[n] << '\n';
}
