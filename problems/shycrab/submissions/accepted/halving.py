n = int(input())
first, last = 1, n
while True:
    x = (first + last + 1) // 2
    print(x, flush=True)
    answer = input()
    if answer == "here":
        break
    if answer == "left":
        first, last = max(1, first - 1), max(1, x - 2)
    else:
        first, last = min(n, x + 2), min(n, last + 1)
