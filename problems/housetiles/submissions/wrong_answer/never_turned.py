# Leaves every tile as it is.
def lay(m, tiles, start):
    if len(start) == len(m):
        return start
    tight = m.startswith(start)
    for tile in sorted(set(tiles), reverse=True):
        if (tile == "0" and not start) or (tight and tile > m[len(start)]):
            continue
        found = lay(m, tiles.replace(tile, "", 1), start + tile)
        if found:
            return found
    return None


m, tiles = input(), input()
answer = lay(m, tiles, "") if len(tiles) >= len(m) else None
length = min(len(tiles), len(m) - 1)
if not answer and length > 0:
    answer = lay("9" * length, tiles, "")
print(answer or "none")
