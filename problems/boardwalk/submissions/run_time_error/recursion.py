# Right, but a long boardwalk of short planks is too deep for the recursion.
from functools import lru_cache

n, _ = map(int, input().split())
planks = sorted(map(int, input().split()))


@lru_cache(maxsize=None)
def ways(rest, last):
    if rest == 0:
        return 1
    return sum(ways(rest - plank, plank) for plank in planks if plank != last and plank <= rest) % (10**9 + 7)


print(ways(n, 0))
