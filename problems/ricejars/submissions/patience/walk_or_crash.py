# Walks along the jars and runs off their end if there are too few grains.
import sys


def main():
    words = sys.stdin.buffer.read().split()
    n, q = int(words[0]), int(words[1])
    jars = [0] * (n + 1)
    at = 2
    for _ in range(q):
        kind = words[at]
        if kind == b"?":
            k = int(words[at + 1])
            at += 2
            jar = 1
            while jars[jar] < k:
                k -= jars[jar]
                jar += 1
            print(jar)
        else:
            jar, grains = int(words[at + 1]), int(words[at + 2])
            at += 3
            jars[jar] += grains if kind == b"+" else -grains


main()
