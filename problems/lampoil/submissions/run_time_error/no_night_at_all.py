# There may be no night to choose the best of.
import sys


def stretches(burned, tank):
    left, total = 0, 0
    for right, drops in enumerate(burned):
        total += drops
        while total > tank:
            total -= burned[left]
            left += 1
        if left <= right:
            yield right + 1 - left, -left


def main():
    data = sys.stdin.buffer.read().split()
    tank = int(data[1])
    burned = list(map(int, data[2:]))
    del data
    longest, start = max(stretches(burned, tank))
    print(longest, 1 - start)


main()
