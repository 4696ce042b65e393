"""Weights go to torchvision and come back without a conversion; the logits are the same."""

import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import torch
    import torchvision
    from safetensors.torch import load_file, save_file
except ImportError as error:
    other = os.environ.pop("STOKER_PYTHON", None)
    if other:
        os.execv(other, [other, *sys.argv])
    print(f"skipped: {error}; STOKER_PYTHON may name a Python with the packages of "
          "tests/golden/requirements.txt")
    sys.exit(77)

GOLDEN = pathlib.Path(__file__).parent.parent / "golden"
sys.path.insert(0, str(GOLDEN))
import nets


def compare(what, got, expected):
    error = ((got - expected).abs().max() / expected.abs().max()).item()
    print(f"{what}: logits differ by {error:.1e} of the largest")
    if not error < 1e-4:
        sys.exit(f"{what}: expected at most 1e-4")


def logits_of_torchvision(weights, images):
    model = torchvision.models.resnet18()
    model.load_state_dict(weights)  # strict: no name may be missing or left over
    with torch.no_grad():
        return model.eval()(images)


def logits_of_stoker(program, weights, images, folder):
    save_file({"input": images}, folder / "input.safetensors")
    subprocess.run([program, "logits", weights, folder / "input.safetensors",
                    folder / "logits.safetensors"], check=True)
    return load_file(folder / "logits.safetensors")["logits"]


def main():
    program = sys.argv[1]
    pictures = load_file(GOLDEN / "inputs.safetensors")["imagenet_224"]
    images = nets.normalised(pictures, *nets.IMAGENET, torch.float32)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        checkpoint = subprocess.run([program, "write", folder / "run"], check=True, text=True,
                                    stdout=subprocess.PIPE).stdout.strip()
        ours = pathlib.Path(checkpoint) / "model.safetensors"
        compare("stoker to torchvision", logits_of_torchvision(load_file(ours), images),
                logits_of_stoker(program, ours, images, folder))

        torch.manual_seed(1)
        weights = torchvision.models.resnet18().state_dict()
        theirs = folder / "torchvision.safetensors"
        save_file(weights, theirs)
        compare("torchvision to stoker", logits_of_stoker(program, theirs, images, folder),
                logits_of_torchvision(weights, images))


main()
