# /tmp is a memory file system of the box, bounded in bytes and files, and counted as the program's memory.
import os

for line in open("/proc/self/mounts"):
    _, place, kind, options = line.split()[:4]
    if place == "/tmp":
        break
else:
    broken("/tmp is no mount of its own")
if kind != "tmpfs":
    broken("/tmp is", kind)
found = os.statvfs("/tmp")
total = found.f_blocks * found.f_frsize
if total > 512 << 20 or found.f_files > 100_000:
    broken("/tmp is not bounded:", total >> 20, "MiB,", found.f_files, "files")
print("tmpfs of", total >> 20, "MiB and", found.f_files, "files")
