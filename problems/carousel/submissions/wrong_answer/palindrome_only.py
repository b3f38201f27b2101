# Takes the ring for symmetric only if the given unrolling is a palindrome.
s = input()
p = (s + s).find(s, 1)
root = s[:p]
if root != root[::-1]:
    print(p)
else:
    print((p + 1) // 2 if p % 2 else p // 2 + 1)
