"""Accepts a line with the number of burrows, at most 10^9, and the crab's place, 0 if it is left open."""

import re
import sys

match = re.fullmatch(rb"([1-9][0-9]{0,9}) (0|[1-9][0-9]{0,9})\n", sys.stdin.buffer.read())
if not match:
    sys.exit("not one line with two integers")
burrows, place = map(int, match.groups())
if burrows > 10**9 or place > burrows:
    sys.exit("out of range")
sys.exit(42)
