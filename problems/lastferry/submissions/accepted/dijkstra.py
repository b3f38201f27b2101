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
    earliest = [-1] * (n + 1)
    queue = [(s, 1)]
    while queue:
        now, island = heappop(queue)
        if earliest[island] >= 0:
            continue
        earliest[island] = now
        if island == n:
            break
        for other, p, d in lines[island]:
            if earliest[other] < 0:
                heappush(queue, (now + -now % p + d, other))
    print(earliest[n] if earliest[n] >= 0 else "stranded")


main()
