# Answers with the last jar that ever held rice when there are too few grains, and crashes if there was none.
import sys


def main():
    words = sys.stdin.buffer.read().split()
    n, q = int(words[0]), int(words[1])
    tree, last = [0] * (n + 1), None
    top = 1 << (n.bit_length() - 1)
    answers = []
    at = 2
    for _ in range(q):
        kind = words[at]
        if kind == b"?":
            k = int(words[at + 1])
            at += 2
            before, step = 0, top
            while step:
                after = before + step
                if after <= n and tree[after] < k:
                    before = after
                    k -= tree[after]
                step >>= 1
            answers.append(min(before + 1, last))
        else:
            jar, grains = int(words[at + 1]), int(words[at + 2])
            at += 3
            last = jar if last is None else max(last, jar)
            if kind == b"-":
                grains = -grains
            while jar <= n:
                tree[jar] += grains
                jar += jar & -jar
    print(*answers, sep="\n")


main()
