# From every pole that the rope touches, looks at all later poles for the steepest way up.
import sys
from math import hypot


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    xs, hs = numbers[1::2], numbers[2::2]
    n, at, length = numbers[0], 0, 0.0
    while at < n - 1:
        x, h = xs[at], hs[at]
        best = max(range(at + 1, n), key=lambda i: ((hs[i] - h) / (xs[i] - x), i))
        length += hypot(xs[best] - x, hs[best] - h)
        at = best
    print(length)


main()
