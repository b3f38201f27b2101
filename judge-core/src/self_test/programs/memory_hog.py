# Takes memory and touches it until somebody says stop.
hoard = []
while True:
    hoard.append(b"x" * (1 << 20))
