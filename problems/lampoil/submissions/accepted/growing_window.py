# The window never shrinks: it only has to be beaten.
import sys


def main():
    data = sys.stdin.buffer.read().split()
    tank = int(data[1])
    burned = list(map(int, data[2:]))
    del data
    left, total, start = 0, 0, -1
    for right, drops in enumerate(burned):
        total += drops
        if total > tank:
            total -= burned[left]
            left += 1
        elif start < left:
            start = left
    longest = len(burned) - left
    print(longest, start + 1 if longest else 0)


main()
