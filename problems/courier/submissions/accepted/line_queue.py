import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    xs, cs = numbers[1::2], numbers[2::2]
    slopes, heights = [-2 * xs[0]], [xs[0] * xs[0]]
    first = sweat = 0
    for i in range(1, len(xs)):
        x = xs[i]
        value = slopes[first] * x + heights[first]
        while first + 1 < len(slopes):
            following = slopes[first + 1] * x + heights[first + 1]
            if following > value:
                break
            value = following
            first += 1
        sweat = cs[i] + x * x + value
        slope, height = -2 * x, sweat + x * x
        while len(slopes) - first > 1 and (height - heights[-2]) * (slopes[-2] - slopes[-1]) <= (heights[-1] - heights[-2]) * (slopes[-2] - slope):
            slopes.pop()
            heights.pop()
        slopes.append(slope)
        heights.append(height)
    print(sweat)


main()
