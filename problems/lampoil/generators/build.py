"""Test data of "Oil for the Lighthouse"; the inputs of `3-big` are up to 15 MB."""

import random

RANDOM = random.Random("lampoil")
MOST_NIGHTS = 1_500_000


def nights(c, values):
    return f"{len(values)} {c}\n{' '.join(map(str, values))}\n"


def case(c, *values):
    return lambda: nights(c, values)


def uniform(n, low, high):
    """`n` values from low to high by a linear congruential generator: the same everywhere, and quick enough for millions."""
    state, span, values = 20250901, high - low + 1, []
    for _ in range(n):
        state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        values.append(low + (state >> 33) % span)
    return values


def few(n, low, high):
    return [RANDOM.randint(low, high) for _ in range(n)]


SMALL = {
    "sample/1": case(7, 5, 3, 0, 4, 2, 6, 1),
    "sample/2": case(9, 10, 25, 10),
    "secret/1-edge/01-one-night-fits": case(10**9, 10**9),
    "secret/1-edge/02-one-night-does-not": case(10**9 - 1, 10**9),
    "secret/1-edge/03-empty-tank": case(0, 3, 0, 0, 1, 0, 0, 0, 2),
    "secret/1-edge/04-empty-tank-no-dark-night": case(0, 1, 2, 1),
    "secret/1-edge/05-everything-fits-exactly": case(15, 1, 2, 3, 4, 5),
    "secret/1-edge/06-tie": case(4, 2, 2, 9, 1, 3, 9, 4, 0),
    "secret/1-edge/07-too-much-in-between": case(100, 20, 30, 101, 50, 50, 10**9, 99),
    "secret/1-edge/08-best-at-the-end": case(6, 7, 7, 7, 3, 2, 1),
    "secret/1-edge/09-sum-beyond-32-bits": case(3 * 10**9, *[10**9] * 12),
    "secret/1-edge/10-dark-nights-around": case(5, 0, 0, 6, 0, 0, 5, 0, 0, 1),
    "secret/2-random/01-small-values": lambda: nights(30, few(300, 0, 9)),
    "secret/2-random/02-many-ties": lambda: nights(3, few(300, 0, 2)),
    "secret/2-random/03-large-values": lambda: nights(10**10, few(300, 0, 10**9)),
    "secret/2-random/04-most-do-not-fit": lambda: nights(10**7, few(300, 0, 10**9)),
}
LARGE = {
    "secret/3-big/01-half-the-year": lambda: nights(4 * 10**14, uniform(MOST_NIGHTS, 10**8, 10**9)),
    "secret/3-big/02-everything-fits": lambda: nights(10**15, uniform(MOST_NIGHTS, 0, 10**6)),
    "secret/3-big/03-always-dark": lambda: nights(0, [0] * MOST_NIGHTS),
    "secret/3-big/04-never-enough": lambda: nights(99_999_999, uniform(MOST_NIGHTS, 10**8, 10**9)),
}


def solve(text):
    words = text.split()
    n, c = int(words[0]), int(words[1])
    burned = list(map(int, words[2:]))
    longest, start, left, total = 0, -1, 0, 0
    for right in range(n):
        total += burned[right]
        while total > c:
            total -= burned[left]
            left += 1
        if right + 1 - left > longest:
            longest, start = right + 1 - left, left
    return f"{longest} {start + 1}\n"
