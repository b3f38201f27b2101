# At each place the largest digit with which the rest, laid as small as possible, still stays within the street.
def smallest(tiles, count, first):
    """The smallest number of `count` of the tiles; its first digit is not 0 if it is the first of all."""
    tiles = sorted(tiles)
    if first:
        lead = next((tile for tile in tiles if tile != "0"), None)
        if lead is None:
            return None
        tiles.remove(lead)
        return lead + "".join(tiles[: count - 1])
    return "".join(tiles[:count])


def largest_number(m, tiles):
    number = ""
    for left in range(len(m) - 1, -1, -1):
        for digit in "9876543210":
            tile = "6" if digit == "9" else digit
            if tile not in tiles or (digit == "0" and number == ""):
                continue
            rest = tiles.replace(tile, "", 1)
            if number + digit + smallest(rest, left, False) <= m:
                number, tiles = number + digit, rest
                break
        else:
            return None
    return number


m = input()
tiles = input().replace("9", "6")
answer = None
if len(tiles) >= len(m):
    answer = largest_number(m, tiles)
length = min(len(tiles), len(m) - 1)
if answer is None and length > 0 and smallest(tiles, 1, True):
    answer = largest_number("9" * length, tiles)
print(answer or "none")
