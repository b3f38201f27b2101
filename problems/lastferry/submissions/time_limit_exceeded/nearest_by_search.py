# Dijkstra's algorithm, but the next island is found by looking at all that are waiting.
import sys


def main():
    words = list(map(int, sys.stdin.buffer.read().split()))
    n, m, s = words[:3]
    lines = [[] for _ in range(n + 1)]
    for i in range(3, 4 * m + 3, 4):
        u, v, p, d = words[i : i + 4]
        lines[u].append((v, p, d))
        lines[v].append((u, p, d))
    earliest, waiting = {}, {1: s}
    while waiting:
        island = min(waiting, key=waiting.get)
        now = earliest[island] = waiting.pop(island)
        for other, p, d in lines[island]:
            if other not in earliest:
                waiting[other] = min(waiting.get(other, 10**18), now + -now % p + d)
    print(earliest.get(n, "stranded"))


main()
