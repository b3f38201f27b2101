"""Accepts what the first pass is given: `write`, n from 1 to 500, and n readings from 0 to 999."""

import re
import sys

lines = sys.stdin.buffer.read().split(b"\n")
if len(lines) != 4 or lines[0] != b"write" or lines[3] != b"" or not re.fullmatch(rb"[1-9][0-9]{0,2}", lines[1]):
    sys.exit("not the word, n and the readings on three lines")
n, readings = int(lines[1]), lines[2].split(b" ")
if n > 500 or len(readings) != n:
    sys.exit("n is out of range or not the number of readings")
for reading in readings:
    if not re.fullmatch(rb"0|[1-9][0-9]{0,2}", reading):
        sys.exit(f"bad reading {reading[:60]!r}")
sys.exit(42)
