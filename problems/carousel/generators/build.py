"""Test data of "Glass Slides of the Carousel": short tricky rings and rings of up to a million figures."""

import random

RANDOM = random.Random("carousel")


def ring(text):
    return lambda: text + "\n"


def letters(length, alphabet):
    return "".join(RANDOM.choices(alphabet, k=length))


def fibonacci(length):
    a, b = "b", "a"
    while len(b) < length:
        a, b = b, b + a
    return b[:length]


SMALL = {
    "sample/1": ring("abca"),
    "sample/2": ring("abab"),
    "sample/3": ring("levelup"),
    "sample/4": ring("zzzzz"),
    "secret/1-edge/01-one-figure": ring("q"),
    "secret/1-edge/02-two-alike": ring("kk"),
    "secret/1-edge/03-two-kinds": ring("az"),
    "secret/1-edge/04-odd-mirror": ring("abcdcba"),
    "secret/1-edge/05-even-mirror-two-axes": ring("aabb"),
    "secret/1-edge/06-even-mirror-through-figures": ring("abcb"),
    "secret/1-edge/07-one-odd-one-out": ring("a" * 99 + "b"),
    "secret/1-edge/08-repeated-chiral": ring("abc" * 50),
    "secret/1-edge/09-repeated-mirror": ring("abacaba" * 30),
    "secret/1-edge/10-period-does-not-divide": ring("ab" * 40 + "a"),
    "secret/1-edge/11-all-letters": ring("abcdefghijklmnopqrstuvwxyz"),
    "secret/2-random/01-binary": lambda: letters(200, "ab") + "\n",
    "secret/2-random/02-binary-repeated": lambda: letters(12, "xy") * 16 + "\n",
    "secret/2-random/03-palindrome": lambda: (lambda half: half + half[::-1])(letters(97, "abc")) + "\n",
    "secret/2-random/04-fibonacci": ring(fibonacci(233)),
}
LARGE = {
    "secret/3-big/01-all-alike": ring("m" * 10**6),
    "secret/3-big/02-last-differs": ring("a" * (10**6 - 1) + "b"),
    "secret/3-big/03-random-repeated": lambda: letters(500, "abcdefghijklmnopqrstuvwxyz") * 2000 + "\n",
    "secret/3-big/04-mirror": lambda: (lambda half: half + "x" + half[::-1])(letters(499999, "ab")) + "\n",
    "secret/3-big/05-fibonacci": ring(fibonacci(832040)),
}


def solve(text):
    """With the primitive root of length p: the slides are p rotations, paired up by the mirror unless it fixes them."""
    s = text.strip()
    root = s[: (s + s).find(s, 1)]
    p = len(root)
    shift = (root + root).find(root[::-1])
    if shift < 0:
        return f"{p}\n"
    own_mirror_image = 1 if p % 2 else (0 if shift % 2 else 2)
    return f"{(p + own_mirror_image) // 2}\n"
