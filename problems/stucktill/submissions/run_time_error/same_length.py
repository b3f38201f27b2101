# Takes it for granted that the second price has as many digits as the longer one.
a, b = input().split()
lost, ten = 0, 10
for place in range(1, max(len(a), len(b)) + 1):
    if int(a[-place]) + int(b[-place]) > 9:
        lost += ten
    ten *= 10
print(lost)
