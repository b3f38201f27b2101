def main():
    modulus = 10**9 + 7
    n, _ = map(int, input().split())
    planks = sorted(map(int, input().split()))
    total = [0] * (n + 1)
    total[0] = 1
    rows = [(plank, [0] * (n + 1)) for plank in planks if plank <= n]
    for length in range(1, n + 1):
        ways = 0
        for plank, ending in rows:
            if plank > length:
                break
            before = length - plank
            ending[length] = last = total[before] - ending[before]
            ways += last
        total[length] = ways % modulus
        for plank, ending in rows:
            ending[length] %= modulus
    print(total[n])


main()
