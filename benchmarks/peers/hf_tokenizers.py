"""The same encoding by Hugging Face's tokenizers: hf_tokenizers.py KIND FOLDER REVIEWS full|fast

Reads a number of passes from each line of standard input, takes them on one thread and prints
their seconds and the number of ids. `fast` is encode_batch_fast, which keeps no offsets.
"""
import json
import os
import pathlib
import sys
import time

os.environ["RAYON_NUM_THREADS"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"

import tokenizers  # noqa: E402

KIND, FOLDER, REVIEWS, MODE = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
if KIND == "wordpiece":
    tokenizer = tokenizers.BertWordPieceTokenizer(str(FOLDER / "vocab.txt"), lowercase=True)
else:
    tokenizer = tokenizers.ByteLevelBPETokenizer(str(FOLDER / "vocab.json"), str(FOLDER / "merges.txt"))
core = tokenizer._tokenizer
encode = core.encode_batch_fast if MODE == "fast" else core.encode_batch
with open(REVIEWS, encoding="utf-8", newline="\n") as file:
    texts = file.read().split("\n")
print(json.dumps({"texts": len(texts), "tokenizers": tokenizers.__version__}), flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    for _ in range(int(line)):
        num_ids = sum(len(encoded) for encoded in encode(texts, add_special_tokens=False))
    print(f"{time.perf_counter() - start:.6f} {num_ids}", flush=True)
