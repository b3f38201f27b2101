# Lets the rope follow every pole, also into the valleys.
import sys
from math import hypot

numbers = list(map(int, sys.stdin.buffer.read().split()))
xs, hs = numbers[1::2], numbers[2::2]
print(sum(hypot(xs[i] - xs[i - 1], hs[i] - hs[i - 1]) for i in range(1, len(xs))))
