# Only the loopback interface, no route to anywhere, and no socket of the engine to be seen.
import os

interfaces = [line.split(":")[0].strip() for line in open("/proc/self/net/dev").readlines()[2:]]
if [name for name in interfaces if name != "lo"]:
    broken("interfaces:", *interfaces)
routes = open("/proc/self/net/route").readlines()[1:]
if routes:
    broken("a route:", routes[0].split()[0])
for path in ["/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock"]:
    if os.path.exists(path):
        broken("the engine's socket:", path)
print("only lo, no route")
