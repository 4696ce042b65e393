"""What torchvision's transforms v2 make of pictures, operation by operation, with given parameters:
operations.safetensors and operations.json."""

import json
import pathlib

import torch
from PIL import Image
from safetensors.torch import save_file
from torchvision.io import ImageReadMode, decode_image, read_file
from torchvision.transforms import v2
from torchvision.transforms.v2 import functional as V

HERE = pathlib.Path(__file__).parent
CIFAR_FILE = "examples/data/cifar10/test/cat/0017.jpg"
SWAN, PART, GREY = (f"tests/golden/images/{name}" for name in
                    ("swan.jpg", "progressive.jpg", "grey.png"))
BILINEAR = {"interpolation": V.InterpolationMode.BILINEAR}
COLOUR = [125, 60, 14]
# Levels of 255 by which a value may differ at most, and on average.
EXACT, ROUNDED, RESAMPLED = 0, 1, 3


def read(name):
    mode = ImageReadMode.UNCHANGED if name == GREY else ImageReadMode.RGB
    return decode_image(read_file(str(HERE.parent.parent / name)), mode)


def box(name, size):
    picture = Image.fromarray(read(name).permute(1, 2, 0).numpy())
    return V.pil_to_tensor(V.resize(picture, size, interpolation=V.InterpolationMode.BOX))


def resizes():
    bicubic = V.InterpolationMode.BICUBIC
    for file, size in ((SWAN, [64]), (PART, [90, 130]), (PART, [17, 120]), (CIFAR_FILE, [48, 48]), (GREY, [20, 9])):
        recipe = size[0] if len(size) == 1 else size
        label = "_".join(map(str, size))
        yield (f"bicubic_{label}", file, f'{{ resize = {{ size = {recipe}, interpolation = "bicubic" }} }}',
               EXACT, V.resize(read(file), size, interpolation=bicubic))
        if file != GREY:
            yield (f"box_{label}", file, f'{{ resize = {{ size = {recipe}, interpolation = "box" }} }}',
                   ROUNDED, box(file, size))
    yield ("crop_bicubic", PART,
           '{ random_resized_crop = { size = 40, scale = [1, 1], ratio = [1.5902, 1.5902], interpolation = "bicubic" } }',
           EXACT, V.resize(read(PART), [40, 40], interpolation=bicubic))


def rotations():
    for angle in (30, -17.5, 45, 90, 180, 200):
        for file in (CIFAR_FILE, PART):
            if file == PART and angle not in (30, 90):
                continue
            label = f"rotation_{angle}_{'square' if file == CIFAR_FILE else 'wide'}"
            text = f"{{ random_rotation = {{ degrees = [{angle}, {angle}]"
            yield f"{label}_nearest", file, text + " } }", RESAMPLED, V.rotate(read(file), angle, fill=[0.0])
            yield (f"{label}_bilinear", file, text + f', interpolation = "bilinear", fill = {COLOUR} }} }}',
                   RESAMPLED, V.rotate(read(file), angle, fill=COLOUR, **BILINEAR))
    yield ("rotation_about_a_corner", CIFAR_FILE, "{ random_rotation = { degrees = [20, 20], center = [0, 31] } }",
           RESAMPLED, V.rotate(read(CIFAR_FILE), 20, center=[0, 31], fill=[0.0]))
    yield ("rotation_grey", GREY, "{ random_rotation = { degrees = [-60, -60], fill = 77 } }",
           RESAMPLED, V.rotate(read(GREY), -60, fill=[77]))


def affines():
    for label, angle, scale, shear in (("zoom", 0, 1.3, [0, 0]), ("shrink", 12, 0.6, [0, 0]),
                                       ("shear", 0, 1.0, [25, 0]), ("all", -40, 0.9, [10, -15])):
        text = (f"{{ random_affine = {{ degrees = [{angle}, {angle}], scale = [{scale}, {scale}], "
                f"shear = [{shear[0]}, {shear[0]}, {shear[1]}, {shear[1]}]")
        image = read(PART)
        yield (f"affine_{label}_nearest", PART, text + " } }", RESAMPLED,
               V.affine(image, angle, [0, 0], scale, shear, fill=[0.0]))
        yield (f"affine_{label}_bilinear", PART, text + f', interpolation = "bilinear", fill = {COLOUR} }} }}', RESAMPLED,
               V.affine(image, angle, [0, 0], scale, shear, fill=COLOUR, **BILINEAR))


