import sys

from __init__ import Invalid, check

try:
    check(sys.stdin.buffer.read())
except Invalid as reason:
    sys.exit(str(reason))
sys.exit(42)
