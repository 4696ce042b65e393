"""What pages quote is what is there: files, links, names, help texts."""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
PROGRAM = sys.argv[2]
QUOTE = re.compile(r"<!-- (file|output): (.+?) -->\n```\w*\n(.*?)```", re.S)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def run(command):
    words = command.split()
    return subprocess.run([PROGRAM, *words[1:]], cwd=ROOT, capture_output=True, text=True).stdout


def problems_of(page):
    text = page.read_text(encoding="utf-8")
    for kind, source, quoted in QUOTE.findall(text):
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


pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
found = [problem for page in pages for problem in problems_of(page)]
found += [*names_in_list_page(), *commands_have_pages()]
print("\n".join(found) or f"{len(pages)} pages hold")
sys.exit(1 if found else 0)
