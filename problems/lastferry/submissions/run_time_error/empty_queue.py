# Takes from the queue until the last island comes out of it, which may never happen.
import sys
from heapq import heappop, heappush


def main():
    words = list(map(int, sys.stdin.buffer.read().split()))
    n, m, s = words[:3]
    lines = [[] for _ in range(n + 1)]
    for i in range(3, 4 * m + 3, 4):
        u, v, p, d = words[i : i + 4]
        lines[u].append((v, p, d))
        lines[v].append((u, p, d))
    done = set()
    queue = [(s, 1)]
    now, island = heappop(queue)
    while island != n:
        if island not in done:
            done.add(island)
            for other, p, d in lines[island]:
                if other not in done:
                    heappush(queue, (now + -now % p + d, other))
        now, island = heappop(queue)
    print(now)


main()
