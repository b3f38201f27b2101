# Looks for each place among all that were before it.
input()
places, place, fair = [0], 0, 0
worth = {"R": 1, "Y": 1 << 20, "B": -(1 << 20) - 1}
for bush in input().strip():
    place += worth[bush]
    fair += places.count(place)
    places.append(place)
print(fair)
