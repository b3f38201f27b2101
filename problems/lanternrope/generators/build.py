"""Test data of "The Lantern Rope"; the large cases have 200,000 poles, in one of them the rope touches every pole."""

import math
import random

RANDOM = random.Random("lanternrope")
MOST_POLES = 200_000
FARTHEST = 10**9


def street(poles):
    return f"{len(poles)}\n" + "".join(f"{x} {h}\n" for x, h in poles)


def case(*poles):
    return lambda: street(poles)


def scattered(n, farthest, height):
    """`n` different places, and a height for each from `height(x)`."""
    places = set()
    while len(places) < n:
        places.add(RANDOM.randint(0, farthest))
    return [(x, height(x)) for x in sorted(places)]


def ridge(n):
    """A strictly concave row of `n` poles: the shortest primitive steps, ordered by slope from steep up to steep down."""
    steps, radius = [], 1
    while len(steps) < n - 1:
        radius += 1
        steps = [
            (dx, dy)
            for dx in range(1, radius)
            for dy in range(-radius + 1, radius)
            if math.gcd(dx, dy) == 1
        ]
    steps.sort(key=lambda step: step[0] ** 2 + step[1] ** 2)
    steps = sorted(steps[: n - 1], key=lambda step: math.atan2(step[1], step[0]), reverse=True)
    poles, x, h = [(0, 0)], 0, 0
    for dx, dy in steps:
        x, h = x + dx, h + dy
        poles.append((x, h))
    lowest = min(h for _, h in poles)
    return [(x, h - lowest) for x, h in poles]


SMALL = {
    "sample/1": case((0, 0), (3, 1), (8, 6), (12, 3)),
    "sample/2": case((10, 5), (11, 0), (20, 5)),
    "sample/3": case((0, 1), (1, 2), (2, 1)),
    "secret/01-two-poles": case((0, 0), (1, 0)),
    "secret/02-two-poles-far-apart": case((0, 0), (10**9, 10**9)),
    "secret/03-steep": case((0, 0), (1, 10**9), (2, 0)),
    "secret/04-all-flat": case(*[(i * i, 7) for i in range(60)]),
    "secret/05-all-on-one-slope": case(*[(3 * i, 5 * i) for i in range(60)]),
    "secret/06-valley": case((0, 10**9), (1, 0), (10**9 - 1, 0), (10**9, 10**9)),
    "secret/07-last-pole-highest": case(*[(i, i * i) for i in range(50)]),
    "secret/08-first-pole-highest": case(*[(i, (50 - i) ** 2) for i in range(50)]),
    "secret/09-hill": case(*[(i, 2500 - (i - 50) ** 2) for i in range(101)]),
    "secret/10-product-beyond-32-bits": case((0, 0), (70000, 69999), (140001, 139999), (500000, 139998), (10**9, 3)),
    "secret/11-nearly-straight": case((0, 0), (5 * 10**8, 5 * 10**8 - 1), (10**9, 10**9)),
    "secret/12-just-above-straight": case((0, 0), (5 * 10**8, 5 * 10**8 + 1), (10**9, 10**9)),
    "secret/13-teeth": case(*[(i, 0 if i % 2 else 100) for i in range(81)]),
    "secret/14-random-small": lambda: street(scattered(40, 60, lambda x: RANDOM.randint(0, 30))),
    "secret/15-random-large": lambda: street(scattered(300, FARTHEST, lambda x: RANDOM.randint(0, FARTHEST))),
    "secret/16-ridge": lambda: street(ridge(300)),
}
LARGE = {
    "secret/20-random-big": lambda: street(scattered(MOST_POLES, FARTHEST, lambda x: RANDOM.randint(0, FARTHEST))),
    "secret/21-ridge-big": lambda: street(ridge(MOST_POLES)),
    "secret/22-valley-big": lambda: street(scattered(MOST_POLES, FARTHEST, lambda x: (x - FARTHEST // 2) ** 2 // FARTHEST)),
}


def solve(text):
    """Whole numbers all the way: the digits do not depend on anybody's square root."""
    words = list(map(int, text.split()))
    hull = []
    for x, h in zip(words[1::2], words[2::2]):
        while len(hull) > 1 and (hull[-1][0] - hull[-2][0]) * (h - hull[-2][1]) >= (hull[-1][1] - hull[-2][1]) * (x - hull[-2][0]):
            hull.pop()
        hull.append((x, h))
    length = (sum(math.isqrt(((a - c) ** 2 + (b - d) ** 2) * 10**24) for (a, b), (c, d) in zip(hull, hull[1:])) + 500) // 1000
    return f"{length // 10**9}.{length % 10**9:09}\n"
