# Every way to speak to something outside is refused when the socket is made.
import socket

FAMILIES = [("AF_INET", 2), ("AF_INET6", 10), ("AF_NETLINK", 16), ("AF_PACKET", 17), ("AF_ALG", 38), ("AF_VSOCK", 40)]

refused = []
for name, family in FAMILIES:
    for kind in [socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET]:
        try:
            socket.socket(family, kind)
            broken("a socket of", name, "was made")
        except OSError:
            pass
    refused.append(name)
print("refused:", *refused)
