"""Test data of "The Fair Hedge"; the large cases have 300,000 bushes."""

import random

RANDOM = random.Random("fairhedge")
MOST_BUSHES, MEDIUM, FEW_BLUE = 300_000, 4000, 10


def hedge(bushes):
    return f"{len(bushes)}\n{bushes}\n"


def case(bushes):
    return lambda: hedge(bushes)


def drawn(n, colours="RYB"):
    return lambda: hedge("".join(RANDOM.choices(colours, k=n)))


def shuffled_threes(n):
    """Every three bushes from the first on are of three colours: the counts never drift apart."""
    return lambda: hedge("".join("".join(RANDOM.sample("RYB", 3)) for _ in range((n + 2) // 3))[:n])


def few_blue(n, by_turns=False):
    """Red and yellow by turns or drawn, with ten blue bushes, most of them near each other."""

    def generate():
        bushes = ["RY"[i % 2] if by_turns else RANDOM.choice("RY") for i in range(n)]
        middle = RANDOM.randint(40, n - 40)
        near = RANDOM.sample(range(middle - 15, middle + 15), FEW_BLUE - 3)
        for place in [0, n - 20, n - 1, *near]:
            bushes[place] = "B"
        return hedge("".join(bushes))

    return generate


SMALL = {
    "sample/1": case("YRBBYR"),
    "sample/2": case("RRYY"),
    "sample/3": case("BBYRYR"),
    "secret/1-short/01-one-bush": case("B"),
    "secret/1-short/02-two-bushes": case("RY"),
    "secret/1-short/03-one-of-each": case("YBR"),
    "secret/1-short/04-one-colour": case("R" * 200),
    "secret/1-short/05-two-colours": case("RB" * 60),
    "secret/1-short/06-by-turns": case("RYB" * 66 + "RY"),
    "secret/1-short/07-blocks": case("R" * 60 + "Y" * 60 + "B" * 60),
    "secret/1-short/08-blocks-twice": case(("Y" * 20 + "B" * 20 + "R" * 20) * 2),
    "secret/1-short/09-one-is-missing": case("RYB" * 20 + "RY" * 10 + "B" * 9),
    "secret/1-short/10-random": drawn(200),
    "secret/1-short/11-random-threes": shuffled_threes(199),
    "secret/2-medium/01-by-turns": case("BYR" * (MEDIUM // 3)),
    "secret/2-medium/02-blocks": case("R" * 1300 + "Y" * 1300 + "B" * 1300),
    "secret/2-medium/03-random": drawn(MEDIUM),
    "secret/2-medium/04-random-threes": shuffled_threes(MEDIUM),
    "secret/2-medium/05-mostly-red": drawn(MEDIUM, "RRRYB"),
    "secret/3-few-blue/01-no-blue": drawn(250, "RY"),
    "secret/3-few-blue/02-all-in-one-stretch": case("RY" * 60 + "B" * FEW_BLUE + "YR" * 60),
    "secret/3-few-blue/03-drawn": few_blue(250),
}
LARGE = {
    "secret/3-few-blue/10-by-turns-big": few_blue(MOST_BUSHES, by_turns=True),
    "secret/3-few-blue/11-drawn-big": few_blue(MOST_BUSHES),
    "secret/4-long/01-by-turns-big": lambda: hedge("RYB" * (MOST_BUSHES // 3)),
    "secret/4-long/02-blocks-big": lambda: hedge("Y" * 100_000 + "R" * 100_000 + "B" * 100_000),
    "secret/4-long/03-random-big": drawn(MOST_BUSHES),
    "secret/4-long/04-random-threes-big": shuffled_threes(MOST_BUSHES),
    "secret/4-long/05-two-colours-big": drawn(MOST_BUSHES, "YB"),
    "secret/4-long/06-one-bush-less-big": drawn(MOST_BUSHES - 1, "RYB"),
}


def solve(text):
    """Each stretch lies between two places that are equally far apart in both differences of the counts so far."""
    red = yellow = blue = fair = 0
    seen = {(0, 0): 1}
    for bush in text.split()[1]:
        red, yellow, blue = red + (bush == "R"), yellow + (bush == "Y"), blue + (bush == "B")
        before = seen.get((red - yellow, red - blue), 0)
        fair += before
        seen[red - yellow, red - blue] = before + 1
    return f"{fair}\n"
