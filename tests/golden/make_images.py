"""Image files of every kind, and what Pillow and torchvision decode them to: images.json.

`images/swan.jpg` and `images/ibex.jpg` are the originals: two ImageNet pictures made smaller.
"""

import json
import pathlib
import zlib

import numpy as np
import torch
from PIL import Image, ImageOps
from torchvision.io import ImageReadMode, decode_image, read_file

import png

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
IMAGES = HERE / "images"


def write_jpegs(swan):
    part = swan.crop((60, 40, 157, 101))  # 97x61: no multiple of a block
    saves = {
        "progressive.jpg": (part, {"quality": 85, "progressive": True}),
        "baseline_444.jpg": (part, {"quality": 95, "subsampling": "4:4:4"}),
        "baseline_422.jpg": (part, {"quality": 85, "subsampling": "4:2:2"}),
        "restart_q10.jpg": (part, {"quality": 10, "restart_marker_blocks": 3}),
        "grey.jpg": (part.convert("L"), {"quality": 85}),
        "grey_progressive.jpg": (part.convert("L"), {"quality": 85, "progressive": True}),
        "cmyk.jpg": (part.convert("CMYK"), {"quality": 90}),
        "three_by_five.jpg": (part.resize((3, 5)), {"quality": 90}),
    }
    for name, (image, options) in saves.items():
        image.save(IMAGES / name, **options)
    small = part.resize((24, 16))
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        small.save(IMAGES / f"orientation_{orientation}.jpg", quality=90, exif=exif)


def write_pngs(swan):
    part = swan.crop((60, 40, 109, 71))  # 49x31
    rgb = np.asarray(part)
    part.save(IMAGES / "rgb.png")
    alpha = Image.fromarray((np.arange(31 * 49) % 256).astype(np.uint8).reshape(31, 49))
    with_alpha = part.copy()
    with_alpha.putalpha(alpha)
    with_alpha.save(IMAGES / "rgba.png")
    Image.merge("LA", (part.convert("L"), alpha)).save(IMAGES / "grey_alpha.png")
    part.convert("L").save(IMAGES / "grey.png")
    part.convert("1").save(IMAGES / "black_and_white.png")
    palette = part.quantize(200)
    palette.save(IMAGES / "palette.png")
    palette.save(IMAGES / "palette_transparent.png", transparency=3)
    part.quantize(4).save(IMAGES / "palette_2_bits.png", bits=2)
    exif = Image.Exif()
    exif[0x0112] = 6
    part.save(IMAGES / "orientation_6.png", exif=exif)
    four = part.quantize(16)
    colours = np.asarray(four.getpalette()[:48]).reshape(16, 3)
    deep = rgb.astype(np.uint16) * 257 - np.minimum(rgb, 99)  # 16 bits that use the lower ones
    files = {
        "interlaced.png": png.encode(rgb, interlaced=True),
        "interlaced_palette_4_bits.png": png.encode(
            np.asarray(four), 4, 3, interlaced=True, palette=colours),
        "grey_2_bits.png": png.encode(rgb[:, :, 1] >> 6, 2, 0),
        "rgb_16_bits.png": png.encode(deep, 16, 2),
        "grey_16_bits.png": png.encode(deep[:, :, 1], 16, 0),
    }
    for name, content in files.items():
        (IMAGES / name).write_bytes(content)


def pillow(path):
    return np.asarray(ImageOps.exif_transpose(Image.open(path)).convert("RGB"))


def vision(path):
    tensor = decode_image(read_file(str(path)), ImageReadMode.UNCHANGED,
                          apply_exif_orientation=True)
    if tensor.dtype == torch.uint16:  # 16 bits become 8 by the ratio of the largest values
        tensor = ((tensor.to(torch.int32) * 255 + 32767) // 65535).to(torch.uint8)
    else:
        tensor = decode_image(read_file(str(path)), ImageReadMode.RGB,
                              apply_exif_orientation=True)
    if tensor.shape[0] == 1:
        tensor = tensor.expand(3, -1, -1)
    return tensor.permute(1, 2, 0).contiguous().numpy()


def grey_of(rgb):
    """ITU-R 601-2 in thousandths, as Pillow's documentation of `convert("L")` has it."""
    weighted = rgb.astype(np.int64) @ np.array([299, 587, 114])
    return ((weighted + 500) // 1000).astype(np.uint8)


def entry(path):
    by_pillow, by_vision = pillow(path), vision(path)
    # Pillow clips 16-bit grey at 255 and drops the lower byte of 16-bit colours.
    rgb = by_vision if "16_bits" in path.name else by_pillow
    difference = np.abs(rgb.astype(int) - by_vision).max()
    return {
        "file": str(path.relative_to(ROOT)),
        "width": rgb.shape[1],
        "height": rgb.shape[0],
        "first_pixels": rgb.reshape(-1)[:12].tolist(),
        "crc_rgb": zlib.crc32(rgb.tobytes()),
        "crc_grey": zlib.crc32(grey_of(rgb).tobytes()),
        "reference": "torchvision" if rgb is by_vision else "Pillow",
        "largest_difference_to_torchvision": int(difference),
    }


def cifar_files():
    folders = [ROOT / f"examples/data/cifar10/test/{name}"
               for name in ("airplane", "bird", "cat", "frog", "truck")]
    return [sorted(folder.glob("*.jpg"))[0] for folder in folders]


def main():
    swan = Image.open(IMAGES / "swan.jpg").convert("RGB")
    write_jpegs(swan)
    write_pngs(swan)
    paths = sorted(IMAGES.iterdir()) + cifar_files()
    entries = [entry(path) for path in paths]
    (HERE / "images.json").write_text(json.dumps(entries, indent=1) + "\n")
    for e in entries:
        print(e["file"], e["width"], e["height"], e["largest_difference_to_torchvision"])


if __name__ == "__main__":
    main()
