# Flips the whole text each time.
import sys


def main():
    keys = sys.stdin.read().split()[1]
    text, lock = "", False
    for key in keys:
        if key == "~":
            text = text.swapcase()
        elif key == "^":
            lock = not lock
        elif key == "<":
            text = text[:-1]
        else:
            text += key.upper() if lock else key
    print(text)


main()
