# Adds up the oil anew from every first night.
import sys


def main():
    data = sys.stdin.buffer.read().split()
    n, tank = int(data[0]), int(data[1])
    burned = list(map(int, data[2:]))
    del data
    longest, start = 0, -1
    for first in range(n):
        total, end = 0, first
        while end < n and total + burned[end] <= tank:
            total += burned[end]
            end += 1
        if end - first > longest:
            longest, start = end - first, first
    print(longest, start + 1)


main()
