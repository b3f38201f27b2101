# The root and whatever else is mounted cannot be written, by the mount itself and not by permissions alone.

MEMORY = {"/tmp", "/dev/shm"}
# Views of the kernel and the bare terminal devices: not storage, and guarded by their own rules. (With cgroup version 1
# the engine mounts the tmpfs that holds the hierarchies writable for root; `writes_only_in_tmp` tries that, too.)
KERNEL = {"proc", "devpts", "mqueue", "cgroup", "cgroup2", "sysfs"}

mounts = {}
for line in open("/proc/self/mounts"):
    _, place, kind, options = line.split()[:4]
    mounts[place] = (kind, options.split(","))
if "ro" not in mounts["/"][1]:
    broken("/ is mounted writable")
for place, (kind, options) in mounts.items():
    if kind in KERNEL or place in MEMORY or place == "/dev" or place.startswith(("/proc/", "/sys/")):
        continue
    if "ro" not in options:
        broken(place, "is mounted writable")
print(len(mounts), "mounts, / read-only")
