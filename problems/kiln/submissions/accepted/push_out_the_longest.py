import sys
from heapq import heappush, heappushpop


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    chosen, end = [], 0
    for fetched, minutes in sorted(zip(numbers[2::2], numbers[1::2])):
        end += minutes
        if end <= fetched:
            heappush(chosen, -minutes)
        else:
            end += heappushpop(chosen, -minutes)
    print(len(chosen))


main()
