# Counts the burrows from 0. Burrow 0 is no burrow: the talk ends there, and then the program crashes at the answer that does not come.
n = int(input())
first, last = 0, n - 1
while True:
    x = first
    print(x, flush=True)
    answer = input()
    if answer == "here":
        break
    first = min(n - 1, first + 1)