def colours():
    changes = (("brightness", V.adjust_brightness, (0.0, 0.63, 1.4)), ("contrast", V.adjust_contrast, (0.0, 0.5, 1.7)),
               ("saturation", V.adjust_saturation, (0.0, 0.4, 1.8)), ("hue", V.adjust_hue, (-0.31, 0.1, 0.5)))
    for name, change, factors in changes:
        for factor in factors:
            for file in (CIFAR_FILE, PART) + ((GREY,) if name in ("brightness", "contrast") else ()):
                exact = EXACT if name == "brightness" else ROUNDED
                if file == PART and factor != factors[-1]:
                    continue
                yield (f"{name}_{factor}_{pathlib.Path(file).stem}", file,
                       f"{{ color_jitter = {{ {name} = [{factor}, {factor}] }} }}", exact, change(read(file), factor))
    yield "grayscale", PART, "{ random_grayscale = 1.0 }", ROUNDED, V.rgb_to_grayscale(read(PART), 3)


def blurs():
    for file, kernel, sigma in ((CIFAR_FILE, [3, 3], 0.5), (CIFAR_FILE, [5, 5], 1.3), (PART, [5, 9], 2.0),
                                (PART, [23, 23], 1.7), (GREY, [7, 7], 1.0)):
        yield (f"blur_{kernel[0]}_{kernel[1]}_{sigma}", file,
               f"{{ gaussian_blur = {{ kernel_size = {kernel}, sigma = {sigma} }} }}", ROUNDED,
               V.gaussian_blur(read(file), kernel, [sigma, sigma]))


def chains():
    for part in (resizes, rotations, affines, colours, blurs):
        yield from part()


def policy_steps():
    """Operation, magnitude, tolerance."""
    for name, low, high in (("ShearX", 0.12, 0.9), ("ShearY", 0.3, 0.71), ("TranslateX", 3.9, 14.4),
                            ("TranslateY", 1.2, 14.4), ("Rotate", 9.3, 135.0)):
        for magnitude in (low, -low, high, -high):
            yield name, magnitude, RESAMPLED
    for name in ("Brightness", "Color", "Contrast", "Sharpness"):
        for magnitude in (0.3, -0.3, 0.99, -0.99):
            yield name, magnitude, ROUNDED
    for magnitude in (8.0, 6.0, 4.0, 2.0):
        yield "Posterize", magnitude, EXACT
    for magnitude in (1.0, 0.7, 0.3, 0.0):
        yield "Solarize", magnitude, EXACT
    yield "AutoContrast", 0.0, ROUNDED
    for name in ("Identity", "Equalize", "Invert"):
        yield name, 0.0, EXACT


def policies():
    chosen = v2.AutoAugmentPolicy
    for policy in (chosen.IMAGENET, chosen.CIFAR10, chosen.SVHN):
        yield policy.value, v2.AutoAugment(policy)._policies


def magnitudes(space, num_bins):
    """Of an image 61 pixels high and 97 wide."""
    return {name: None if values(num_bins, 61, 97) is None else [float(each) for each in values(num_bins, 61, 97)]
            for name, (values, _) in space.items()}


def main():
    index, tensors = [], {}

    def add(entry, file, levels, expected):
        _, height, width = read(file).shape
        index.append({**entry, "file": file, "levels": levels, "channels": len(expected),
                      "source_height": height, "source_width": width})
        tensors[entry["name"]] = expected.contiguous()

    for name, file, chain, levels, expected in chains():
        add({"name": name, "chain": chain}, file, levels, expected)
    policy = v2.RandAugment()
    for step, magnitude, levels in policy_steps():
        for file in (CIFAR_FILE, GREY):
            if file == GREY and magnitude not in (0.0, 0.3, 4.0):
                continue
            result = policy._apply_image_or_video_transform(
                read(file), step, magnitude, V.InterpolationMode.NEAREST, policy._fill)
            add({"name": f"{step}_{magnitude}_{pathlib.Path(file).stem}", "step": step, "magnitude": magnitude},
                file, levels, result)
    save_file(tensors, HERE / "operations.safetensors")
    tables = {"rand_augment_31": magnitudes(v2.RandAugment._AUGMENTATION_SPACE, 31),
              "auto_augment_10": magnitudes(v2.AutoAugment._AUGMENTATION_SPACE, 10),
              "trivial_augment_wide_31": magnitudes(v2.TrivialAugmentWide._AUGMENTATION_SPACE, 31)}
    (HERE / "operations.json").write_text(json.dumps(
        {"cases": index, "magnitudes": tables, "policies": dict(policies())}, indent=1) + "\n")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
