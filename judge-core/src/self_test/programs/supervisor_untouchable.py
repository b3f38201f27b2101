# Process 1 cannot be traced, read, limited, slowed or ended from inside.
import ctypes
import os
import signal

libc = ctypes.CDLL(None, use_errno=True)
PTRACE_ATTACH, PTRACE_SEIZE, RLIMIT_NOFILE = 16, 0x4206, 7


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class Limit(ctypes.Structure):
    _fields_ = [("soft", ctypes.c_uint64), ("hard", ctypes.c_uint64)]


def held(what, answer):
    if answer != -1:
        broken(what, "of process 1 was allowed")


buffer = ctypes.create_string_buffer(8)
here = Vector(ctypes.addressof(buffer), 8)
there = Vector(0x400000, 8)
zero = Limit(0, 0)
held("PTRACE_ATTACH", libc.ptrace(PTRACE_ATTACH, 1, None, None))
held("PTRACE_SEIZE", libc.ptrace(PTRACE_SEIZE, 1, None, None))
held("process_vm_readv", libc.process_vm_readv(1, ctypes.byref(here), 1, ctypes.byref(there), 1, 0))
held("process_vm_writev", libc.process_vm_writev(1, ctypes.byref(here), 1, ctypes.byref(there), 1, 0))
held("prlimit", libc.prlimit(1, RLIMIT_NOFILE, ctypes.byref(zero), None))
held("setpriority", libc.setpriority(0, 1, 19))
for name in ["mem", "maps", "environ", "fd/0", "root", "cwd"]:
    try:
        os.close(os.open("/proc/1/" + name, os.O_RDONLY))
    except OSError:
        continue
    broken("/proc/1/" + name, "could be opened")
# Allowed by the kernel and without effect: process 1 has no handler for them. The report of this run proves it.
for number in [signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP]:
    try:
        os.kill(1, number)
    except OSError:
        pass
print("not traced, read, limited, slowed or ended")
