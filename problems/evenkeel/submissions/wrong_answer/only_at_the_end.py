# Level at the end, and not on the way: heavy crates first, as if they could wait on the quay.
n, *weights = map(int, open(0).read().split())
sides = [""] * n
difference = 0
for i in sorted(range(n), key=lambda i: -weights[i]):
    if difference <= 0:
        difference += weights[i]
        sides[i] = "L"
    else:
        difference -= weights[i]
        sides[i] = "R"
print("".join(sides))
