"""Test data of "A Boardwalk Without Repeats": two short lines a case, whatever the length of the boardwalk."""

import random

RANDOM = random.Random("boardwalk")
LONGEST, MODULUS = 100_000, 10**9 + 7


def case(n, *planks):
    return lambda: f"{n} {len(planks)}\n{' '.join(map(str, planks))}\n"


def drawn(n, k, longest):
    return case(n, *RANDOM.sample(range(1, longest + 1), k))


SMALL = {
    "sample/1": case(6, 1, 2, 3),
    "sample/2": case(7, 2, 4),
    "sample/3": case(5, 5),
    "secret/01-shortest": case(1, 1),
    "secret/02-one-kind-twice": case(2, 1),
    "secret/03-plank-too-long": case(9, 10),
    "secret/04-longest-plank": case(100_000, 100_000),
    "secret/05-one-kind-many": case(100_000, 1),
    "secret/06-two-kinds": case(17, 5, 1),
    "secret/07-alternating": case(20, 7, 3),
    "secret/08-only-even-planks": case(19, 2, 4, 6, 8),
    "secret/09-ones-and-twos": case(20, 1, 2),
    "secret/10-four-kinds": case(18, 1, 2, 3, 4),
    "secret/11-unsorted": case(20, 9, 2, 5, 11),
    "secret/12-all-long": case(16, 16, 15, 1, 17, 18),
    "secret/13-ten-kinds-short": case(14, *range(1, 11)),
    "secret/14-double-of-another": case(15, 3, 6, 12),
    "secret/15-random-short": drawn(20, 5, 12),
    "secret/16-random-short": drawn(19, 6, 15),
    "secret/20-ten-shortest": case(100_000, *range(1, 11)),
    "secret/21-ten-shortest-unsorted": case(99_991, 7, 1, 10, 3, 9, 2, 8, 4, 6, 5),
    "secret/22-two-kinds-long": case(100_000, 1, 2),
    "secret/23-three-kinds-long": case(99_999, 1, 2, 3),
    "secret/24-long-planks": drawn(100_000, 10, 30_000),
    "secret/25-middle-planks": drawn(98_765, 10, 300),
    "secret/26-odd-planks": case(100_000, *range(1, 20, 2)),
    "secret/27-even-planks-odd-boardwalk": case(99_999, *range(2, 21, 2)),
    "secret/28-short-and-long": case(100_000, 1, 2, 49_999, 50_000, 99_997, 99_998, 99_999),
}
LARGE = {}


def solve(text):
    """`ending[j]` counts by last plank; the ways that may go on with plank j are all but those that end with it."""
    n, _, *planks = map(int, text.split())
    total = [1] + [0] * n
    ending = [[0] * (n + 1) for _ in planks]
    for length in range(1, n + 1):
        for plank, ways in zip(planks, ending):
            if plank <= length:
                ways[length] = (total[length - plank] - ways[length - plank]) % MODULUS
                total[length] += ways[length]
        total[length] %= MODULUS
    return f"{total[n]}\n"
