// Flips the whole text each time.
#include <cctype>
#include <iostream>
#include <string>

int main() {
    int n;
    std::string keys, text;
    std::cin >> n >> keys;
    bool lock = false;
    for (char key : keys) {
        if (key == '^') {
            lock = !lock;
        } else if (key == '~') {
            for (char &c : text) c = std::isupper(static_cast<unsigned char>(c)) ? std::tolower(c) : std::toupper(c);
        } else if (key == '<') {
            if (!text.empty()) text.pop_back();
        } else {
            text.push_back(lock ? std::toupper(key) : key);
        }
    }
    std::cout << text << '\n';
}
