# Lays every boardwalk there is, with a stack of its own.
def main():
    n, _ = map(int, input().split())
    planks = list(map(int, input().split()))
    ways, stack = 0, [(n, 0)]
    while stack:
        rest, last = stack.pop()
        if rest == 0:
            ways += 1
        for plank in planks:
            if plank != last and plank <= rest:
                stack.append((rest - plank, plank))
    print(ways % (10**9 + 7))


main()
