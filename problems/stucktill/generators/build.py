"""Test data of "The Till That Forgot to Carry": two numbers a case, nothing large."""

import random

RANDOM = random.Random("stucktill")


def case(a, b):
    return lambda: f"{a} {b}\n"


def digits(length):
    """A random number of exactly `length` digits, large digits preferred so that carries are common."""
    return int(RANDOM.choice("13579") + "".join(RANDOM.choice("0135678999") for _ in range(length - 1)))


SMALL = {
    "sample/1": case(58, 67),
    "sample/2": case(1234, 4321),
    "sample/3": case(999, 1),
    "secret/01-both-zero": case(0, 0),
    "secret/02-one-zero": case(10**18, 0),
    "secret/03-largest": case(10**18, 10**18),
    "secret/04-all-nines": case(10**18 - 1, 10**18 - 1),
    "secret/05-long-and-short": case(10**18 - 1, 1),
    "secret/06-one-digit": case(9, 9),
    "secret/07-no-carry-at-all": case(123405, 543210),
    "secret/08-carry-in-the-middle": case(1050, 1050),
    "secret/09-top-digit-carries": case(5 * 10**17, 5 * 10**17),
    "secret/10-short-and-long": case(7, 987654321987654321),
    "secret/11-beyond-32-bits": case(4294967296, 9999),
    "secret/12-beyond-double": case(9007199254740993, 7),
    "secret/13-random-18-digits": case(digits(18), digits(18)),
    "secret/14-random-18-and-7-digits": case(digits(18), digits(7)),
    "secret/15-random-long-and-short": case(digits(17), digits(5)),
    "secret/16-random-9-digits": case(digits(9), digits(6)),
}
LARGE = {}


def solve(text):
    """A carry out of a digit is a ten that the register loses at that place."""
    a, b = map(int, text.split())
    lost, place = 0, 1
    while place <= max(a, b):
        if a // place % 10 + b // place % 10 > 9:
            lost += 10 * place
        place *= 10
    return f"{lost}\n"
