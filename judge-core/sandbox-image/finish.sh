#!/bin/sh
# Runs inside the new root file system, after the packages: the box's user, the mount point and the precompiled C++ header.
set -eu

# The one unprivileged user of every box. Its home is the box's tmpfs.
grep -q '^agon:' /etc/group || echo 'agon:x:1000:' >> /etc/group
grep -q '^agon:' /etc/passwd || echo 'agon:x:1000:1000::/tmp:/usr/sbin/nologin' >> /etc/passwd

# Where a box's workspace is mounted (read-only). The box's root is read-only, so it has to exist here.
mkdir -p /agon

# `#include <bits/stdc++.h>` costs seconds per submission; g++ takes a matching file from `stdc++.h.gch/` instead.
# A precompiled header matches only the same -std and -O: these are the ones of the language table.
work=$(mktemp -d)
echo '#include <bits/stdc++.h>' > "$work/probe.cpp"
header=$(g++ -M "$work/probe.cpp" | tr ' ' '\n' | grep '/bits/stdc++\.h$' | head -n 1)
rm -rf "$header.gch"
mkdir -p "$header.gch"
for standard in gnu++17 gnu++20; do
    g++ -x c++-header -O2 "-std=$standard" "$header" -o "$header.gch/$standard.gch"
    # `-H` marks a precompiled header that was really used with `!`: an image where it is not is refused.
    g++ -H -O2 "-std=$standard" -fsyntax-only "$work/probe.cpp" 2>&1 | grep -q '^! .*stdc++\.h\.gch' || {
        echo "the precompiled header for $standard is not picked up by g++" >&2
        exit 1
    }
done
rm -rf "$work"

# What a contest needs none of.
rm -rf /usr/lib/jvm/*/jmods
rm -rf /usr/share/man/* /usr/share/locale/* /usr/share/info/* /usr/share/lintian /var/cache/apt/* /var/lib/apt/lists/* /var/log/*
find /usr/share/doc -mindepth 1 -not -name copyright -not -type d -delete
find /usr/share/doc -mindepth 1 -type d -empty -delete
