# Tries to make a file in every folder of the first three levels, and to change files that decide about others.
import os

ALLOWED = ("/tmp", "/dev/shm")
SKIPPED = ("/proc",)
FILES = ["/etc/passwd", "/etc/ld.so.preload", "/usr/bin/python3", "/proc/sys/kernel/core_pattern", "/proc/1/oom_score_adj"]


def folders(top, depth):
    yield top
    if depth == 0:
        return
    try:
        below = [entry.path for entry in os.scandir(top) if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return
    for path in below:
        if not path.startswith(ALLOWED + SKIPPED):
            yield from folders(path, depth - 1)


tried = 0
for folder in folders("/", 3):
    path = os.path.join(folder, ".agon-self-test")
    tried += 1
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError:
        continue
    os.unlink(path)
    broken("a file was made in", folder)
for path in FILES:
    try:
        os.close(os.open(path, os.O_WRONLY))
    except OSError:
        continue
    broken(path, "could be opened for writing")
with open("/tmp/allowed", "w") as file:
    file.write("this one must work")
print("refused in", tried, "folders, allowed in /tmp")
