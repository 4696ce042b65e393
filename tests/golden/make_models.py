"""Inputs, logits, gradients and running statistics of PyTorch's models.

Everything is computed in float64 from float32 weights and inputs, so that the files are the same
on every kind of CPU; PyTorch's own float32 must lie within the tests' tolerances.
"""

import json
import pathlib

import torch
from safetensors.torch import save_file
from torch.nn import functional as F
from torchvision.io import ImageReadMode, decode_image, read_file
from torchvision.transforms.v2 import functional as V

import nets

HERE = pathlib.Path(__file__).parent
CIFAR = HERE.parent.parent / "examples/data/cifar10/test"
EVALUATED = {  # case: model, input, normalisation
    "resnet18_224": ("resnet18", "imagenet_224", nets.IMAGENET),
    "resnet18_64": ("resnet18", "imagenet_64", nets.IMAGENET),
    "resnet34_64": ("resnet34", "imagenet_64", nets.IMAGENET),
    "resnet50_64": ("resnet50", "imagenet_64", nets.IMAGENET),
    "resnet18_cifar": ("resnet18_cifar", "cifar", nets.CIFAR),
    "resnet20": ("resnet20", "cifar", nets.CIFAR),
    "resnet56": ("resnet56", "cifar", nets.CIFAR),
    "resnet56_b": ("resnet56_b", "cifar", nets.CIFAR),
}
TRAINED = ("resnet18_cifar", "resnet20")
SMOOTHINGS = (0.0, 0.1)
BATCH = 8


def read(path):
    return decode_image(read_file(str(path)), ImageReadMode.RGB)


def make_inputs():
    """40 CIFAR-10 test images, 4 a class, the classes in turn; two ImageNet pictures."""
    classes = sorted(folder.name for folder in CIFAR.iterdir())
    chosen = [(label, sorted((CIFAR / name).glob("*.jpg"))[i])
              for i in range(4) for label, name in enumerate(classes)]
    pictures = [read(HERE / "images" / name) for name in ("swan.jpg", "ibex.jpg")]
    crop = lambda side: torch.stack(
        [V.center_crop(V.resize(p, side, antialias=True), [side, side]) for p in pictures])
    return {
        "cifar": torch.stack([read(path) for _, path in chosen]),
        "cifar_labels": torch.tensor([label for label, _ in chosen]),
        "imagenet_224": crop(224),
        "imagenet_64": crop(64),
    }


def logits(inputs, case, dtype):
    name, key, norm = EVALUATED[case]
    model = nets.make(name, dtype).eval()
    with torch.no_grad():
        return model(nets.normalised(inputs[key][:BATCH], *norm, dtype))


def one_step(inputs, name, smoothing, dtype):
    """Loss, gradient norms and running statistics of one training pass."""
    model = nets.make(name, dtype).train()
    x = nets.normalised(inputs["cifar"][:BATCH], *nets.CIFAR, dtype)
    loss = F.cross_entropy(model(x), inputs["cifar_labels"][:BATCH], label_smoothing=smoothing)
    loss.backward()
    out = {"loss": loss.detach()}
    for key, parameter in model.named_parameters():
        out[f"gradient_norm/{key}"] = parameter.grad.norm()
    for key, buffer in model.named_buffers():
        out[f"buffer/{key}"] = buffer.float() if buffer.is_floating_point() else buffer
    return out


def check(what, got, expected, tolerance):
    error = ((got.double() - expected).abs().max() / expected.abs().max()).item()
    print(f"{what}: PyTorch in float32 differs by {error:.1e}")
    assert error < tolerance, what


def main():
    torch.manual_seed(0)
    inputs = make_inputs()
    save_file(inputs, HERE / "inputs.safetensors")
    out = {}
    for case in EVALUATED:
        out[f"{case}/logits"] = logits(inputs, case, torch.float64)
        check(case, logits(inputs, case, torch.float32), out[f"{case}/logits"], 1e-5)
    for name in TRAINED:
        for smoothing in SMOOTHINGS:
            case = f"{name}/smoothing_{smoothing}"
            exact = one_step(inputs, name, smoothing, torch.float64)
            single = one_step(inputs, name, smoothing, torch.float32)
            worst = max(abs(single[k] / exact[k] - 1).item() for k in exact if "norm/" in k)
            print(f"{case}: loss {exact['loss']:.6f}, gradient norms in float32 within {worst:.1e}")
            assert worst < 1e-3
            check(case, single["loss"], exact["loss"], 1e-6)
            # The smoothing changes no running statistic.
            keep = {k: v for k, v in exact.items() if smoothing == 0 or "buffer" not in k}
            out |= {f"{case}/{key}": value for key, value in keep.items()}
    save_file({k: v.contiguous() for k, v in out.items()}, HERE / "models.safetensors")
    shapes = {name: {k: list(v.shape) for k, v in nets.make(name).state_dict().items()}
              for name in ("resnet18", "resnet50", "resnet18_cifar")}
    (HERE / "shapes.json").write_text(json.dumps(shapes) + "\n")
    state = nets.make("resnet18_cifar", torch.float32).state_dict()
    few = {k: {"shape": list(v.shape), "values": v.reshape(-1)[:8].tolist()}
           for k, v in state.items() if k.startswith(("bn1.running", "layer2.0", "fc"))
           and "num_batches" not in k}
    (HERE / "formula.json").write_text(json.dumps(few) + "\n")


if __name__ == "__main__":
    main()
