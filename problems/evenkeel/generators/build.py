"""Test data of "Even Keel"; the large cases have 200,000 crates."""

import random

RANDOM = random.Random("evenkeel")
MOST_CRATES, HEAVIEST = 200_000, 10**9


def crates(weights):
    return f"{len(weights)}\n{' '.join(map(str, weights))}\n"


def case(*weights):
    return lambda: crates(weights)


def drawn(n, heaviest):
    return lambda: crates([RANDOM.randint(1, heaviest) for _ in range(n)])


def growing(n):
    return lambda: crates([i + 1 for i in range(n)])


SMALL = {
    "sample/1": case(4, 3, 2),
    "sample/2": case(7),
    "secret/01-one-light-crate": case(1),
    "secret/02-one-heavy-crate": case(HEAVIEST),
    "secret/03-two-equal": case(5, 5),
    "secret/04-all-equal": case(*[3] * 25),
    "secret/05-one-giant-last": case(*[1] * 20, HEAVIEST),
    "secret/06-one-giant-first": case(HEAVIEST, *[1] * 20),
    "secret/07-turns-tip-it": case(9, 1, 9, 1, 9, 1, 9, 1),
    "secret/08-doubling": case(*[2**i for i in range(30)]),
    "secret/09-halving": case(*[2**i for i in range(29, -1, -1)]),
    "secret/10-sums-beyond-32-bits": case(*[HEAVIEST] * 50),
    "secret/11-random-small": drawn(30, 6),
    "secret/12-random": drawn(300, 1000),
    "secret/13-random-heavy": drawn(300, HEAVIEST),
    "secret/14-growing": growing(500),
}
LARGE = {
    "secret/20-random-big": drawn(MOST_CRATES, HEAVIEST),
    "secret/21-growing-big": growing(MOST_CRATES),
    "secret/22-heaviest-big": lambda: crates([HEAVIEST] * MOST_CRATES),
}


def solve(text):
    left = right = 0
    sides = []
    for weight in map(int, text.split()[1:]):
        if left <= right:
            left += weight
            sides.append("L")
        else:
            right += weight
            sides.append("R")
    return "".join(sides) + "\n"
