"""What torchvision's transforms v2 make of pictures: augment.safetensors and augment.json."""

import json
import pathlib

import torch
from safetensors.torch import save_file
from torchvision.io import ImageReadMode, decode_image, read_file
from torchvision.transforms.v2 import functional as V

import nets

HERE = pathlib.Path(__file__).parent
CIFAR_FILE = "examples/data/cifar10/test/cat/0017.jpg"
SWAN, IBEX, PART = (f"tests/golden/images/{name}" for name in
                    ("swan.jpg", "ibex.jpg", "progressive.jpg"))


def read(name):
    return decode_image(read_file(str(HERE.parent.parent / name)), ImageReadMode.RGB)


def resize(name, size):
    return V.resize(read(name), size, antialias=True)


def pad(name, padding, fill=0, mode="constant"):
    return V.pad(read(name), [padding] * 4, fill=fill, padding_mode=mode)


def to_float(name, preset):
    image = V.to_dtype(read(name), torch.float32, scale=True)
    return V.normalize(image, *preset)


def cases():
    """File, chain as a recipe has it, expected uint8 [3, H, W] or float [3, H, W]."""
    yield "resize_64", SWAN, "{ resize = 64 }", resize(SWAN, 64)
    yield "resize_64_tall", IBEX, "{ resize = 64 }", resize(IBEX, 64)
    yield "resize_up", PART, "{ resize = [90, 130] }", resize(PART, [90, 130])
    yield "resize_uneven", PART, "{ resize = [17, 120] }", resize(PART, [17, 120])
    yield ("resize_224_crop", IBEX, "{ resize = 224 }, { center_crop = [40, 224] }",
           V.center_crop(resize(IBEX, 224), [40, 224]))
    yield "resize_cifar", CIFAR_FILE, "{ resize = 48 }", resize(CIFAR_FILE, 48)
    for height, width in ((60, 96), (61, 97), (30, 31), (1, 1), (64, 100)):
        yield (f"center_crop_{height}_{width}", PART, f"{{ center_crop = [{height}, {width}] }}",
               V.center_crop(read(PART), [height, width]))
    yield ("pad_black", CIFAR_FILE, "{ random_crop = { size = 40, padding = 4 } }",
           pad(CIFAR_FILE, 4))
    yield ("pad_colour", CIFAR_FILE,
           "{ random_crop = { size = 38, padding = 3, fill = [125, 123, 114] } }",
           pad(CIFAR_FILE, 3, [125, 123, 114]))
    yield ("pad_reflect", CIFAR_FILE,
           '{ random_crop = { size = 42, padding = 5, mode = "reflect" } }',
           pad(CIFAR_FILE, 5, mode="reflect"))
    yield "hflip", CIFAR_FILE, "{ hflip = 1.0 }", V.horizontal_flip(read(CIFAR_FILE))
    yield "vflip", CIFAR_FILE, "{ vflip = 1.0 }", V.vertical_flip(read(CIFAR_FILE))
    yield "normalize_cifar10", CIFAR_FILE, '{ normalize = "cifar10" }', to_float(CIFAR_FILE, nets.CIFAR)
    yield "normalize_imagenet", CIFAR_FILE, '{ normalize = "imagenet" }', to_float(CIFAR_FILE, nets.IMAGENET)


def main():
    index, tensors = [], {}
    for name, file, chain, expected in cases():
        height, width = read(file).shape[1:]
        index.append({"name": name, "file": file, "chain": chain,
                      "source_height": height, "source_width": width})
        tensors[name] = expected.contiguous()
    save_file(tensors, HERE / "augment.safetensors")
    (HERE / "augment.json").write_text(json.dumps(index, indent=1) + "\n")


if __name__ == "__main__":
    main()
