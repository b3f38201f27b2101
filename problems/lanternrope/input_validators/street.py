"""Accepts n, then n lines `x h` with 0 <= x, h <= 10^9 and x strictly increasing."""

import re
import sys

lines = sys.stdin.buffer.read().split(b"\n")
if lines.pop() != b"" or not lines:
    sys.exit("the last line is not ended")
if not re.fullmatch(rb"[1-9][0-9]{0,5}", lines[0]) or not 2 <= int(lines[0]) <= 200_000 or len(lines) != int(lines[0]) + 1:
    sys.exit("bad n")
POLE = re.compile(rb"(0|[1-9][0-9]{0,9}) (0|[1-9][0-9]{0,9})")
before = -1
for row, line in enumerate(lines[1:], 1):
    pole = POLE.fullmatch(line)
    if not pole:
        sys.exit(f"pole {row} is not two plain integers")
    x, h = map(int, pole.groups())
    if not before < x <= 10**9 or h > 10**9:
        sys.exit(f"pole {row} is out of range or out of order")
    before = x
sys.exit(42)
