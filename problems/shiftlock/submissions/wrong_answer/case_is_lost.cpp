// The right letters, but all in lower case.
#include <iostream>
#include <string>

int main() {
    int n;
    std::string keys, text;
    std::cin >> n >> keys;
    for (char key : keys) {
        if (key >= 'a' && key <= 'z') text.push_back(key);
        if (key == '<' && !text.empty()) text.pop_back();
    }
    std::cout << text << '\n';
}
