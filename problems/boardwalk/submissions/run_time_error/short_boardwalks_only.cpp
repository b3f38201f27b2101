// Room for boardwalks up to length 10,000 only.
#include <iostream>
#include <vector>

int main() {
    const long long modulus = 1'000'000'007;
    int n, k;
    std::cin >> n >> k;
    std::vector<std::vector<long long>> ending(k, std::vector<long long>(10'001, 0));
    std::vector<int> planks(k);
    for (int &plank : planks) std::cin >> plank;
    std::vector<long long> total(10'001, 0);
    total[0] = 1;
    for (int length = 1; length <= n; length++) {
        for (int j = 0; j < k; j++) {
            int before = length - planks[j];
            if (before < 0) continue;
            long long ways = (total.at(before) - ending[j].at(before) + modulus) % modulus;
            ending[j].at(length) = ways;
            total.at(length) = (total.at(length) + ways) % modulus;
        }
    }
    std::cout << total.at(n) << '\n';
}
