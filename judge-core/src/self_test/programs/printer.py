# Prints for ever.
import sys

while True:
    sys.stdout.buffer.write(b"x" * 65536)
