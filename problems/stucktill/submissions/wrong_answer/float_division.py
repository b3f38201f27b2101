# A true division loses the low digits of a large price.
a, b = map(int, input().split())
lost, ten = 0, 10
for _ in range(19):
    if a % 10 + b % 10 > 9:
        lost += ten
    a, b = int(a / 10), int(b / 10)
    ten *= 10
print(lost)
