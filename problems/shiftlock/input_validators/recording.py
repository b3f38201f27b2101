"""Accepts n and a string of exactly n keys."""

import re
import sys

recording = re.fullmatch(rb"([1-9][0-9]*)\n([a-z^<~]+)\n", sys.stdin.buffer.read())
if not recording:
    sys.exit("not a number and a line of keys")
n = int(recording[1])
sys.exit(42 if n <= 10**6 and n == len(recording[2]) else "wrong number of keys")
