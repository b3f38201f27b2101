# Right except that a plate of zeros counts as a number.
def lay(m, tiles, start):
    if len(start) == len(m):
        return start
    tight = m.startswith(start)
    for digit in "9876543210":
        tile = "6" if digit == "9" else digit
        if tile in tiles and not (tight and digit > m[len(start)]):
            found = lay(m, tiles.replace(tile, "", 1), start + digit)
            if found:
                return found
    return None


m, tiles = input(), input().replace("9", "6")
answer = lay(m, tiles, "") if len(tiles) >= len(m) else None
length = min(len(tiles), len(m) - 1)
if not answer and length > 0:
    answer = lay("9" * length, tiles, "")
print("none" if answer is None else int(answer))
