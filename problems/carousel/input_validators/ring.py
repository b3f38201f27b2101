"""Accepts one line of 1 to 10^6 lowercase letters."""

import re
import sys

sys.exit(42 if re.fullmatch(rb"[a-z]{1,1000000}\n", sys.stdin.buffer.read()) else 43)
