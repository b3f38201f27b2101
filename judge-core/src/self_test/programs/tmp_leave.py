# Leaves behind what a clean-up forgets: a hidden file, a folder too deep to recurse into, shared memory, a daemon.
import os
import time

with open("/tmp/.left", "w") as file:
    file.write("left")
os.chdir("/tmp")
for _ in range(200):
    os.mkdir("deep", 0o000 | 0o700)
    os.chdir("deep")
with open("/dev/shm/left", "w") as file:
    file.write("left")
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(3):
            os.close(number)
        time.sleep(600)
    os._exit(0)
print("left a hidden file, 200 folders, shared memory and a daemon")
