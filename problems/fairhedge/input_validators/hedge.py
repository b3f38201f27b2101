"""Accepts n and a line of n letters R, Y and B; `--bushes` and `--blue` bound n and the number of blue ones further."""

import re
import sys

bounds = dict(zip(sys.argv[1::2], map(int, sys.argv[2::2])))
match = re.fullmatch(rb"([1-9][0-9]{0,5})\n([RYB]+)\n", sys.stdin.buffer.read())
if not match:
    sys.exit("not a number and a line of the letters R, Y and B")
n, bushes = int(match.group(1)), match.group(2)
if n != len(bushes) or n > bounds.get("--bushes", 300_000):
    sys.exit("n is out of range or not the number of bushes")
if bushes.count(b"B") > bounds.get("--blue", n):
    sys.exit("too many blue bushes")
sys.exit(42)
