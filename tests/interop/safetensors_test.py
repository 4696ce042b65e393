"""Python's safetensors opens a checkpoint of ours: torchvision's names and shapes, every value."""

import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from safetensors import safe_open
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)

GOLDEN = pathlib.Path(__file__).parent.parent / "golden"
sys.path.insert(0, str(GOLDEN))
import formula


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = subprocess.run([program, "write", folder], check=True, text=True,
                                    stdout=subprocess.PIPE).stdout.strip()
        with safe_open(pathlib.Path(checkpoint) / "model.safetensors", "numpy") as file:
            got = {name: file.get_tensor(name) for name in file.keys()}
    shapes = json.loads((GOLDEN / "shapes.json").read_text())["resnet18"]
    if set(got) != set(shapes):
        sys.exit(f"names differ from torchvision's: {sorted(set(got) ^ set(shapes))}")
    for name, expected in formula.state(shapes).items():
        if got[name].shape != tuple(shapes[name]) or got[name].dtype != expected.dtype:
            sys.exit(f"{name}: expected {expected.dtype} {shapes[name]}, "
                     f"got {got[name].dtype} {got[name].shape}")
        if not np.array_equal(got[name], expected):
            sys.exit(f"{name}: {np.sum(got[name] != expected)} values differ")
    print(len(got), "tensors with torchvision's names, shapes and the right values")


main()
