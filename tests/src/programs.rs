//! Programs that stories submit to the problem of [`crate::problem`], friendly and hostile.

/// Right on every case.
pub const RIGHT: &str = "\
#include <iostream>
int main() {
    long long a, b;
    std::cin >> a >> b;
    std::cout << a + b << '\\n';
}
";

/// Adds in 32 bits: right on the sample and `secret/01`, wrong from `secret/02` on.
pub const WRONG: &str = "\
#include <iostream>
int main() {
    long long a, b;
    std::cin >> a >> b;
    std::cout << (int)(a + b) << '\\n';
}
";

/// Right, but takes a tenth of a second of processor time for each case: long enough to be caught in the middle, short
/// enough for the wall-clock guard of a machine that has much else to do.
pub const SLOW: &str = "\
#include <ctime>
#include <iostream>
int main() {
    long long a, b;
    std::cin >> a >> b;
    while (std::clock() < CLOCKS_PER_SEC / 10) {}
    std::cout << a + b << '\\n';
}
";

/// Right, in C: compiled in a fraction of the time, for stories that hand in by the dozen.
pub const RIGHT_IN_C: &str = "\
#include <stdio.h>
int main(void) {
    long long a, b;
    if (scanf(\"%lld %lld\", &a, &b) == 2) printf(\"%lld\\n\", a + b);
    return 0;
}
";

/// Adds in 32 bits, in C: wrong from `secret/02` on.
pub const WRONG_IN_C: &str = "\
#include <stdio.h>
int main(void) {
    long long a, b;
    if (scanf(\"%lld %lld\", &a, &b) == 2) printf(\"%d\\n\", (int)(a + b));
    return 0;
}
";

/// Forks until it cannot, then fails.
pub const FORK_BOMB: &str = "\
#include <unistd.h>
int main() {
    for (;;) {
        pid_t child = fork();
        if (child < 0) return 1;
        if (child == 0) { for (;;) pause(); }
    }
}
";

/// Touches memory without end.
pub const MEMORY_HOG: &str = "\
#include <cstdlib>
#include <cstring>
int main() {
    for (;;) {
        void *block = std::malloc(1 << 20);
        if (block) std::memset(block, 1, 1 << 20);
    }
}
";

/// Prints without end.
pub const ENDLESS_PRINTER: &str = "\
#include <cstdio>
int main() {
    for (;;) std::puts(\"the quick brown fox jumps over the lazy dog\");
}
";

/// Does nothing for a long time.
pub const SLEEPER: &str = "\
#include <unistd.h>
int main() {
    sleep(600);
}
";

/// Ends with the number that some judges take for a memory limit.
pub const EXIT_137: &str = "\
#include <cstdlib>
int main() {
    std::exit(137);
}
";

/// A hostile program, the verdict it must get, and a word that its reason or message must contain.
pub const HOSTILE: &[(&str, &str, &str, &str)] = &[
    ("fork bomb", FORK_BOMB, "RTE", "fork limit"),
    ("memory hog", MEMORY_HOG, "MLE", ""),
    ("endless printer", ENDLESS_PRINTER, "OLE", ""),
    ("sleeper", SLEEPER, "TLE", "idle"),
    ("exit(137)", EXIT_137, "RTE", ""),
];
