# Gets the length from the height and the sine of the angle, which is zero where the rope is level.
import sys
from math import atan2, sin


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    xs, hs = [], []
    for x, h in zip(numbers[1::2], numbers[2::2]):
        while len(xs) > 1 and (xs[-1] - xs[-2]) * (h - hs[-2]) >= (hs[-1] - hs[-2]) * (x - xs[-2]):
            xs.pop()
            hs.pop()
        xs.append(x)
        hs.append(h)
    length = 0.0
    for i in range(1, len(xs)):
        rise = abs(hs[i] - hs[i - 1])
        length += rise / sin(atan2(rise, xs[i] - xs[i - 1]))
    print(length)


main()
