"""Times our tokenizers against Hugging Face's, in turns on one thread, and writes a report.

    python benchmarks/run_tokenizers.py --python PEERS_PYTHON --data FOLDER [--rounds 12]

FOLDER holds aclImdb.tar.xz and bert-base-uncased-vocab.txt. PEERS_PYTHON is a Python with
benchmarks/peers/requirements-tokenizers.txt. WordPiece uses BERT's vocabulary; byte pairs are the
8,000 that Hugging Face learns from the same reviews. All programs run all the while; each round
takes a pass of each, in an order that turns. Ratios are taken round by round.
"""
import argparse
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile

from run_step import cpu_name, quartiles

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
TRAIN = """
import sys, tokenizers
made = tokenizers.ByteLevelBPETokenizer()
made.train([sys.argv[1]], vocab_size=8000, min_frequency=2, show_progress=False)
made.save_model(sys.argv[2])
"""


class Side:
    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.about = json.loads(self.process.stdout.readline())
        self.seconds = []
        self.num_ids = 0

    def take(self, passes=1):
        self.process.stdin.write(f"{passes}\n")
        self.process.stdin.flush()
        seconds, num_ids = self.process.stdout.readline().split()
        self.num_ids = int(num_ids)
        return float(seconds) / passes

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def prepare(arguments, folder):
    """A review a line, and a folder for each tokenizer."""
    texts = []
    with tarfile.open(arguments.data / "aclImdb.tar.xz") as archive:
        for member in archive:
            if member.isfile() and member.name.count("/") == 3:
                texts.append(archive.extractfile(member).read().decode().replace("\n", " "))
            if len(texts) == arguments.reviews:
                break
    reviews = folder / "reviews.txt"
    reviews.write_text("\n".join(texts), encoding="utf-8", newline="\n")
    for kind in ("wordpiece", "bpe"):
        (folder / kind).mkdir()
    shutil.copy(arguments.data / "bert-base-uncased-vocab.txt", folder / "wordpiece/vocab.txt")
    subprocess.run([arguments.python, "-c", TRAIN, reviews, folder / "bpe"], check=True)
    return reviews


def measure(kind, arguments, folder, reviews):
    bench = arguments.build / "benchmarks/tokenizer_bench"
    peer = [arguments.python, HERE / "peers/hf_tokenizers.py", kind, folder / kind, reviews]
    sides = [Side("stoker", [bench, folder / kind, reviews]),
             Side("Hugging Face, encode_batch", [*peer, "full"]),
             Side("Hugging Face, encode_batch_fast", [*peer, "fast"])]
    for side in sides:
        side.take()
    for number in range(arguments.rounds):
        for index in range(len(sides)):
            side = sides[(index + number) % len(sides)]
            side.seconds.append(side.take())
    for side in sides:
        side.close()
    assert len({side.num_ids for side in sides}) == 1, {side.name: side.num_ids for side in sides}
    return sides


def table(kind, sides, num_bytes):
    lines = [f"## {kind}, {sides[0].num_ids:,} ids", "",
             "| side | MB a second, median | quartiles | its time over stoker's, median | quartiles |",
             "|---|---|---|---|---|"]
    result = {}
    for side in sides:
        rates = [num_bytes / 1e6 / seconds for seconds in side.seconds]
        ratios = [theirs / ours for theirs, ours in zip(side.seconds, sides[0].seconds)]
        low, middle, high = quartiles(rates)
        ratio_low, ratio, ratio_high = quartiles(ratios)
        lines.append(f"| {side.name} | {middle:.1f} | {low:.1f}–{high:.1f} | {ratio:.2f} | {ratio_low:.2f}–{ratio_high:.2f} |")
        result[side.name] = {"seconds": side.seconds, "ratio_median": ratio}
    return lines + [""], result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--reviews", type=int, default=2000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        reviews = prepare(arguments, folder)
        num_bytes = reviews.stat().st_size
        measured = {kind: measure(kind, arguments, folder, reviews) for kind in ("wordpiece", "bpe")}
    write(measured, arguments, num_bytes)


def write(measured, arguments, num_bytes):
    day = datetime.date.today().isoformat()
    version = measured["bpe"][1].about["tokenizers"]
    lines = [f"# Tokenizers, {day}", "",
             f"{arguments.reviews:,} IMDB reviews ({num_bytes / 1e6:.1f} MB) as a batch, one thread a side,",
             f"{arguments.rounds} rounds of one pass of each side in turns. The ids agree in number here and one by",
             "one in the tests.", "",
             f"- machine: {cpu_name()}, {len(os.sched_getaffinity(0))} threads, shared with other work: read ratios",
             f"- Hugging Face tokenizers {version}", ""]
    results = {"date": day, "cpu": cpu_name(), "rounds": arguments.rounds, "tokenizers": version}
    for kind, sides in measured.items():
        rows, results[kind] = table(kind, sides, num_bytes)
        lines += rows
    text = "\n".join(lines)
    report = HERE / "reports" / f"{day}-tokenizers"
    report.with_suffix(".md").write_text(text, encoding="utf-8")
    report.with_suffix(".json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
