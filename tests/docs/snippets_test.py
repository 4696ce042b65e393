"""What pages quote is what is there: files, links, names, help texts."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
PROGRAM = sys.argv[2]
QUOTE = re.compile(r"<!-- (file|output|output like): (.+?) -->\n```\w*\n(.*?)```", re.S)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def run(command, folder=ROOT):
    words = command.split()
    return subprocess.run([PROGRAM, *words[1:]], cwd=folder, capture_output=True, text=True).stdout


def pattern_of(quoted):
    """Matches an output that differs in figures only; `...` stands for anything."""
    lines = []
    for line in quoted.strip().splitlines():
        if line == "...":
            lines.append("(?:.*\n)*?")
            continue
        line = re.sub(r"\\\.\\\.\\\.", ".*", re.escape(line))
        line = re.sub(r"\d(?:[\d,]|\\\.(?=\d))*", r"[\\d,.e-]+", line)
        line = line.replace(r"\ \(best\)", r"(?:\ \(best\))?")
        lines.append(re.sub(r"(?:\\ )+", r"\\ +", line) + r" *\n")
    return re.compile("".join(lines))


def likeness_problem(command, quoted, folder):
    printed = run(command, folder).replace(f"{folder}/", "").strip() + "\n"
    printed = re.sub(r"^epoch.*left.*\n", "", printed, flags=re.M)  # of a slow machine
    printed = re.sub(r"\b\d+:\d\d\b", "60 s", printed)
    if pattern_of(quoted).fullmatch(printed):
        return None
    return f"{command} prints another output than the quoted one:\n{printed}"


def problems_of(page, folder):
    text = page.read_text(encoding="utf-8")
    for kind, source, quoted in QUOTE.findall(text):
        if kind == "output like":
            problem = likeness_problem(source, quoted, folder)
            if problem:
                yield f"{page.name}: {problem}"
            continue
        there = (ROOT / source).read_text(encoding="utf-8") if kind == "file" else run(source)
        if there.strip() != quoted.strip():
            yield f"{page.name}: the quote of {source} is not what is there"
    for target in LINK.findall(text):
        if not (page.parent / target).exists() and "*" not in target:
            yield f"{page.name}: {target} does not exist"


def names_in_list_page():
    listed = json.loads(run("stoker list --json"))
    page = (ROOT / "docs/list.md").read_text(encoding="utf-8")
    for kind, names in listed.items():
        for name in names:
            if f"`{name}`" not in page:
                yield f"list.md: {kind}: {name} is missing"


def commands_have_pages():
    for name in re.findall(r"^  (\w+) ", run("stoker --help").split("Subcommands:")[-1], re.M):
        if not (ROOT / f"docs/{name}.md").exists():
            yield f"docs/{name}.md: every command has a page"


def work_folder(temporary):
    """The project as a newcomer sees it, with runs of its own."""
    folder = pathlib.Path(temporary)
    for name in ("recipes", "examples"):
        (folder / name).symlink_to(ROOT / name)
    return folder


# The first two make the run that the others look at.
FIRST = ["README.md", "train.md"]
pages = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")],
               key=lambda page: (page.name not in FIRST, page.name))
with tempfile.TemporaryDirectory() as temporary:
    folder = work_folder(temporary)
    found = [problem for page in pages for problem in problems_of(page, folder)]
found += [*names_in_list_page(), *commands_have_pages()]
print("\n".join(found) or f"{len(pages)} pages hold")
sys.exit(1 if found else 0)
