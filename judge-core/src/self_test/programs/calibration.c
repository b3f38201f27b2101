/* Fixed work: a third each of arithmetic, branches that cannot be predicted, and memory that does not fit a small cache. */
#include <stdint.h>
#include <stdio.h>

enum { WORDS = 1 << 20, ROUNDS = 24 };
static uint32_t table[WORDS];

int main(void) {
    uint64_t state = 88172645463325252u, sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < WORDS; i++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            uint32_t at = state & (WORDS - 1);
            if (state & (1u << 30)) table[at] += (uint32_t)state;
            else sum += table[at] * 2654435761u;
        }
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
