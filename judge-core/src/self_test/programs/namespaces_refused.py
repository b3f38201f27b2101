# No new namespace of any kind, by any of the three calls that make one.
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
KINDS = {"user": 0x10000000, "mount": 0x00020000, "pid": 0x20000000, "network": 0x40000000, "ipc": 0x08000000}
CLONE_NUMBER = {"x86_64": 56, "aarch64": 220}.get(os.uname().machine)
CLONE3_NUMBER = 435
SIGCHLD = 17


class CloneArguments(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ["flags", "pidfd", "child", "parent", "signal", "stack", "size", "tls"]]


def held(what, answer):
    if answer == 0:
        os._exit(0)  # the child that should not be
    if answer != -1:
        broken("a new", what, "was allowed")


for name, flag in KINDS.items():
    # In a child: a success must not change what the other trials see.
    child = os.fork()
    if child == 0:
        os._exit(1 if libc.unshare(flag) == 0 else 0)
    if os.waitpid(child, 0)[1] != 0:
        broken("unshare of the", name, "namespace was allowed")
    if CLONE_NUMBER is not None:
        held(name + " namespace by clone", libc.syscall(CLONE_NUMBER, flag | SIGCHLD, 0, 0, 0, 0))
    arguments = CloneArguments(flags=flag, signal=SIGCHLD)
    size = ctypes.sizeof(arguments)
    held(name + " namespace by clone3", libc.syscall(CLONE3_NUMBER, ctypes.byref(arguments), size))
print("refused:", *KINDS)
