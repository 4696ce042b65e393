"""Learning rates of torch.optim.lr_scheduler: schedules.json.

`config` has the keys of the recipe's [schedule]; `rates` are the rates of the updates, or of the
epochs where `unit` is "epoch".
"""

import json
import pathlib

import torch
from torch.optim import lr_scheduler as S

HERE = pathlib.Path(__file__).parent
LR, STEPS_PER_EPOCH = 0.4, 20


def rates(make, count):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=LR)
    scheduler = make(optimizer)
    out = []
    for _ in range(count):
        out.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return out


def warmed(warmup, start, main):
    """Linear from `start` (of the rate) to the rate in `warmup` updates, then `main`.

    Without a start the first update has rate / warmup and the last of the warm-up the rate.
    """
    def make(o):
        first = (S.LinearLR(o, start, 1.0, warmup) if start is not None
                 else S.LinearLR(o, 1 / warmup, 1.0, warmup - 1))
        return S.SequentialLR(o, [first, main(o)], [warmup])
    return make


def chained(warmup, main):
    """The warm-up as a factor on a schedule that counts from the start of the training."""
    return lambda o: S.ChainedScheduler([S.LinearLR(o, 1 / warmup, 1.0, warmup - 1), main(o)])


def cosine(length, to=0.0):
    return lambda o: S.CosineAnnealingLR(o, length, to)


def linear(length, to=0.0):
    return lambda o: S.LinearLR(o, 1.0, to / LR, length)


CASES = [
    (15, {"name": "cosine"}, cosine(300)),
    (15, {"name": "cosine", "to": 0.002}, cosine(300, 0.002)),
    (15, {"name": "cosine", "warmup": {"epochs": 5}}, warmed(100, None, cosine(200))),
    (15, {"name": "cosine", "warmup": {"steps": 30, "from": 0.01}, "to": 0.001},
     warmed(30, 0.01 / LR, cosine(270, 0.001))),
    (15, {"name": "cosine", "warmup": {"epochs": 5}, "unit": "epoch"}, warmed(5, None, cosine(10))),
    (100, {"name": "cosine", "warmup": {"epochs": 5, "from": 0.01}, "unit": "epoch"},
     warmed(5, 0.01 / LR, cosine(95))),
    (15, {"name": "linear"}, linear(300)),
    (15, {"name": "linear", "to": 0.04, "warmup": {"epochs": 2}}, warmed(40, None, linear(260, 0.04))),
    (15, {"name": "step", "step_epochs": 4, "gamma": 0.3}, lambda o: S.StepLR(o, 80, 0.3)),
    (15, {"name": "step", "step_epochs": 4, "gamma": 0.3, "unit": "epoch"},
     lambda o: S.StepLR(o, 4, 0.3)),
    (15, {"name": "multi_step", "milestones": [5, 8, 12]},
     lambda o: S.MultiStepLR(o, [100, 160, 240], 0.1)),
    (15, {"name": "multi_step", "milestones": [5, 8, 12], "unit": "epoch"},
     lambda o: S.MultiStepLR(o, [5, 8, 12], 0.1)),
    (15, {"name": "multi_step", "milestones": [8, 12], "warmup": {"epochs": 3}},
     chained(60, lambda o: S.MultiStepLR(o, [160, 240], 0.1))),
    (15, {"name": "constant", "warmup": {"steps": 7}},
     warmed(7, None, lambda o: S.ConstantLR(o, 1.0, 1))),
]


def main():
    out = []
    for epochs, config, make in CASES:
        count = epochs if config.get("unit") == "epoch" else epochs * STEPS_PER_EPOCH
        out.append({"config": config, "lr": LR, "epochs": epochs,
                    "steps_per_epoch": STEPS_PER_EPOCH, "rates": rates(make, count)})
    (HERE / "schedules.json").write_text("[\n" + ",\n".join(map(json.dumps, out)) + "\n]\n")


if __name__ == "__main__":
    main()
