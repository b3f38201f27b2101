# The right idea, but the longest pot is searched in a list.
import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    chosen, end = [], 0
    for fetched, minutes in sorted(zip(numbers[2::2], numbers[1::2])):
        chosen.append(minutes)
        end += minutes
        if end > fetched:
            longest = max(chosen)
            chosen.remove(longest)
            end -= longest
    print(len(chosen))


main()
