"""Times our training step against PyTorch's, in turns, and writes a report.

    python benchmarks/run_step.py --python PEERS_PYTHON [--rounds 12] [--steps 2]

The four programs run all the while; each round takes a few steps of each, in an order that
turns, so that a drift of the machine's speed meets all of them. Ratios are taken round by round.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


def cpu_name():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


class Side:
    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.about = json.loads(self.process.stdout.readline())
        self.seconds = []

    def take(self, steps):
        self.process.stdin.write(f"{steps}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline()) / steps

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def check_that_they_do_the_same(sides):
    abouts = [side.about for side in sides]
    for key in ("parameters", "threads"):
        assert len({about[key] for about in abouts}) == 1, (key, abouts)
    losses = [about["loss"] for about in abouts]
    assert max(losses) - min(losses) < 1e-4 * max(losses), losses


def quartiles(values):
    low, middle, high = statistics.quantiles(values, n=4)
    return low, middle, high


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True, help="Python with benchmarks/peers/requirements.txt")
    parser.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--steps", type=int, default=2)
    arguments = parser.parse_args()
    threads = len(os.sched_getaffinity(0))
    bench = arguments.build / "benchmarks/step_bench"
    peer = [arguments.python, HERE / "peers/torch_step.py"]
    sides = [
        Side("stoker", [bench, HERE / "step.toml"]),
        Side("stoker, direct convolutions", [bench, HERE / "step_direct.toml"]),
        Side("PyTorch eager, contiguous", [*peer, "contiguous", str(threads)]),
        Side("PyTorch eager, channels_last", [*peer, "channels_last", str(threads)]),
    ]
    check_that_they_do_the_same(sides)
    for side in sides:
        side.take(1)
    for number in range(arguments.rounds):
        for index in range(len(sides)):
            side = sides[(index + number) % len(sides)]
            side.seconds.append(side.take(arguments.steps))
    for side in sides:
        side.close()
    write(sides, arguments, threads)


def write(sides, arguments, threads):
    day = datetime.date.today().isoformat()
    ours = sides[0]
    lines = [
        f"# Training step, {day}", "",
        "ResNet-18 with the CIFAR stem (11,173,962 parameters), batch 128, fp32, SGD with momentum, real images.",
        f"{arguments.rounds} rounds of {arguments.steps} steps of each side in turns, one process each; stoker also",
        "loads and augments its batches in that time, PyTorch repeats one batch. Threads and the loss of one formula",
        f"agree: {', '.join(format(side.about['loss'], '.6f') for side in sides)}.", "",
        f"- machine: {cpu_name()}, {threads} threads, shared with other work: read ratios, not seconds",
        f"- LibTorch and PyTorch {sides[-1].about['torch']}", "",
        "| side | seconds a step, median | quartiles | its time over stoker's, median | quartiles |",
        "|---|---|---|---|---|",
    ]
    result = {"date": day, "cpu": cpu_name(), "threads": threads, "rounds": arguments.rounds, "steps": arguments.steps,
              "torch": sides[-1].about["torch"], "sides": {}}
    for side in sides:
        ratios = [theirs / mine for theirs, mine in zip(side.seconds, ours.seconds)]
        low, middle, high = quartiles(side.seconds)
        ratio_low, ratio, ratio_high = quartiles(ratios)
        lines.append(f"| {side.name} | {middle:.3f} | {low:.3f}–{high:.3f} | {ratio:.2f} | {ratio_low:.2f}–{ratio_high:.2f} |")
        result["sides"][side.name] = {"seconds": side.seconds, "ratio_median": ratio}
    text = "\n".join(lines) + "\n"
    report = HERE / "reports" / f"{day}-training-step"
    report.with_suffix(".md").write_text(text, encoding="utf-8")
    report.with_suffix(".json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
