# Takes away everything that is two equal planks shorter, also what already ended with that plank.
def main():
    n, _ = map(int, input().split())
    planks = list(map(int, input().split()))
    total = [0] * (n + 1)
    total[0] = 1
    for length in range(1, n + 1):
        ways = 0
        for plank in planks:
            if plank <= length:
                ways += total[length - plank]
            if 2 * plank <= length:
                ways -= total[length - 2 * plank]
        total[length] = ways % (10**9 + 7)
    print(total[n])


main()
