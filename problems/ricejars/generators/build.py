"""Test data of "The Ant and the Rice Jars"; the large cases have 200,000 jars and 200,000 events."""

import random

RANDOM = random.Random("ricejars")
MOST, MOST_GRAINS = 200_000, 10**9


def day(n, events):
    return f"{n} {len(events)}\n" + "".join(f"{event}\n" for event in events)


def case(n, *events):
    return lambda: day(n, events)


def mixed(n, q, most, pour=4, take=2, ask=4):
    """A random day; the last three numbers are the weights of the three kinds of events."""
    jars, filled, total, events = [0] * (n + 1), [], 0, []
    for kind in RANDOM.choices("+-?", weights=[pour, take, ask], k=q - 1):
        if kind == "+" or (kind == "-" and not filled):
            jar, grains = RANDOM.randint(1, n), RANDOM.randint(1, most)
            if jars[jar] == 0:
                filled.append(jar)
            jars[jar] += grains
            total += grains
            events.append(f"+ {jar} {grains}")
        elif kind == "-":
            at = RANDOM.randrange(len(filled))
            jar = filled[at]
            grains = min(MOST_GRAINS, jars[jar] if RANDOM.random() < 0.4 else RANDOM.randint(1, jars[jar]))
            jars[jar] -= grains
            total -= grains
            if jars[jar] == 0:
                filled[at] = filled[-1]
                filled.pop()
            events.append(f"- {jar} {grains}")
        else:
            events.append(f"? {RANDOM.randint(1, total + total // 50 + 1)}")
    return day(n, events + [f"? {max(1, total)}"])


def all_filled_then_asked(n, q, grains):
    """Every jar gets rice, the last ones first; then the ant asks for grains near the far end."""
    events = [f"+ {jar} {grains}" for jar in range(n, 0, -1)]
    events += [f"? {n * grains - RANDOM.randint(0, grains * 10)}" for _ in range(q - n)]
    return day(n, events)


def last_jar_only(n, q):
    events = [f"+ {n} {MOST_GRAINS}"]
    for turn in range((q - 1) // 2):
        events += [f"+ {n} {MOST_GRAINS}", f"? {(turn + 2) * MOST_GRAINS + (turn % 3 == 2)}"]
    return day(n, events)


SMALL = {
    "sample/1": case(5, "+ 2 5", "+ 4 3", "? 6", "? 9", "- 2 2", "? 4", "? 7"),
    "sample/2": case(3, "? 1", "+ 3 1000000000", "? 1", "? 1000000000", "- 3 1000000000", "? 1"),
    "secret/01-one-jar": case(1, "? 1", "+ 1 1", "? 1", "? 2"),
    "secret/02-only-a-question": case(7, "? 1000000000000000"),
    "secret/03-boundaries": case(4, "+ 1 3", "+ 2 3", "+ 4 3", "? 1", "? 3", "? 4", "? 6", "? 7", "? 9", "? 10"),
    "secret/04-emptied-in-the-middle": case(5, "+ 1 1", "+ 3 7", "+ 5 1", "? 2", "- 3 7", "? 2", "? 3"),
    "secret/05-sum-beyond-32-bits": case(8, *[f"+ {jar} 1000000000" for jar in range(1, 9)], "? 4294967297", "? 4000000000", "? 4000000001", "? 8000000000", "? 8000000001"),
    "secret/06-one-jar-beyond-32-bits": case(3, *["+ 2 1000000000"] * 5, "+ 3 1", "? 5000000000", "? 5000000001", "- 2 999999999", "? 4000000001", "? 4000000002"),
    "secret/07-all-to-the-last-jar": case(100, "+ 100 5", "? 1", "? 5", "? 6"),
    "secret/08-power-of-two-jars": case(64, *[f"+ {jar} 1" for jar in range(1, 65)], *[f"? {k}" for k in range(1, 66)]),
    "secret/09-one-more-than-a-power-of-two": case(65, *[f"+ {jar} 1" for jar in range(1, 66)], *[f"? {k}" for k in (1, 2, 31, 32, 33, 63, 64, 65, 66)]),
    "secret/10-refilled": case(2, "+ 1 5", "- 1 5", "+ 2 2", "? 1", "+ 1 1", "? 1", "? 2"),
    "secret/11-random-small": lambda: mixed(10, 300, 5),
    "secret/12-random-more-jars": lambda: mixed(200, 300, MOST_GRAINS),
    "secret/13-random-mostly-taking": lambda: mixed(15, 300, 3, pour=4, take=5),
    "secret/14-random-large-values": lambda: mixed(3, 300, MOST_GRAINS, pour=6, take=1),
}
LARGE = {
    "secret/20-random-big": lambda: mixed(MOST, MOST, MOST_GRAINS),
    "secret/21-far-end-big": lambda: all_filled_then_asked(MOST // 2, MOST, MOST_GRAINS),
    "secret/22-last-jar-big": lambda: last_jar_only(MOST, MOST),
    "secret/23-few-jars-big": lambda: mixed(7, MOST, MOST_GRAINS),
}


def solve(text):
    """Counts in blocks of jars: the blocks first, then the jars of one block."""
    lines = text.splitlines()
    n, size = int(lines[0].split()[0]), 450
    jars, blocks, total, answers = [0] * (n + 1), [0] * (n // size + 1), 0, []
    for line in lines[1:]:
        kind, *numbers = line.split()
        if kind != "?":
            jar, grains = int(numbers[0]), int(numbers[1]) if kind == "+" else -int(numbers[1])
            jars[jar] += grains
            blocks[jar // size] += grains
            total += grains
            continue
        k, block = int(numbers[0]), 0
        if k > total:
            answers.append("none")
            continue
        while k > blocks[block]:
            k -= blocks[block]
            block += 1
        jar = block * size
        while k > jars[jar]:
            k -= jars[jar]
            jar += 1
        answers.append(str(jar))
    return "\n".join(answers) + "\n"
