# Makes every picture anew.
s = input()
n = len(s)
p = 1
while s[p:] + s[:p] != s:
    p += 1
root, turn = s[:p], 0
mirror = root[::-1]
while turn < p and root[turn:] + root[:turn] != mirror:
    turn += 1
if turn == p:
    print(p)
elif p % 2 == 1:
    print((p + 1) // 2)
else:
    print(p // 2 if turn % 2 else p // 2 + 1)
