"""Checks what no compiler checks: file lengths, private headers, open ends, machine paths."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
MOST_LINES = 600
OPEN_ENDS = re.compile(r"\b(TODO|FIXME|XXX)\b")
MACHINE_PATHS = re.compile(r"/(home|root|work|var/tmp)/\w")
TEST = re.compile(r"(_test\.|_bench\.|/test_\w+\.h$|^tests/|^fuzz/)")
DETAIL = re.compile(r'#include "(stoker/[\w/]*?)detail/')


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    names = [name for name in listed.stdout.decode().split("\0") if name]
    return [name for name in names if (ROOT / name).is_file()]


def problems_of(name, text):
    lines = text.splitlines()
    test = bool(TEST.search(name))
    if name.startswith("src/") and not test and len(lines) > MOST_LINES:
        yield f"{name}: expected at most {MOST_LINES} lines, got {len(lines)}"
    if name.endswith(".h") and "#pragma once" not in text:
        yield f"{name}: expected #pragma once"
    for number, line in enumerate(lines, 1):
        if OPEN_ENDS.search(line):
            yield f"{name}:{number}: open end: {line.strip()}"
        if MACHINE_PATHS.search(line):
            yield f"{name}:{number}: path of one machine: {line.strip()}"
        private = DETAIL.search(line)
        if private and name.startswith("src/") and not test and not name.startswith("src/" + private.group(1)):
            yield f"{name}:{number}: {private.group(1)}detail/ belongs to another room"
        if private and name.startswith("src/") and name.endswith(".h") and not test and "/detail/" not in name:
            yield f"{name}:{number}: a public header shows a private one, which is not installed"


def main():
    found = []
    for name in tracked():
        if name.startswith(("tests/lint/", "src/stoker/report/assets/chart")):
            continue
        if not name.endswith((".cc", ".h", ".py", ".cmake", ".txt", ".md", ".toml", ".sh")):
            continue
        found += problems_of(name, (ROOT / name).read_text(encoding="utf-8"))
    print("\n".join(found) or "the structure is as it should be")
    return 1 if found else 0


sys.exit(main())
