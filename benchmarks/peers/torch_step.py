"""The same training step in PyTorch, eager: torch_step.py contiguous|channels_last THREADS

Reads a number of steps from each line of standard input, takes them and prints their seconds.
"""
import json
import pathlib
import sys
import time

import numpy
import torch
import torchvision
from PIL import Image

LAYOUT, THREADS = sys.argv[1], int(sys.argv[2])
BATCH = 128
SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/data/cifar10/train"


def real_batch():
    files = sorted(SAMPLE.glob("*/*.jpg"))[::15][:BATCH]
    labels = sorted({file.parent.name for file in files})
    pixels = numpy.stack([numpy.asarray(Image.open(file).convert("RGB")) for file in files])
    images = torch.from_numpy(pixels).permute(0, 3, 1, 2).contiguous().float() / 255
    return images, torch.tensor([labels.index(file.parent.name) for file in files])


def make_model():
    model = torchvision.models.resnet18(num_classes=10)
    model.conv1 = torch.nn.Conv2d(3, 64, 3, 1, 1, bias=False)
    model.maxpool = torch.nn.Identity()
    return model


def scattered(shape, start):
    """Numbers from -0.5 to 0.5 that look random and are the same everywhere."""
    count = torch.Size(shape).numel()
    wave = torch.sin(torch.arange(count, dtype=torch.float64) + start) * 1e4
    return (wave - torch.floor(wave) - 0.5).float().reshape(shape)


def loss_of_formula(model):
    """One loss that both sides must agree on; the weights are put back."""
    kept = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    with torch.no_grad():
        model.fc.bias.zero_()
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.copy_(0.2 * scattered(parameter.shape, parameter.shape[0]))
        loss = torch.nn.functional.cross_entropy(model(scattered((16, 3, 32, 32), 0)), torch.arange(16) % 10).item()
    model.load_state_dict(kept)
    return loss


torch.set_num_threads(THREADS)
torch.manual_seed(1)
images, labels = real_batch()
model = make_model()
if LAYOUT == "channels_last":
    model = model.to(memory_format=torch.channels_last)
    images = images.contiguous(memory_format=torch.channels_last)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=5e-4, fused=True)
print(json.dumps({"parameters": sum(p.numel() for p in model.parameters()), "threads": torch.get_num_threads(),
                  "torch": torch.__version__, "loss": loss_of_formula(model)}), flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    for _ in range(int(line)):
        optimizer.zero_grad(set_to_none=True)
        loss = torch.nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        loss.item()
    print(f"{time.perf_counter() - start:.6f}", flush=True)
