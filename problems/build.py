#!/usr/bin/env python3
"""Makes the test data that is too large to be committed, for every package beside this file.

    python3 problems/build.py [NAME …]            make what is missing or damaged
    python3 problems/build.py --small [NAME …]    write the committed cases again as well
    python3 problems/build.py --record [NAME …]   accept what the generators make now as the recorded data

A package's `generators/build.py` says what there is: `SMALL` and `LARGE` map a case (a path below `data/`, without
extension) to a function that returns its input as text, drawn from the module's `RANDOM`, and `solve` turns an input into its
answer. Every generator is deterministic, so `generators/large.sha256` can hold the digest of each large file; a file that has its digest is left alone.
"""

import hashlib
import importlib.util
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
CHUNK = 1 << 20


def packages():
    return sorted(path.parent.name for path in ROOT.glob("*/problem.yaml"))


def load(name):
    path = ROOT / name / "generators" / "build.py"
    spec = importlib.util.spec_from_file_location(f"generators_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def digest(path):
    sha = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            sha.update(chunk)
    return sha.hexdigest()


def recorded(name):
    """The digests in `large.sha256` (the format of sha256sum, paths below the package), none if it is not there yet."""
    path = ROOT / name / "generators" / "large.sha256"
    if not path.exists():
        return {}
    return {file: sha for sha, file in (line.split("  ", 1) for line in path.read_text().splitlines())}


def write(path, text):
    """Writes beside the target and renames, so that an interrupted build leaves no half file with the right name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.write_text(text, encoding="ascii", newline="\n")
    os.replace(part, path)


def make(name, module, case, generate):
    """Writes a case and returns the digests of its files; seeded by its name, so no case depends on what was made before."""
    module.RANDOM.seed(case)
    text, made = generate(), {}
    for extension, content in (("in", text), ("ans", module.solve(text))):
        file = f"data/{case}.{extension}"
        write(ROOT / name / file, content)
        made[file] = digest(ROOT / name / file)
    return made


def build(name, small, record):
    """Returns the complaints about this package; prints a line for every large case it made."""
    module, want, have, complaints = load(name), recorded(name), {}, []
    if small:
        for case, generate in module.SMALL.items():
            make(name, module, case, generate)
    for case, generate in module.LARGE.items():
        files = [f"data/{case}.{extension}" for extension in ("in", "ans")]
        paths = [ROOT / name / file for file in files]
        if not record and all(path.exists() and want.get(file) == digest(path) for path, file in zip(paths, files)):
            continue
        made = make(name, module, case, generate)
        have.update(made)
        size = sum(path.stat().st_size for path in paths)
        print(f"{name}: made {case} ({size / 1e6:.1f} MB)", flush=True)
        if not record:
            complaints += [f"{name}: {file} does not have its recorded digest" for file in files if made[file] != want.get(file)]
    if record and have:
        lines = "".join(f"{sha}  {file}\n" for file, sha in sorted(have.items()))
        write(ROOT / name / "generators" / "large.sha256", lines)
    return complaints


def main(arguments):
    flags = {argument for argument in arguments if argument.startswith("--")}
    if unknown := flags - {"--small", "--record"}:
        sys.exit(f"unknown option {' '.join(sorted(unknown))}")
    names = [argument for argument in arguments if argument not in flags] or packages()
    complaints = []
    for name in names:
        complaints += build(name, "--small" in flags, "--record" in flags)
    if complaints:
        sys.exit("\n".join(complaints))
    print(f"{len(names)} packages complete")


if __name__ == "__main__":
    main(sys.argv[1:])
