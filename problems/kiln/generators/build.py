"""Test data of "One Kiln, Many Pots"; the large cases have 200,000 orders."""

import heapq
import random

RANDOM = random.Random("kiln")
MOST_ORDERS, MOST_MINUTES = 200_000, 10**9


def orders(pots):
    return f"{len(pots)}\n" + "".join(f"{d} {t}\n" for d, t in pots)


def case(*pots):
    return lambda: orders(pots)


def drawn(n, longest, latest):
    return lambda: orders([(RANDOM.randint(1, longest), RANDOM.randint(1, latest)) for _ in range(n)])


def slowly_shorter(n):
    """Half of the pots fill the day, the other half are ever shorter and push the long ones out one by one."""
    half = n // 2
    pots = [(2 * half - i, MOST_MINUTES // 2 + i) for i in range(half)]
    pots += [(half - i // 2 + 1, MOST_MINUTES // 2 + half + i) for i in range(n - half)]
    return orders(pots)


def all_fit(n):
    pots = [(RANDOM.randint(1, 5000), 5000 * (i + 1)) for i in range(n)]
    RANDOM.shuffle(pots)
    return orders(pots)


SMALL = {
    "sample/1": case((3, 5), (6, 6), (2, 3), (4, 10)),
    "sample/2": case((1, 1), (1, 1), (1, 2), (5, 4)),
    "secret/01-one-pot": case((7, 7)),
    "secret/02-one-pot-too-late": case((8, 7)),
    "secret/03-nobody": case((10, 9), (4, 3), (10**9, 10**9 - 1)),
    "secret/04-all-at-the-same-time": case((3, 10), (1, 10), (5, 10), (4, 10), (2, 10)),
    "secret/05-exactly-in-time": case((1, 1), (2, 3), (3, 6), (4, 10), (5, 15)),
    "secret/06-one-long-pot-first": case((100, 100), (30, 101), (30, 102), (30, 103), (30, 104)),
    "secret/07-shortest-first-is-wrong": case((3, 12), (4, 4), (5, 9)),
    "secret/08-earliest-first-is-wrong": case((6, 6), (3, 7), (3, 8), (2, 8)),
    "secret/09-sum-beyond-32-bits": case(*[(10**9, 10**9) for _ in range(9)], *[(10**9 - i, 10**9) for i in range(1, 9)]),
    "secret/10-first-does-not-fit-alone": case((50, 20), (5, 25), (70, 30), (10, 35)),
    "secret/11-replace-twice": case((4, 4), (4, 8), (4, 12), (1, 12), (1, 12), (1, 12)),
    "secret/12-equal-pots": case(*[(2, 21)] * 30),
    "secret/13-random-small": drawn(12, 6, 20),
    "secret/14-random-tight": drawn(200, 50, 400),
    "secret/15-random-loose": drawn(200, 50, 6000),
    "secret/16-random-impossible": drawn(200, 1000, 300),
    "secret/17-random-large-values": drawn(300, MOST_MINUTES, MOST_MINUTES),
}
LARGE = {
    "secret/20-random-big": drawn(MOST_ORDERS, 20_000, MOST_MINUTES),
    "secret/21-slowly-shorter-big": lambda: slowly_shorter(MOST_ORDERS),
    "secret/22-all-fit-big": lambda: all_fit(MOST_ORDERS),
    "secret/23-large-values-big": drawn(MOST_ORDERS, MOST_MINUTES, MOST_MINUTES),
}


def solve(text):
    """By deadline; whoever does not fit in pushes out the longest pot so far, possibly itself."""
    numbers = list(map(int, text.split()))
    chosen, end = [], 0
    for t, d in sorted(zip(numbers[2::2], numbers[1::2])):
        heapq.heappush(chosen, -d)
        end += d
        if end > t:
            end += heapq.heappop(chosen)
    return f"{len(chosen)}\n"
