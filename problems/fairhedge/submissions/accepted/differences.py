# One number for both differences: a red bush is worth 1, a yellow one as much as no hedge has bushes, and a blue one takes both off.
from collections import Counter
from itertools import accumulate

FAR = 1 << 20
input()
worth = {"R": 1, "Y": FAR, "B": -FAR - 1}
places = Counter(accumulate(map(worth.get, input().strip()), initial=0))
print(sum(count * (count - 1) // 2 for count in places.values()))
