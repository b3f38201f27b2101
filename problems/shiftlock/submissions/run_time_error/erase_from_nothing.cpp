// std::string::erase throws if there is nothing to erase.
#include <iostream>
#include <string>

int main() {
    int n;
    std::string keys, text;
    std::cin >> n >> keys;
    bool lock = false, flipped = false;
    for (char key : keys) {
        if (key == '^') lock = !lock;
        else if (key == '~') flipped = !flipped;
        else if (key == '<') text.erase(text.size() - 1);
        else text.push_back(lock != flipped ? key - 'a' + 'A' : key);
    }
    if (flipped) {
        for (char &c : text) c ^= 'a' ^ 'A';
    }
    std::cout << text << '\n';
}
