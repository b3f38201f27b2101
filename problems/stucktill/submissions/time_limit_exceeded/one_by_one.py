# Adds by counting.
a, b = input().split()
width = max(len(a), len(b))
shown = int("".join(str((int(x) + int(y)) % 10) for x, y in zip(a.zfill(width), b.zfill(width))))
total = int(a)
for _ in range(int(b)):
    total += 1
print(total - shown)
