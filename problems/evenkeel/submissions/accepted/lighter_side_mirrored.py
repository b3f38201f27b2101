import sys

weights = map(int, sys.stdin.read().split()[1:])
difference, sides = 0, []
for weight in weights:
    if difference < 0:
        difference += weight
        sides.append("L")
    else:
        difference -= weight
        sides.append("R")
print("".join(sides))
