"""Accepts n and n lines `x c` with x strictly increasing up to 10^7 and c up to 10^12."""

import re
import sys

INN = re.compile(rb"(0|[1-9][0-9]{0,7}) (0|[1-9][0-9]{0,12})")

lines = sys.stdin.buffer.read().split(b"\n")
if lines.pop() != b"" or not lines or not re.fullmatch(rb"[1-9][0-9]{0,5}", lines[0]):
    sys.exit("bad n, or the last line is not ended")
n = int(lines[0])
if not 2 <= n <= 300_000 or len(lines) != n + 1:
    sys.exit("n is out of range or not the number of inns")
before = -1
for line in lines[1:]:
    inn = INN.fullmatch(line)
    if not inn:
        sys.exit(f"not an inn: {line[:60]!r}")
    x, c = map(int, inn.groups())
    if not before < x <= 10**7 or c > 10**12:
        sys.exit(f"out of range or out of order: {line!r}")
    before = x
sys.exit(42)
