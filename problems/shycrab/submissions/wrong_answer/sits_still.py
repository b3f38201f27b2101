# Thinks that the crab stays where it is; searches again from the start if it is in none of the burrows.
import sys

n = int(input())
first, last = 1, n
while True:
    if first > last:
        first, last = 1, n
    x = (first + last) // 2
    print(x, flush=True)
    answer = sys.stdin.readline().strip()
    if answer == "left":
        last = x - 1
    elif answer == "right":
        first = x + 1
    else:
        break
