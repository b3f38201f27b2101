"""Accepts `n k` and a line of k different lengths."""

import re
import sys

planks = re.fullmatch(rb"([1-9][0-9]{0,5}) ([1-9][0-9]?)\n([1-9][0-9]{0,5}(?: [1-9][0-9]{0,5})*)\n", sys.stdin.buffer.read())
if not planks:
    sys.exit("not two lines of plain integers")
n, k, lengths = int(planks[1]), int(planks[2]), list(map(int, planks[3].split()))
if n > 100_000 or k > 10 or len(lengths) != k or max(lengths) > 100_000 or len(set(lengths)) != k:
    sys.exit("out of range, wrong number of lengths, or a length twice")
sys.exit(42)
