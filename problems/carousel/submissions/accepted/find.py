# str.find is linear (two-way search), also on periodic strings.
s = input()
p = (s + s).find(s, 1)
root = s[:p]
shift = (root + root).find(root[::-1])
if shift == -1:
    print(p)
elif p % 2 == 1:
    print((p + 1) // 2)
else:
    # Rotation k reads the same from behind exactly if 2k = shift (mod p).
    print(p // 2 if shift % 2 else p // 2 + 1)
