"""Test data of "The Typewriter with Two Minds": recordings of up to a million keys."""

import random
import string

RANDOM = random.Random("shiftlock")
MOST_KEYS = 10**6


def recording(keys):
    return f"{len(keys)}\n{keys}\n"


def case(keys):
    return lambda: recording(keys)


def mixed(n, letters=6, lock=1, erase=2, flip=1):
    """`n` random keys; the other numbers are the weights of the four kinds."""
    kinds = RANDOM.choices(["", "^", "<", "~"], weights=[letters, lock, erase, flip], k=n)
    return "".join(kind or RANDOM.choice(string.ascii_lowercase) for kind in kinds)


SMALL = {
    "sample/1": case("n^ot~^e"),
    "sample/2": case("<ab<<<~^c<d"),
    "sample/3": case("x<"),
    "secret/1-edge/01-one-letter": case("q"),
    "secret/1-edge/02-only-erase": case("<"),
    "secret/1-edge/03-only-flip": case("~"),
    "secret/1-edge/04-only-lock": case("^"),
    "secret/1-edge/05-flip-twice": case("abc~~def"),
    "secret/1-edge/06-flip-then-lock": case("ab~^cd~e^f"),
    "secret/1-edge/07-erase-more-than-there-is": case("abc" + "<" * 9 + "^xyz"),
    "secret/1-edge/08-all-erased-at-the-end": case("a^b~c<<<"),
    "secret/1-edge/09-flip-of-nothing": case("a<~b"),
    "secret/1-edge/10-all-letters": case(string.ascii_lowercase + "^" + string.ascii_lowercase + "~"),
    "secret/1-edge/11-no-letters": case("~^<~^<<~"),
    "secret/2-random/01-balanced": lambda: recording(mixed(300)),
    "secret/2-random/02-mostly-erasing": lambda: recording(mixed(300, letters=3, erase=4)),
    "secret/2-random/03-mostly-flips": lambda: recording(mixed(300, letters=2, erase=1, flip=5)),
    "secret/2-random/04-letters-and-locks": lambda: recording(mixed(300, letters=5, lock=5, erase=0, flip=0)),
}
LARGE = {
    "secret/3-big/01-write-then-flip": lambda: recording(mixed(MOST_KEYS // 2, erase=0, flip=0) + "~" * (MOST_KEYS // 2 - 1) + "z"),
    "secret/3-big/02-balanced": lambda: recording(mixed(MOST_KEYS)),
    "secret/3-big/03-letters-only": lambda: recording(mixed(MOST_KEYS, lock=0, erase=0, flip=0)),
    "secret/3-big/04-write-then-erase": lambda: recording(mixed(MOST_KEYS // 2, erase=0) + "<" * (MOST_KEYS // 2)),
}


def solve(text):
    """A letter is upper case if an odd number of locks before it and flips after it was pressed."""
    flips_left, lock, flips_at, locks_at, kept = 0, 0, [], [], []
    keys = text.split()[1]
    for key in keys:
        flips_at.append(flips_left)
        locks_at.append(lock)
        flips_left += key == "~"
        lock += key == "^"
    for at, key in enumerate(keys):
        if key == "<":
            if kept:
                kept.pop()
        elif key.isalpha():
            kept.append(at)
    return "".join(keys[at].upper() if (flips_left - flips_at[at] + locks_at[at]) % 2 else keys[at] for at in kept) + "\n"
