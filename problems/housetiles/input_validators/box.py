"""Accepts a line with a number from 1 to 10^18 and a line with 1 to 20 digits."""

import re
import sys

match = re.fullmatch(rb"([1-9][0-9]{0,18})\n[0-9]{1,20}\n", sys.stdin.buffer.read())
if not match or int(match.group(1)) > 10**18:
    sys.exit("not a largest number and a box of tiles")
sys.exit(42)
