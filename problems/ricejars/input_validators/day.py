"""Accepts a day of events and follows the jars, so that none is ever asked for more than it holds."""

import re
import sys

EVENT = re.compile(rb"(?:([+-]) ([1-9][0-9]{0,5}) ([1-9][0-9]{0,9})|\? ([1-9][0-9]{0,15}))")

lines = sys.stdin.buffer.read().split(b"\n")
head = re.fullmatch(rb"([1-9][0-9]{0,5}) ([1-9][0-9]{0,5})", lines[0])
if not head or lines.pop() != b"":
    sys.exit("bad first line, or the last line is not ended")
n, q = map(int, head.groups())
if n > 200_000 or q > 200_000 or len(lines) != q + 1:
    sys.exit("n or q is out of range, or the number of events is wrong")
jars, questions = [0] * (n + 1), 0
for line in lines[1:]:
    event = EVENT.fullmatch(line)
    if not event:
        sys.exit(f"not an event: {line[:60]!r}")
    kind, jar, grains, k = event.groups()
    if k:
        questions += 1
        if int(k) > 10**15:
            sys.exit("k is out of range")
        continue
    jar, grains = int(jar), int(grains)
    if jar > n or grains > 10**9:
        sys.exit(f"out of range: {line!r}")
    jars[jar] += grains if kind == b"+" else -grains
    if jars[jar] < 0:
        sys.exit(f"jar {jar} does not hold that much")
sys.exit(42 if questions else "no question")
