"""Test data of "Ferries on the Hour"; the large cases have 100,000 islands and 200,000 lines."""

import heapq
import random

RANDOM = random.Random("lastferry")
MOST_ISLANDS, MOST_LINES, MOST = 100_000, 200_000, 10**9


def archipelago(n, s, lines):
    return f"{n} {len(lines)} {s}\n" + "".join(f"{u} {v} {p} {d}\n" for u, v, p, d in lines)


def case(n, s, *lines):
    return lambda: archipelago(n, s, lines)


def line(n, period, duration):
    u = RANDOM.randint(1, n)
    v = RANDOM.randint(1, n - 1)
    return u, v + (v >= u), RANDOM.randint(1, period), RANDOM.randint(1, duration)


def scattered(n, m, s, period, duration):
    return lambda: archipelago(n, s, [line(n, period, duration) for _ in range(m)])


def chain(n):
    """One island after the other; the lines are listed from the far end, which is what slow relaxation likes least."""
    lines = []
    for u in range(n - 1, 0, -1):
        lines.append((u, u + 1, MOST - RANDOM.randint(0, 9), MOST))
        lines.append((u + 1, u, MOST, MOST))
    return archipelago(n, MOST, lines)


def grid(rows, columns):
    lines = []
    for r in range(rows):
        for c in range(columns):
            at = r * columns + c + 1
            if c + 1 < columns:
                lines.append((at, at + 1, RANDOM.randint(1, 60), RANDOM.randint(1, 60)))
            if r + 1 < rows:
                lines.append((at + columns, at, RANDOM.randint(1, 60), RANDOM.randint(1, 60)))
    RANDOM.shuffle(lines)
    return archipelago(rows * columns, 17, lines)


def two_halves(n, m):
    """The first and the last island lie in halves that no line connects."""
    half = n // 2
    lines = []
    for _ in range(m):
        u, v, p, d = line(half, 1000, 1000)
        shift = RANDOM.choice((0, half))
        lines.append((u + shift, v + shift, p, d))
    return archipelago(n, 5, lines)


SMALL = {
    "sample/1": case(3, 4, (1, 2, 10, 3), (2, 3, 7, 5), (1, 3, 20, 1)),
    "sample/2": case(4, 0, (1, 2, 5, 5), (3, 4, 1, 1)),
    "sample/3": case(2, 30, (2, 1, 15, 4)),
    "secret/1-edge/01-already-there": case(1, 123),
    "secret/1-edge/02-no-lines": case(2, 0),
    "secret/1-edge/03-leaves-at-once": case(2, 0, (1, 2, MOST, MOST)),
    "secret/1-edge/04-just-missed": case(2, MOST, (1, 2, MOST - 1, MOST)),
    "secret/1-edge/05-several-lines": case(2, 7, (1, 2, 9, 4), (2, 1, 4, 5), (1, 2, 7, 7), (2, 1, 7, 6)),
    "secret/1-edge/06-more-boats-are-faster": case(5, 1, (1, 5, 100, 1), (1, 2, 1, 1), (2, 3, 1, 1), (3, 4, 1, 1), (4, 5, 1, 1)),
    "secret/1-edge/07-fewer-boats-are-faster": case(4, 0, (1, 2, 3, 4), (2, 3, 3, 4), (3, 4, 3, 4), (1, 4, 3, 11)),
    "secret/1-edge/08-slow-boat-better-connection": case(4, 0, (1, 2, 1, 10), (1, 3, 1, 2), (2, 4, 11, 1), (2, 4, 10, 1), (3, 4, 50, 1)),
    "secret/1-edge/09-last-island-cut-off": case(6, 3, (1, 2, 2, 2), (2, 3, 2, 2), (3, 4, 2, 2), (4, 5, 2, 2), (5, 1, 2, 2)),
    "secret/1-edge/10-star": case(30, 11, *[(1, i, i, 31 - i) for i in range(2, 31)]),
    "secret/1-edge/11-catches-every-boat": case(20, 12, *[(i, i + 1, 6, 6) for i in range(1, 20)]),
    "secret/2-random/01-sparse": scattered(60, 90, 8, 12, 12),
    "secret/2-random/02-dense": scattered(40, 400, 99, 50, 200),
    "secret/2-random/03-rare-boats": scattered(60, 200, 1, 10**4, 10),
    "secret/2-random/04-wide-ranges": scattered(80, 240, 10**9, MOST, MOST),
    "secret/2-random/05-grid": lambda: grid(9, 11),
}
LARGE = {
    "secret/3-big/01-random": scattered(MOST_ISLANDS, MOST_LINES, 1, MOST, MOST),
    "secret/3-big/02-chain": lambda: chain(MOST_ISLANDS),
    "secret/3-big/03-grid": lambda: grid(300, 333),
    "secret/3-big/04-two-halves": lambda: two_halves(MOST_ISLANDS, MOST_LINES),
}


def solve(text):
    words = list(map(int, text.split()))
    n, m, s = words[:3]
    lines = [[] for _ in range(n + 1)]
    for u, v, p, d in zip(words[3::4], words[4::4], words[5::4], words[6::4]):
        lines[u].append((v, p, d))
        lines[v].append((u, p, d))
    arrival, queue = {}, [(s, 1)]
    while queue:
        now, island = heapq.heappop(queue)
        if island in arrival:
            continue
        arrival[island] = now
        for other, p, d in lines[island]:
            if other not in arrival:
                heapq.heappush(queue, ((now + p - 1) // p * p + d, other))
    return f"{arrival.get(n, 'stranded')}\n"
