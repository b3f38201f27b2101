# Fires the shortest pot that is still in time.
import sys

numbers = list(map(int, sys.stdin.buffer.read().split()))
served, end = 0, 0
for minutes, fetched in sorted(zip(numbers[1::2], numbers[2::2])):
    if end + minutes <= fetched:
        end += minutes
        served += 1
print(served)
