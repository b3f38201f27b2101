# Works on the decimal strings and builds what the register shows.
a, b = input().split()
width = max(len(a), len(b))
shown = "".join(str((int(x) + int(y)) % 10) for x, y in zip(a.zfill(width), b.zfill(width)))
print(int(a) + int(b) - int(shown))
