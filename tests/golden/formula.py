"""Weights by a formula, so that no weight has to be stored. tests/parity/formula_weights.cc is the
same in C++."""

import math
import zlib

import numpy as np


def uniform(name, count):
    """`count` numbers in [-0.5, 0.5), a hash of the tensor's name and the place, as float64."""
    low32 = np.uint64(0xFFFFFFFF)
    i = np.arange(count, dtype=np.uint64)
    key = np.uint64(zlib.crc32(name.encode()) * 40503 + 12345)
    h = (i * np.uint64(2654435761) + key) & low32
    h ^= h >> np.uint64(15)
    h = (h * np.uint64(2246822519)) & low32
    h ^= h >> np.uint64(13)
    return h.astype(np.float64) / 2.0**32 - 0.5


def values(name, shape, is_norm):
    """The tensor `name`; `is_norm` says that it belongs to a normalisation."""
    kind = name.rsplit(".", 1)[-1]
    if kind == "num_batches_tracked":
        return np.zeros(shape, np.int64)
    u = uniform(name, math.prod(shape))
    if kind == "running_var" or (kind == "weight" and is_norm):
        u = 1 + 0.2 * u
    elif kind == "running_mean" or (kind == "bias" and not is_norm):
        u = 0.1 * u
    elif kind == "bias":
        u = 0.2 * u
    else:
        u = u * (2 * math.sqrt(3) * math.sqrt(2 / math.prod(shape[1:])) * 0.7)
    return u.astype(np.float32).reshape(shape)


def state(shapes):
    """All tensors of a model from its names and shapes."""
    norms = {name.rsplit(".", 1)[0] for name in shapes if name.endswith("running_mean")}
    return {name: values(name, shape, name.rsplit(".", 1)[0] in norms)
            for name, shape in shapes.items()}
