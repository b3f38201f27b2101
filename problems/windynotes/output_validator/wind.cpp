// After the first pass it takes a note away and hangs up the others, as the answer file says; after the second one it compares
// the readings. The file `notes-taken` in the feedback folder tells that the first pass is over.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr int HIGHEST_NOTE = 999'999;

std::string feedback;

[[noreturn]] void wrong(const std::string &judge, const std::string &team) {
    std::ofstream(feedback + "judgemessage.txt", std::ios::app) << judge << "\n";
    std::ofstream(feedback + "teammessage.txt", std::ios::app) << team << "\n";
    std::exit(43);
}

// Exactly `count` whole numbers from 0 to `highest`, or the end.
std::vector<int> numbers(std::size_t count, int highest, const std::string &what) {
    std::vector<int> all;
    for (std::string word; std::cin >> word;) {
        if (word.size() > 6 || word.find_first_not_of("0123456789") != std::string::npos || std::stoi(word) > highest) {
            wrong(what + " " + std::to_string(all.size() + 1) + " is not a number from 0 to " + std::to_string(highest) + ": " + word.substr(0, 60),
                  "a " + what + " is not a number from 0 to " + std::to_string(highest));
        }
        all.push_back(std::stoi(word));
        if (all.size() > count) wrong("more than " + std::to_string(count) + " " + what + "s", "too many " + what + "s");
    }
    if (all.size() < count) {
        wrong(std::to_string(all.size()) + " " + what + "s instead of " + std::to_string(count), "too few " + what + "s");
    }
    return all;
}

// The same on every machine, unlike std::shuffle.
void mix(std::vector<int> &notes, std::uint64_t seed) {
    for (std::size_t left = notes.size(); left > 1; left--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        std::swap(notes[left - 1], notes[(seed >> 33) % left]);
    }
}

void first_pass(std::size_t gauges, std::size_t taken, std::uint64_t order) {
    auto notes = numbers(gauges + 1, HIGHEST_NOTE, "note");
    std::ofstream(feedback + "notes-taken") << notes.at(taken) << "\n";
    notes.erase(notes.begin() + static_cast<std::ptrdiff_t>(taken));
    if (order == 1) std::reverse(notes.begin(), notes.end());
    else if (order > 1) mix(notes, order);
    std::ofstream next(feedback + "nextpass.in");
    next << "read\n" << gauges << "\n";
    for (std::size_t i = 0; i < notes.size(); i++) next << (i == 0 ? "" : " ") << notes[i];
    next << "\n";
}

void second_pass(const std::vector<int> &readings, int taken) {
    auto found = numbers(readings.size(), HIGHEST_NOTE, "reading");
    for (std::size_t i = 0; i < readings.size(); i++) {
        if (found[i] != readings[i]) {
            wrong("reading " + std::to_string(i + 1) + " is " + std::to_string(readings[i]) + ", not " + std::to_string(found[i]) +
                      "; the wind took the note " + std::to_string(taken),
                  "a reading is wrong");
        }
    }
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    feedback = argv[3];
    std::ifstream input(argv[1]), answer(argv[2]), before(feedback + "notes-taken");
    std::string word;
    std::size_t gauges, taken;
    std::uint64_t order;
    if (!(input >> word >> gauges) || !(answer >> taken >> order) || taken > gauges) return 1;
    std::vector<int> readings(gauges);
    for (int &reading : readings) {
        if (!(input >> reading)) return 1;
    }
    int note;
    if (!before.is_open()) first_pass(gauges, taken, order);
    else if (before >> note) second_pass(readings, note);
    else return 1;
    return 42;
}
