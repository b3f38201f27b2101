# Asks for the inns from the last one back: too deep for a long road.
import sys
from functools import lru_cache

numbers = list(map(int, sys.stdin.buffer.read().split()))
xs, cs = numbers[1::2], numbers[2::2]


@lru_cache(maxsize=None)
def sweat(i):
    if i == 0:
        return 0
    return cs[i] + min(sweat(j) + (xs[i] - xs[j]) ** 2 for j in range(i - 1, -1, -1))


print(sweat(len(xs) - 1))
