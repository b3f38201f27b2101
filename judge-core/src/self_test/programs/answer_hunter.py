# Looks wherever this box is not simply the image for the marker that stands in an answer and in another test's input.
import os
import re
import stat

MARKER = re.compile(rb"agon-marker-[0-9a-f]{32}")
# The kernel's own file systems, and the image's, which is the same for everybody.
ELSEWHERE = {"proc", "sysfs", "cgroup", "cgroup2", "devpts", "mqueue", "overlay"}
PART = 1 << 20


def files():
    for line in open("/proc/self/mounts"):
        _, place, kind, _ = line.split()[:4]
        if kind not in ELSEWHERE and os.path.isfile(place):
            yield place
        elif kind not in ELSEWHERE:
            yield from (os.path.join(folder, name) for folder, _, names in os.walk(place) for name in names)
    for pid in filter(str.isdigit, os.listdir("/proc")):
        yield from (f"/proc/{pid}/{name}" for name in ["cmdline", "environ"])
        try:
            yield from (f"/proc/{pid}/fd/{number}" for number in os.listdir(f"/proc/{pid}/fd"))
        except OSError:
            pass


def hunt():
    looked = 0
    for path in files():
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            continue
        looked += 1
        kept = b""
        try:
            # Devices never end: one part of them tells enough.
            parts = 64 if stat.S_ISREG(os.fstat(descriptor).st_mode) else 1
            for _ in range(parts):
                part = os.read(descriptor, PART)
                found = MARKER.search(kept + part)
                if found:
                    return f"found {found.group().decode()} in {path}"
                if not part:
                    break
                kept = part[-64:]
        except OSError:
            pass
        finally:
            os.close(descriptor)
    return f"nothing in {looked} files"


if input() == "hunt":
    print(hunt())
