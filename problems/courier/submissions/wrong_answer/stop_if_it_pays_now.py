# Stops at an inn whenever that is cheaper than walking on to the next one.
import sys

numbers = list(map(int, sys.stdin.buffer.read().split()))
xs, cs = numbers[1::2], numbers[2::2]
last, sweat = xs[0], 0
for i in range(1, len(xs) - 1):
    walk_on = (xs[i + 1] - last) ** 2
    stop = (xs[i] - last) ** 2 + cs[i] + (xs[i + 1] - xs[i]) ** 2
    if stop < walk_on:
        sweat += (xs[i] - last) ** 2 + cs[i]
        last = xs[i]
print(sweat + (xs[-1] - last) ** 2 + cs[-1])
