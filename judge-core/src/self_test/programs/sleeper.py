# Waits for ever without computing.
import time

while True:
    time.sleep(60)
