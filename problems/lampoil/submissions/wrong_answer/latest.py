# Finds the last of the longest stretches instead of the first.
import sys


def main():
    data = sys.stdin.buffer.read().split()
    tank = int(data[1])
    burned = list(map(int, data[2:]))
    del data
    left, total, longest, start = 0, 0, 0, -1
    for right, drops in enumerate(burned):
        total += drops
        while total > tank:
            total -= burned[left]
            left += 1
        if right + 1 - left >= longest > 0 or right + 1 - left > longest:
            longest, start = right + 1 - left, left
    print(longest, start + 1)


main()
