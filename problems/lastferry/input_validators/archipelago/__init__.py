"""Checks an archipelago: the numbers of a line (`numbers`) and the whole input (`check`)."""

import re

PLAIN = re.compile(rb"(0|[1-9][0-9]{0,9})( (0|[1-9][0-9]{0,9}))*")


class Invalid(Exception):
    """Says what is wrong with the input."""


def numbers(line, count):
    if not PLAIN.fullmatch(line):
        raise Invalid(f"not plain integers: {line[:60]!r}")
    values = list(map(int, line.split(b" ")))
    if len(values) != count:
        raise Invalid(f"{count} integers expected: {line[:60]!r}")
    return values


def check(data):
    lines = data.split(b"\n")
    if lines.pop() != b"" or not lines:
        raise Invalid("the last line is not ended")
    n, m, s = numbers(lines[0], 3)
    if not (1 <= n <= 100_000 and m <= 200_000 and s <= 10**9):
        raise Invalid("n, m or s is out of range")
    if len(lines) != m + 1:
        raise Invalid(f"{m} lines announced, {len(lines) - 1} given")
    for line in lines[1:]:
        u, v, p, d = numbers(line, 4)
        if not (1 <= u <= n and 1 <= v <= n and u != v):
            raise Invalid(f"bad islands {u} and {v}")
        if not (1 <= p <= 10**9 and 1 <= d <= 10**9):
            raise Invalid(f"bad period {p} or duration {d}")
