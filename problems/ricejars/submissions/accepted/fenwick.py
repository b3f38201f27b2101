import sys


def main():
    words = sys.stdin.buffer.read().split()
    n, q = int(words[0]), int(words[1])
    tree = [0] * (n + 1)
    top = 1 << (n.bit_length() - 1)
    answers = []
    total, at = 0, 2
    for _ in range(q):
        kind = words[at]
        if kind == b"?":
            k = int(words[at + 1])
            at += 2
            if k > total:
                answers.append("none")
                continue
            before, step = 0, top
            while step:
                after = before + step
                if after <= n and tree[after] < k:
                    before = after
                    k -= tree[after]
                step >>= 1
            answers.append(before + 1)
        else:
            jar, grains = int(words[at + 1]), int(words[at + 2])
            at += 3
            if kind == b"-":
                grains = -grains
            total += grains
            while jar <= n:
                tree[jar] += grains
                jar += jar & -jar
    print(*answers, sep="\n")


main()
