"""Runs clang-format or clang-tidy over the tracked C++ files.

clang-tidy looks at the product's sources that do not see LibTorch (its headers take minutes to
analyse), and remembers by content what it has found clean.
"""
import concurrent.futures
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys

MODE, ROOT, BUILD, PYTHON = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
# The formatter is pinned, since versions differ in what they want; clang-tidy is the
# distribution's, with the headers that belong to it.
TOOL = PYTHON.parent / "clang-format" if MODE == "format" else pathlib.Path(shutil.which("clang-tidy") or "clang-tidy")


def tracked(*patterns):
    listed = subprocess.run(["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, check=True)
    return sorted(name for name in listed.stdout.decode().split("\0") if (ROOT / name).is_file() and name)


def check_format():
    files = tracked("*.cc", "*.h")
    done = subprocess.run([TOOL, "--dry-run", "-Werror", *files], cwd=ROOT, capture_output=True, text=True)
    wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if "error:" in line})
    print("\n".join(f"{name}: not formatted (hint: clang-format -i {name})" for name in wrong) or "all formatted")
    return 1 if done.returncode else 0


def sources_without_torch():
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    chosen = {}
    for command in commands:
        name = pathlib.Path(command["file"])
        if name.stem.endswith(("_test", "_bench")):
            continue
        if ROOT / "src" in name.parents and "/torch/include" not in command["command"]:
            chosen[str(name)] = command["command"]
    return chosen


def tidy(name, key, cache):
    if (cache / key).exists():
        return ""
    done = subprocess.run([TOOL, "-p", BUILD, "--quiet", "--extra-arg=-Wno-unknown-warning-option", name],
                          capture_output=True, text=True)
    if done.returncode == 0:
        (cache / key).touch()
        return ""
    return done.stdout + done.stderr


def check_tidy():
    cache = BUILD / "tidy"
    cache.mkdir(exist_ok=True)
    headers = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    for name in tracked("src/*.h"):
        headers.update((ROOT / name).read_bytes())
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, command in sources_without_torch().items():
            digest = headers.copy()
            digest.update(pathlib.Path(name).read_bytes() + command.encode())
            jobs.append(pool.submit(tidy, name, digest.hexdigest(), cache))
    found = [job.result() for job in jobs if job.result()]
    print("\n".join(found) or f"{len(jobs)} files are clean")
    return 1 if found else 0


if not TOOL.exists():
    print(f"skipped: {TOOL} is not there (hint: ./test installs tests/requirements.txt)")
    sys.exit(77)
sys.exit(check_format() if MODE == "format" else check_tidy())
