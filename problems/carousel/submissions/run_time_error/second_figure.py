# The shortcut for a ring of equal figures looks at a second figure, which need not exist.
s = input()
if s[0] == s[1] and len(set(s)) == 1:
    print(1)
else:
    p = (s + s).find(s, 1)
    root = s[:p]
    shift = (root + root).find(root[::-1])
    if shift == -1:
        print(p)
    elif p % 2 == 1:
        print((p + 1) // 2)
    else:
        print(p // 2 if shift % 2 else p // 2 + 1)
