# Takes the route with the fewest boats.
import sys


def main():
    words = list(map(int, sys.stdin.buffer.read().split()))
    n, m, s = words[:3]
    lines = [[] for _ in range(n + 1)]
    for i in range(3, 4 * m + 3, 4):
        u, v, p, d = words[i : i + 4]
        lines[u].append((v, p, d))
        lines[v].append((u, p, d))
    reached = {1: s}
    here = [1]
    while here and n not in reached:
        after = {}
        for island in here:
            now = reached[island]
            for other, p, d in lines[island]:
                if other not in reached:
                    after[other] = min(after.get(other, 10**18), now + -now % p + d)
        reached.update(after)
        here = list(after)
    print(reached.get(n, "stranded"))


main()
