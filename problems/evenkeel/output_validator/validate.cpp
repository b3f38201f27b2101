// Accepts every loading that keeps the barge level: any answer with the right letters whose sides never differ by more
// than the heaviest crate so far. Nothing is compared with the answer file.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

namespace {

std::string feedback;

[[noreturn]] void wrong(const std::string &judge, const std::string &team) {
    std::ofstream(feedback + "judgemessage.txt") << judge << "\n";
    std::ofstream(feedback + "teammessage.txt") << team << "\n";
    std::exit(43);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    feedback = argv[3];
    std::ifstream input(argv[1]);
    std::size_t n;
    if (!(input >> n)) return 1;

    std::string sides, rest;
    if (!(std::cin >> sides)) wrong("the output is empty", "there is no answer");
    if (std::cin >> rest) wrong("there is more than one word", "there is more than one word");
    if (sides.size() != n) {
        wrong(std::to_string(sides.size()) + " letters instead of " + std::to_string(n), "not one letter for each crate");
    }
    std::int64_t difference = 0, heaviest = 0;
    for (std::size_t i = 0; i < n; i++) {
        std::int64_t weight;
        if (!(input >> weight)) return 1;
        if (sides[i] != 'L' && sides[i] != 'R') {
            wrong("letter " + std::to_string(i + 1) + " is neither L nor R", "a letter is neither L nor R");
        }
        heaviest = std::max(heaviest, weight);
        difference += sides[i] == 'L' ? weight : -weight;
        if (std::abs(difference) > heaviest) {
            wrong("crate " + std::to_string(i + 1) + " tips the barge: the sides differ by " +
                      std::to_string(std::abs(difference)) + ", the heaviest crate weighs " + std::to_string(heaviest),
                  "the barge tips over");
        }
    }
    return 42;
}
