# If a pot does not fit in there need not be another one to compare it with.
import sys
from heapq import heappush, heapreplace


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    chosen, end = [], 0
    for fetched, minutes in sorted(zip(numbers[2::2], numbers[1::2])):
        if end + minutes <= fetched:
            heappush(chosen, -minutes)
            end += minutes
        elif -chosen[0] > minutes:
            end += minutes + heapreplace(chosen, -minutes)
    print(len(chosen))


main()
