"""Accepts n and n lines `d t` of integers from 1 to 10^9."""

import re
import sys

ORDER = re.compile(rb"([1-9][0-9]{0,9}) ([1-9][0-9]{0,9})")

lines = sys.stdin.buffer.read().split(b"\n")
if lines.pop() != b"" or not lines or not re.fullmatch(rb"[1-9][0-9]{0,5}", lines[0]):
    sys.exit("bad n, or the last line is not ended")
n = int(lines[0])
if n > 200_000 or len(lines) != n + 1:
    sys.exit("n is out of range or not the number of orders")
for line in lines[1:]:
    order = ORDER.fullmatch(line)
    if not order or max(map(int, order.groups())) > 10**9:
        sys.exit(f"bad order {line[:60]!r}")
sys.exit(42)
