"""Makes reference.safetensors with the reference implementation: pip install safetensors==0.6.2"""

import pathlib
import struct

import safetensors

half = struct.pack("<6e", 0, 1, -2, 0.5, 65504, float("inf"))
bfloat = struct.pack("<3H", 0x3F80, 0xC000, 0x7F80)  # 1, -2, inf
tensors = {
    "conv.weight": ("float32", [2, 3, 1, 2], struct.pack("<12f", *range(12))),
    "bn.num_batches_tracked": ("int64", [], struct.pack("<q", 1 << 53 | 1)),
    "double": ("float64", [2], struct.pack("<2d", 0.1, -1e300)),
    "half": ("float16", [2, 3], half),
    "bfloat": ("bfloat16", [3], bfloat),
    "int": ("int32", [2], struct.pack("<2i", -(1 << 31), 7)),
    "short": ("int16", [1], struct.pack("<h", -32768)),
    "signed": ("int8", [3], struct.pack("<3b", -128, 0, 127)),
    "bytes": ("uint8", [5], bytes([0, 1, 127, 128, 255])),
    "mask": ("bool", [2], bytes([1, 0])),
    "empty": ("float32", [0, 4], b""),
    "größe \"quoted\"\n": ("float32", [1], struct.pack("<f", 0.1)),
}
out = pathlib.Path(__file__).with_name("reference.safetensors")
out.write_bytes(
    safetensors.serialize(
        {
            name: {"dtype": dtype, "shape": shape, "data": data}
            for name, (dtype, shape, data) in tensors.items()
        },
        metadata={"head.weight": "conv.weight"},
    )
)
