# list.pop raises if there is nothing to erase.
import sys


def main():
    keys = sys.stdin.read().split()[1]
    text, lock, flipped = [], False, False
    for key in keys:
        if key == "~":
            flipped = not flipped
        elif key == "^":
            lock = not lock
        elif key == "<":
            text.pop()
        else:
            text.append(key.upper() if lock != flipped else key)
    result = "".join(text)
    print(result.swapcase() if flipped else result)


main()
