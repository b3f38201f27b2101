# An ordinary user without capabilities, without a way to gain any, under a seccomp filter.
import os

status = dict(line.rstrip("\n").split(":\t", 1) for line in open("/proc/self/status") if ":\t" in line)
if 0 in os.getresuid() + os.getresgid() or 0 in os.getgroups():
    broken("runs as root or in its group:", *os.getresuid(), *os.getresgid(), *os.getgroups())
for name in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]:
    if int(status[name], 16) != 0:
        broken(name, "is", status[name])
for name, wanted in [("NoNewPrivs", "1"), ("Seccomp", "2")]:
    if status.get(name, "absent").strip() != wanted:
        broken(name, "is", status.get(name, "absent"))
print("user", os.getuid(), "no capabilities, no new privileges, seccomp filter")
