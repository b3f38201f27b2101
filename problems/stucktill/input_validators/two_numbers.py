"""Accepts one line with two integers from 0 to 10^18, without leading zeros."""

import re
import sys

line = re.fullmatch(rb"(0|[1-9][0-9]*) (0|[1-9][0-9]*)\n", sys.stdin.buffer.read())
sys.exit(42 if line and all(int(number) <= 10**18 for number in line.groups()) else 43)
