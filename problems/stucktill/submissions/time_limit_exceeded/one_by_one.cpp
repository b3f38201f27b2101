// Turns the units wheel of a working register b times.
#include <iostream>
#include <string>

int main() {
    std::string a;
    long long b;
    std::cin >> a >> b;
    std::string wheels(20 - a.size(), '0');
    wheels += a;
    std::string broken = wheels;
    long long rest = b;
    for (int i = 19; rest > 0; i--, rest /= 10) broken[i] = '0' + (broken[i] - '0' + rest % 10) % 10;
    for (long long step = 0; step < b; step++) {
        int i = 19;
        while (wheels[i] == '9') wheels[i--] = '0';
        wheels[i]++;
    }
    std::cout << std::stoull(wheels) - std::stoull(broken) << '\n';
}
