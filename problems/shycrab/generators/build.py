"""Test data of "The Shy Crab": the number of burrows and the crab's place, 0 if it makes up its mind as late as it can."""

import random

RANDOM = random.Random("shycrab")
MOST_BURROWS = 10**9


def case(burrows, place):
    return lambda: f"{burrows} {place}\n"


def drawn(most):
    def generate():
        burrows = RANDOM.randint(most // 2, most)
        return f"{burrows} {RANDOM.randint(1, burrows)}\n"

    return generate


SMALL = {
    "sample/1": case(9, 8),
    "secret/01-one-burrow": case(1, 1),
    "secret/02-two-burrows": case(2, 0),
    "secret/03-three-burrows": case(3, 0),
    "secret/04-by-the-pier": case(6, 1),
    "secret/05-by-the-rocks": case(6, 6),
    "secret/06-late-small": case(12, 0),
    "secret/07-random-small": drawn(40),
    "secret/08-random": drawn(50_000),
    "secret/09-power-of-two": case(2**29, 0),
    "secret/10-one-less": case(2**29 - 1, 0),
    "secret/11-far-by-the-pier": case(MOST_BURROWS, 1),
    "secret/12-far-by-the-rocks": case(MOST_BURROWS, MOST_BURROWS),
    "secret/13-in-the-middle": case(MOST_BURROWS, MOST_BURROWS // 2),
    "secret/14-random-big": drawn(MOST_BURROWS),
    "secret/15-late-big": case(MOST_BURROWS, 0),
    # It slips out of a search that takes it to sit still.
    "secret/16-slips-away-small": case(30, 13),
    "secret/17-slips-away": case(1000, 78),
    "secret/18-slips-away-big": case(MOST_BURROWS, 423_938_500),
}
LARGE = {}


def solve(text):
    """Nothing is compared with it: the number of knocks that are always enough."""
    return f"{int(text.split()[0]).bit_length()}\n"
