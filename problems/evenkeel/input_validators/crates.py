"""Accepts n and a line of n integers from 1 to 10^9."""

import re
import sys

lines = sys.stdin.buffer.read().split(b"\n")
if len(lines) != 3 or lines[2] != b"" or not re.fullmatch(rb"[1-9][0-9]{0,5}", lines[0]):
    sys.exit("bad n, or there are not two ended lines")
n = int(lines[0])
weights = lines[1].split(b" ")
if n > 200_000 or len(weights) != n:
    sys.exit("n is out of range or not the number of weights")
for weight in weights:
    if not re.fullmatch(rb"[1-9][0-9]{0,9}", weight) or int(weight) > 10**9:
        sys.exit(f"bad weight {weight[:60]!r}")
sys.exit(42)
