"""Test data of "The Courier of the Glass Bell"; the large cases have 300,000 inns."""

import random

RANDOM = random.Random("courier")
MOST_INNS, FARTHEST, MOST_STRAW = 300_000, 10**7, 10**12


def road(inns):
    return f"{len(inns)}\n" + "".join(f"{x} {c}\n" for x, c in inns)


def case(*inns):
    return lambda: road(inns)


def drawn(n, farthest, straw):
    """`n` inns at random places; `straw(i, x)` is what the bell costs there."""

    def generate():
        places = sorted(RANDOM.sample(range(farthest + 1), n))
        return road([(x, straw(i, x)) for i, x in enumerate(places)])

    return generate


def upto(most):
    return lambda i, x: RANDOM.randint(0, most)


SMALL = {
    "sample/1": case((0, 8), (1, 9), (4, 2), (7, 5)),
    "sample/2": case((3, 0), (4, 0), (6, 0), (9, 0)),
    "sample/3": case((10, 7), (20, 1000)),
    "secret/1-edge/01-next-door": case((0, 0), (1, 0)),
    "secret/1-edge/02-longest-single-stage": case((0, MOST_STRAW), (FARTHEST, MOST_STRAW)),
    "secret/1-edge/03-first-straw-is-free": case((5, MOST_STRAW), (6, 1), (8, 1)),
    "secret/1-edge/04-all-free": case(*[(i * (i + 1), 0) for i in range(200)]),
    "secret/1-edge/05-all-dear": case(*[(i, MOST_STRAW) for i in range(200)]),
    "secret/1-edge/06-equal-steps-equal-straw": case(*[(10 * i, 1000) for i in range(150)]),
    "secret/1-edge/07-one-cheap-inn": case(*[(50_000 * i, 7 if i == 97 else MOST_STRAW) for i in range(200)]),
    "secret/1-edge/08-save-now-pay-later": case((0, 0), (4, 15), (5, 1), (10, 0), (20, 60), (22, 0), (30, 30)),
    "secret/1-edge/09-not-an-inn-at-the-start": case((9_999_990, 5), (9_999_995, 1), (FARTHEST, 9)),
    "secret/1-edge/10-cheaper-and-cheaper": case(*[(300 * i, (199 - i) ** 3) for i in range(200)]),
    "secret/1-edge/11-dearer-and-dearer": case(*[(300 * i, i**3) for i in range(200)]),
    "secret/1-edge/12-products-beyond-64-bits": case(
        (6_060_000, 969 * 10**9), (7_425_000, 560 * 10**9), (7_578_000, 907 * 10**9), (9_977_000, 403 * 10**9)
    ),
    "secret/2-random/01-few-inns": drawn(10, 30, upto(40)),
    "secret/2-random/02-close": drawn(300, 400, upto(900)),
    "secret/2-random/03-far": drawn(300, FARTHEST, upto(MOST_STRAW)),
    "secret/2-random/04-cheap": drawn(300, FARTHEST, upto(10**9)),
    "secret/2-random/05-mostly-dear": drawn(300, 10**5, lambda i, x: RANDOM.choice((RANDOM.randint(0, 10**5), 10**10))),
}
LARGE = {
    "secret/3-big/01-random": drawn(MOST_INNS, FARTHEST, upto(MOST_STRAW)),
    "secret/3-big/02-long-stages": drawn(MOST_INNS, FARTHEST, lambda i, x: MOST_STRAW - RANDOM.randint(0, 10**6)),
    "secret/3-big/03-short-stages": drawn(MOST_INNS, FARTHEST, upto(10**4)),
    "secret/3-big/04-cheaper-and-cheaper": drawn(MOST_INNS, FARTHEST, lambda i, x: (FARTHEST - x) ** 2 // 200 + RANDOM.randint(0, 99)),
}


def solve(text):
    """With (x - y)^2 = x^2 - 2xy + y^2 an inn y is a line in x; slopes fall and questions rise, so a queue of lines will do."""
    numbers = list(map(int, text.split()))
    xs, cs = numbers[1::2], numbers[2::2]
    slopes, heights, first, best = [-2 * xs[0]], [xs[0] ** 2], 0, 0
    for x, c in zip(xs[1:], cs[1:]):
        while first + 1 < len(slopes) and slopes[first + 1] * x + heights[first + 1] <= slopes[first] * x + heights[first]:
            first += 1
        best = c + x * x + slopes[first] * x + heights[first]
        m, b = -2 * x, best + x * x
        while len(slopes) - first > 1 and (b - heights[-2]) * (slopes[-2] - slopes[-1]) <= (heights[-1] - heights[-2]) * (slopes[-2] - m):
            slopes.pop()
            heights.pop()
        slopes.append(m)
        heights.append(b)
    return f"{best}\n"
