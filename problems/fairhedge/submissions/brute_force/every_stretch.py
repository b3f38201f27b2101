# Counts the colours of every stretch anew: fast enough for the short hedges only.
input()
bushes = input().strip()
fair = 0
for first in range(len(bushes)):
    for end in range(first + 3, len(bushes) + 1, 3):
        stretch = bushes[first:end]
        third = (end - first) // 3
        if sum(1 for bush in stretch if bush == "R") == third and sum(1 for bush in stretch if bush == "Y") == third:
            fair += 1
print(fair)
