# Takes away everything that is two equal planks shorter, also what already ended with that plank.
n, _ = map(int, input().split())
planks = list(map(int, input().split()))
total = [0] * (n + 1)
total[0] = 1
for length in range(1, n + 1):
    for plank in planks:
        if plank <= length:
            total[length] += total[length - plank]
        if 2 * plank <= length:
            total[length] -= total[length - 2 * plank]
    total[length] %= 10**9 + 7
print(total[n])
