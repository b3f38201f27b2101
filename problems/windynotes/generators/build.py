"""Test data of "Notes in the Wind". The answer file is for the validator only: which note the wind takes, and how the others are hung up."""

import random

RANDOM = random.Random("windynotes")
MOST_GAUGES, HIGHEST = 500, 999
# How the notes are hung up: as they were, the other way round; any other number mixes them.
SAME, BACKWARDS = 0, 1
# What the wind does, by the text of the case.
WINDS = {}


def case(readings, taken, order):
    """`readings` are a list or how many to draw; `taken` is the place of the note in what the program writes, -1 is the last one."""

    def generate():
        drawn = readings if isinstance(readings, list) else [RANDOM.randint(0, HIGHEST) for _ in range(readings)]
        text = f"write\n{len(drawn)}\n{' '.join(map(str, drawn))}\n"
        WINDS[text] = (taken % (len(drawn) + 1), order)
        return text

    return generate


SMALL = {
    "sample/1": case([7, 0, 421], 1, BACKWARDS),
    "secret/01-one-gauge": case([5], 0, SAME),
    "secret/02-one-gauge-last-taken": case([HIGHEST], -1, SAME),
    "secret/03-one-gauge-at-zero": case([0], 0, SAME),
    "secret/04-calm": case([1, 2, 3, 4], -1, SAME),
    "secret/05-first-taken": case([300, 20, 1], 0, SAME),
    "secret/06-last-taken": case([300, 20, 1], -1, 17),
    "secret/07-backwards": case([9, 8, 7, 6, 5, 4], 3, BACKWARDS),
    "secret/08-all-at-zero": case([0] * 50, 20, 3),
    "secret/09-all-highest": case([HIGHEST] * MOST_GAUGES, 250, 4),
    "secret/10-all-equal": case([500] * 80, 79, 5),
    "secret/11-sum-of-a-thousand": case([400, 350, 250], 2, 6),
    "secret/12-random-small": case(12, 4, 7),
    "secret/13-random": case(100, 50, 8),
    "secret/14-ninety-nine": case(99, 98, 9),
    "secret/15-random-first-taken": case(MOST_GAUGES, 0, 10),
    "secret/16-random-last-taken": case(MOST_GAUGES, -1, 11),
    "secret/17-random-last-reading": case(MOST_GAUGES, -2, 12),
    "secret/18-random-backwards": case(MOST_GAUGES, 333, BACKWARDS),
}
LARGE = {}


def solve(text):
    taken, order = WINDS[text]
    return f"{taken} {order}\n"
