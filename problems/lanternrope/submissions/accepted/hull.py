import sys
from math import hypot


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    xs, hs = [], []
    for x, h in zip(numbers[1::2], numbers[2::2]):
        while len(xs) > 1 and (xs[-1] - xs[-2]) * (h - hs[-2]) >= (hs[-1] - hs[-2]) * (x - xs[-2]):
            xs.pop()
            hs.pop()
        xs.append(x)
        hs.append(h)
    print(sum(hypot(xs[i] - xs[i - 1], hs[i] - hs[i - 1]) for i in range(1, len(xs))))


main()
