# A symmetric ring of even period has no slide or two slides that are their own mirror image, never one.
s = input()
p = (s + s).find(s, 1)
root = s[:p]
print((p + 1) // 2 if root[::-1] in root + root else p)
