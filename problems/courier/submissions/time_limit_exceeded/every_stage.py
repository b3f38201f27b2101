# Tries every stage.
import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    xs, cs = numbers[1::2], numbers[2::2]
    sweat = [0]
    for i in range(1, len(xs)):
        x = xs[i]
        sweat.append(cs[i] + min(sweat[j] + (x - xs[j]) ** 2 for j in range(i)))
    print(sweat[-1])


main()
