// Plays the crab. It keeps the range of burrows it may be in: a single one if the test says where it is; otherwise all of
// them, and then every answer is the one that leaves more to search.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

namespace {

constexpr int MOST_KNOCKS = 30;

std::string feedback;

[[noreturn]] void finish(int code, const std::string &judge, const std::string &team) {
    std::ofstream(feedback + "judgemessage.txt") << judge << "\n";
    if (!team.empty()) std::ofstream(feedback + "teammessage.txt") << team << "\n";
    std::exit(code);
}

// A burrow's number, or 0 if the word is none.
std::int64_t burrow(const std::string &word, std::int64_t burrows) {
    if (word.empty() || word.size() > 10 || word.find_first_not_of("0123456789") != std::string::npos) return 0;
    std::int64_t number = std::stoll(word);
    return number <= burrows ? number : 0;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    feedback = argv[3];
    std::ifstream input(argv[1]);
    std::int64_t burrows, place;
    if (!(input >> burrows >> place)) return 1;
    std::int64_t first = place == 0 ? 1 : place, last = place == 0 ? burrows : place;

    std::cout << burrows << std::endl;
    for (int knock = 1; knock <= MOST_KNOCKS; knock++) {
        const std::string which = "knock " + std::to_string(knock);
        std::string word;
        if (!(std::cin >> word)) finish(43, "the output ends before " + which, "the crab has not been found");
        const std::int64_t at = burrow(word, burrows);
        if (at == 0) finish(43, which + " is no burrow: " + word.substr(0, 60), which + " is not a number from 1 to n");
        if (first == at && last == at) {
            std::cout << "here" << std::endl;
            finish(42, "found by " + which, "");
        }
        if (at - first >= last - at) {
            std::cout << "left" << std::endl;
            last = std::max<std::int64_t>(1, std::min(last, at - 1) - 1);
            first = std::max<std::int64_t>(1, first - 1);
        } else {
            std::cout << "right" << std::endl;
            first = std::min(burrows, std::max(first, at + 1) + 1);
            last = std::min(burrows, last + 1);
        }
    }
    finish(43,
           "not found by " + std::to_string(MOST_KNOCKS) + " knocks, may be in " + std::to_string(first) + " to " + std::to_string(last),
           "the crab has not been found by " + std::to_string(MOST_KNOCKS) + " knocks");
}
