n, *weights = map(int, open(0).read().split())
sides = ["L"] * 100
difference = 0
for i, weight in enumerate(weights):
    side = "L" if difference <= 0 else "R"
    difference += weight if side == "L" else -weight
    sides[i] = side
print("".join(sides[:n]))
