"""The real TensorBoard reads the event files of a training that was cut off and resumed."""

import math
import pathlib
import sys

try:
    from tensorboard.backend.event_processing import event_accumulator
except ImportError:
    print("skipped: the Python package tensorboard is not installed")
    sys.exit(77)

STEPS, STEPS_PER_EPOCH, EPOCHS = 600, 120, 5


def close(got, expected, what):
    if not math.isclose(got, expected, rel_tol=1e-6):
        sys.exit(f"{what}: expected {expected}, got {got}")


def check_series(accumulator, tag, expected):
    """`expected` maps steps to values; each step must be there once."""
    events = accumulator.Scalars(tag)
    if [e.step for e in events] != sorted(expected):
        sys.exit(f"{tag}: expected steps {sorted(expected)}, got {[e.step for e in events]}")
    for event in events:
        if math.isnan(expected[event.step]):
            if not math.isnan(event.value):
                sys.exit(f"{tag} at step {event.step}: expected NaN, got {event.value}")
        else:
            close(event.value, expected[event.step], f"{tag} at step {event.step}")


def main():
    folder = pathlib.Path(sys.argv[1]) / "tensorboard"
    if len(list(folder.glob("events.out.tfevents.*"))) != 2:
        sys.exit("expected an event file for each of the two starts")
    accumulator = event_accumulator.EventAccumulator(
        str(folder), size_guidance={event_accumulator.SCALARS: 0})
    accumulator.Reload()

    steps = range(1, STEPS + 1)
    epochs = range(1, EPOCHS + 1)
    by_epoch = lambda value: {e * STEPS_PER_EPOCH: value(e) for e in epochs}
    loss = {s: 2 / (1 + s / 100) for s in steps}
    loss[7] = math.nan
    check_series(accumulator, "train/loss", loss)
    check_series(accumulator, "train/learning_rate", {s: 0.1 * (1 - s / STEPS) for s in steps})
    check_series(accumulator, "train/samples_per_second", {s: 64 / 0.032 for s in steps})
    check_series(accumulator, "device/busy", {s: 30 / 32 for s in steps})
    check_series(accumulator, "train/accuracy", by_epoch(lambda e: 0.45 + 0.08 * e))
    check_series(accumulator, "eval/accuracy", by_epoch(lambda e: 0.5 + 0.07 * e))
    check_series(accumulator, "eval/loss", by_epoch(lambda e: 1 / e))
    check_series(accumulator, "time/backward", by_epoch(lambda e: 120 * 0.017))
    print("tensorboard read", len(accumulator.Tags()["scalars"]), "scalars")


main()
