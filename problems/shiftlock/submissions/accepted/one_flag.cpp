// Keeps the letters as they would be after one more flip, whenever one is pending.
#include <iostream>
#include <string>

int main() {
    std::ios::sync_with_stdio(false);
    int n;
    std::string keys, text;
    std::cin >> n >> keys;
    bool lock = false, flipped = false;
    for (char key : keys) {
        if (key == '^') lock = !lock;
        else if (key == '~') flipped = !flipped;
        else if (key != '<') text.push_back(lock != flipped ? key - 'a' + 'A' : key);
        else if (!text.empty()) text.pop_back();
    }
    if (flipped) {
        for (char &c : text) c ^= 'a' ^ 'A';
    }
    std::cout << text << '\n';
}
