"""Accepts `n c`, then a line with exactly n integers from 0 to 10^9; single spaces, no leading zeros."""

import re
import sys

NUMBER = re.compile(rb"0|[1-9][0-9]{0,15}")


def fail(reason):
    print(reason, file=sys.stderr)
    sys.exit(43)


def numbers(line, most):
    words = line.split(b" ")
    if not all(map(NUMBER.fullmatch, words)):
        fail("not a list of plain integers")
    values = list(map(int, words))
    if max(values) > most:
        fail(f"a value exceeds {most}")
    return values


lines = sys.stdin.buffer.read().split(b"\n")
if len(lines) != 3 or lines[2] != b"":
    fail("expected exactly two lines")
head = numbers(lines[0], 10**15)
if len(head) != 2 or not 1 <= head[0] <= 1_500_000:
    fail("bad first line")
if len(numbers(lines[1], 10**9)) != head[0]:
    fail("the number of nights differs from n")
sys.exit(42)
