# Stands before every probe: how a probe says that a wall is down.
import sys


def broken(*seen):
    print(*seen)
    sys.exit(1)


