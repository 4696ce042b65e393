"""A PNG writer for what Pillow cannot write: 16 bits a channel, Adam7, few bits of grey."""

import struct
import zlib

import numpy as np

ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
         (0, 1, 1, 2))  # first x, first y, step x, step y


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def rows(samples, depth):
    """[H, W, C] samples as rows of filter type 0."""
    height = samples.shape[0]
    flat = samples.reshape(height, -1)
    if depth == 16:
        packed = flat.astype(">u2").view(np.uint8).reshape(height, -1)
    elif depth == 8:
        packed = flat.astype(np.uint8)
    else:
        bits = (flat[:, :, None] >> np.arange(depth - 1, -1, -1)) & 1
        packed = np.packbits(bits.reshape(height, -1).astype(np.uint8), axis=1)
    return np.hstack([np.zeros((height, 1), np.uint8), packed]).tobytes()


def encode(samples, depth=8, colour=2, interlaced=False, palette=None):
    """`colour`: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA."""
    height, width = samples.shape[:2]
    samples = samples.reshape(height, width, -1)
    if interlaced:
        passes = [samples[y0::dy, x0::dx] for x0, y0, dx, dy in ADAM7]
        data = b"".join(rows(part, depth) for part in passes if part.size)
    else:
        data = rows(samples, depth)
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, int(interlaced))
    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
    if palette is not None:
        out += chunk(b"PLTE", np.asarray(palette, np.uint8).tobytes())
    return out + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b"")
