"""Test data of "Digits for the Door": many small cases, most of them drawn in a way that makes one kind of mistake show."""

import random

RANDOM = random.Random("housetiles")
LARGEST, MOST_TILES = 10**18, 20


def box(largest, tiles):
    return f"{largest}\n{tiles}\n"


def case(largest, tiles):
    return lambda: box(largest, str(tiles))


def tiles_of(count, digits):
    return "".join(RANDOM.choice(digits) for _ in range(count))


def shuffled(text):
    return "".join(RANDOM.sample(text, len(text)))


def drawn(digits, count, length):
    """Any tiles, any number of that length."""
    return lambda: box(RANDOM.randint(10 ** (length - 1), 10**length - 1), tiles_of(count, digits))


def laid_exactly(count, spare):
    """The tiles make just the largest number, some of them upside down."""

    def generate():
        largest = RANDOM.choice("123456789") + tiles_of(count - 1, "0123456699")
        turned = "".join({"6": "9", "9": "6"}.get(digit, digit) if RANDOM.random() < 0.5 else digit for digit in largest)
        return box(largest, shuffled(turned + tiles_of(spare, "012345")))

    return generate


def step_back(count, spare):
    """The tiles begin like the largest number, and then only digits are left that are too large: some steps must be taken back."""

    def generate():
        kept = RANDOM.randint(1, count - 1)
        start = RANDOM.choice("23456789") + "".join(RANDOM.choice("34578") for _ in range(kept - 1))
        rest = tiles_of(count - kept - 1, "0123")
        return box(start + RANDOM.choice("01") + rest, shuffled(start + tiles_of(count - kept + spare, "345789")))

    return generate


def too_large(count):
    """All of the tiles together are too large for the street, whichever way they are laid."""
    return lambda: box("1" * count, shuffled(tiles_of(count, "2345678")))


def mostly_zeros(count, length):
    return lambda: box(RANDOM.randint(10 ** (length - 1), 10**length - 1), shuffled("0" * (count - 1) + RANDOM.choice("0123456789")))


FIXED = [
    case(1, 1),
    case(1, "0"),
    case(1, "2"),
    case(5, "66"),
    case(6, "9"),
    case(8, "6"),
    case(9, "6"),
    case(10, "01"),
    case(10, "0011"),
    case(99, "6"),
    case(100, "00"),
    case(100, "001"),
    case(100, "69"),
    case(101, "1110"),
    case(666, "999"),
    case(665, "999"),
    case(668, "999"),
    case(696, "669"),
    case(999, "666"),
    case(1000, "0000"),
]
FAMILIES = {
    "short": [drawn("0123456789", 1 + i % 4, 1 + i % 5) for i in range(30)],
    "turned": [drawn("69", 2 + i % 5, 2 + i % 6) for i in range(20)],
    "turned-and-others": [drawn("0669", 3 + i % 4, 3 + i % 3) for i in range(20)],
    "exactly": [laid_exactly(2 + i % 6, i % 2) for i in range(30)],
    "step-back": [step_back(2 + i % 5, i % 3) for i in range(40)],
    "too-large": [too_large(2 + i % 5) for i in range(10)],
    "zeros": [mostly_zeros(1 + i % 6, 1 + i % 4) for i in range(20)],
    # The only ones with many tiles: trying everything is quick in all the others.
    "long": [
        case(LARGEST, "1" + "0" * 18),
        case(LARGEST, "69" * 10),
        case(LARGEST - 1, "01234567890123456789"),
        case(9_223_372_036_854_775, "99998765432210"),
        laid_exactly(18, 2),
        laid_exactly(17, 0),
        step_back(18, 2),
        step_back(16, 0),
        drawn("0123456789", MOST_TILES, 18),
        drawn("0123456789", 15, 15),
    ],
}
SMALL = {
    "sample/1": case(4620, "1942"),
    "sample/2": case(5, "08"),
    "sample/3": case(300, "2933"),
}
SMALL |= {f"secret/{number:03}-fixed": generate for number, generate in enumerate(FIXED, 1)}
SMALL |= {
    f"secret/{number:03}-{family}": generate
    for number, (family, generate) in enumerate(
        ((family, generate) for family, generates in FAMILIES.items() for generate in generates), len(FIXED) + 1
    )
}
LARGE = {}


def lay(largest, tiles, start):
    """The largest number that begins with `start`, has as many digits as `largest` and does not exceed it; none if there is no such number."""
    if len(start) == len(largest):
        return start
    tight = largest.startswith(start)
    for digit in "9876543210":
        tile = "6" if digit == "9" else digit
        if tile in tiles and (start or digit != "0") and not (tight and digit > largest[len(start)]):
            found = lay(largest, tiles.replace(tile, "", 1), start + digit)
            if found is not None:
                return found
    return None


def solve(text):
    largest, tiles = text.split()
    tiles = tiles.replace("9", "6")
    found = lay(largest, tiles, "") if len(tiles) >= len(largest) else None
    for length in range(min(len(tiles), len(largest) - 1), 0, -1):
        found = found or lay("9" * length, tiles, "")
    return f"{found or 'none'}\n"
