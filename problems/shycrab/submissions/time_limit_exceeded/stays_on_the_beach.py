# Finds the crab and then does not end if it was found by the very first knock.
n = int(input())
first, last = 1, n
knocks = 0
while True:
    x = (first + last) // 2
    print(x, flush=True)
    knocks += 1
    answer = input()
    if answer == "here":
        break
    if answer == "left":
        first, last = max(1, first - 1), max(1, x - 2)
    else:
        first, last = min(n, x + 2), min(n, last + 1)
while knocks < 2:
    pass
