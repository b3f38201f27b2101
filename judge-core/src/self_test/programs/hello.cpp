#include <bits/stdc++.h>

int main() {
    std::vector<long> numbers(2);
    for (auto& number : numbers) std::cin >> number;
    std::cout << "hello " << std::accumulate(numbers.begin(), numbers.end(), 0L) << "\n";
}
