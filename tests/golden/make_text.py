"""Token ids of Hugging Face's tokenizers: text/.

    python tests/golden/make_text.py     (with tokenizers==0.23.3, xxhash==4.1.0)

Reads ../shared/data (BERT's vocabulary, the IMDB reviews, Shakespeare) beside the repository, or
STOKER_TEXT_DATA. `imdb.json` holds digests for tests that run where those files are.
"""
import json
import os
import pathlib
import random
import tarfile

import xxhash
from tokenizers import (AddedToken, BertWordPieceTokenizer, Tokenizer, decoders, models, normalizers,
                        pre_tokenizers, trainers)

HERE = pathlib.Path(__file__).parent
OUT = HERE / "text"
DATA = pathlib.Path(os.environ.get("STOKER_TEXT_DATA", HERE.parents[1].parent / "shared/data"))
END = "<|endoftext|>"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
CHARACTERS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]

CASES = [
    "", " ", "\t\n ", "Hello, world!", "don't won't 'tis rock'n'roll I'LL we've", "a" * 100, "a" * 101,
    "é" * 100, "é" * 101, "x " + "é" * 200 + " y", "naïve Ångström İstanbul ǅ ß ẞ ﬁ Σίσυφος",
    "中文字符 and 日本語のテキスト", "한국어 텍스트", "Ünïcödé\u0301\u0323 a\u0323\u0301 \u1e69", "😀👍🏽 🇩🇪", "a\u200bb\u00adc\ufeffd\u0000e\ufffdf",
    "tab\tnew\nline\r\nnon\u00a0breaking\u2003em\u3000wide", "1,234.56 $99.99 50% x² ½ Ⅷ ①", "[MASK] [SEP][CLS] [mask] [UNK [PAD]",
    END + "a" + END, "<|endoftext", "http://www.imdb.com/title/tt0111161/?ref_=nv_sr_1", "  leading and trailing  ",
    "a  b   c\n\n\nd\t e \u00a0f", "≠≮≯;`·", "\U0001d15e\U0001d16d\U0001d165\u302e x\U0001d16d\U0001d165\u0301",
    "\u0c85\u0cca\u0ccb\u0d4a", "__init__ ##ing #hash @user", "''''s 's't're 'Re 'lll", "\x1c\x1d\x85\u2028",
    "ﷺ ㎏ ﬃ", "abc\u0301\u0302def", "\u0301a", "a\U000e0001b", "x\u05bf\u05c1y\u0345z",
]


def read_reviews():
    with tarfile.open(DATA / "aclImdb.tar.xz") as archive:
        for member in archive:
            if member.isfile() and member.name.count("/") == 3:
                _, split, kind, name = member.name.split("/")
                yield f"{split}/{kind}", name, archive.extractfile(member).read().decode()


def wordpiece(vocabulary, lowercase=True):
    return BertWordPieceTokenizer(str(vocabulary), lowercase=lowercase)


def bpe(vocabulary, merges):
    made = Tokenizer(models.BPE.from_file(str(vocabulary), str(merges)))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(END, normalized=False)])
    return made


def train_bpe(texts, size, folder):
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=size, min_frequency=2, special_tokens=[END], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    made.model.save(str(folder))
    return bpe(folder / "vocab.json", folder / "merges.txt")


def digest(id_lists):
    """Reviews and ids counted, and XXH3-128 over the ids (32 bits) with -1 behind each text."""
    state, count, texts = xxhash.xxh3_128(), 0, 0
    for ids in id_lists:
        state.update(b"".join(i.to_bytes(4, "little", signed=True) for i in [*ids, -1]))
        count += len(ids)
        texts += 1
    return {"texts": texts, "ids": count, "xxh128": state.hexdigest()}


def ids(tokenizer, text):
    return tokenizer.encode(text, add_special_tokens=False).ids


def words(text, lowercase):
    normalizer = normalizers.BertNormalizer(True, True, lowercase, lowercase)
    return [word for word, _ in pre_tokenizers.BertPreTokenizer().pre_tokenize_str(normalizer.normalize_str(text))]


def pieces(text):
    splitter = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return [text[begin:end] for _, (begin, end) in splitter.pre_tokenize_str(text)]


def every_character():
    """Half a digest for each 4,096 characters, of what they do between two letters."""
    out = {}
    for name, split in {"uncased": lambda t: words(t, True), "cased": lambda t: words(t, False), "gpt2": pieces}.items():
        digests = []
        for begin in range(0, 0x110000, 0x1000):
            state = xxhash.xxh3_128()
            for code in range(begin, begin + 0x1000):
                if not 0xD800 <= code < 0xE000:
                    state.update("\n".join(split(f"a{chr(code)}b 1{chr(code)}")).encode() + b"\n\n")
            digests.append(state.hexdigest()[:16])
        out[name] = digests
    return out


def random_texts(count):
    """Short texts of marks, accents, spaces and other characters with much to decide."""
    draw = random.Random(1)
    pool = [c for c in CHARACTERS if normalizers.NFD().normalize_str(chr(c) + "\u0334")[-1] != "\u0334"]
    groups = [pool, [0x1D15E, 0x1D165, 0x1D16D, 0x1D16E, 0x302E, 0x302F, 0x301, 0x5B0, 0x488, 0x20DD, 0x1B44],
              list(range(0x20, 0x250)), [0x20, 0x27, 0xA0, 0x2003, 0x61, 0x31, 0x2E], CHARACTERS[:0x3000]]
    for _ in range(count):
        yield "".join(chr(draw.choice(draw.choice(groups))) for _ in range(draw.randint(2, 9)))


def pairs(tokenizer):
    out = []
    for first, second, length in [(5, 0, 7), (5, 0, 6), (9, 3, 10), (3, 9, 10), (7, 6, 10), (6, 7, 10), (7, 7, 10), (7, 7, 11),
                                  (7, 6, 9), (1, 9, 4), (9, 1, 5), (2, 2, 20)]:
        tokenizer.enable_truncation(length, strategy="longest_first")
        texts = ["a " * first] + (["b " * second] if second else [])
        encoded = tokenizer.encode(*texts)
        out.append({"first": first, "second": second, "length": length, "ids": encoded.ids, "types": encoded.type_ids})
    tokenizer.no_truncation()
    return out


def write(name, content):
    """JSON with a line for each item of the list or object."""
    def line(item):
        return json.dumps(item, separators=(",", ":"))
    if isinstance(content, dict):
        text = "{\n" + ",\n".join(f"{line(key)}:{line(value)}" for key, value in content.items()) + "\n}\n"
    else:
        text = "[\n" + ",\n".join(map(line, content)) + "\n]\n"
    (OUT / name).write_text(text)


def write_small(reviews):
    """What every test run compares with."""
    chosen = [text for group, _, text in reviews if group == "test/pos" and 500 < len(text) < 900][:14]
    chosen += [text for _, _, text in reviews if not text.isascii() and len(text) < 900][:8]
    full = wordpiece(DATA / "bert-base-uncased-vocab.txt")
    lines = (DATA / "bert-base-uncased-vocab.txt").read_text(encoding="utf-8").split("\n")[:-1]
    used = {i for text in chosen + CASES for i in full.encode(text, add_special_tokens=False).ids}
    keep = [t for i, t in enumerate(lines) if t in SPECIAL or i in used or (i > 998 and i % 12 == 0)]
    (OUT / "vocab.txt").write_text("\n".join(keep) + "\n", encoding="utf-8")
    uncased, cased = wordpiece(OUT / "vocab.txt"), wordpiece(OUT / "vocab.txt", False)
    merges = train_bpe(chosen, 700, OUT)

    texts = []
    for index, text in enumerate(CASES + chosen):
        row = {"text": text, "uncased": ids(uncased, text), "cased": ids(cased, text), "bpe": ids(merges, text)}
        if index >= len(CASES):
            row["review"] = True
        if len(text) < 400:
            row["uncased_text"] = uncased.decode(row["uncased"])
            row["bpe_text"] = merges.decode(row["bpe"])
            row["bpe_cut"] = merges.decode(row["bpe"][1:-1], skip_special_tokens=False)
        texts.append(row)
    write("texts.json", texts)
    write("pairs.json", pairs(uncased))
    write("words.json", [{"text": t, "uncased": words(t, True), "cased": words(t, False), "gpt2": pieces(t)}
                         for t in random_texts(160)])
    write("characters.json", every_character())


def write_imdb(reviews):
    """Digests of all reviews, and of byte pairs learned from Shakespeare."""
    full = wordpiece(DATA / "bert-base-uncased-vocab.txt")
    folder = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / "stoker-golden-bpe"
    folder.mkdir(exist_ok=True)
    shakespeare = (DATA / "tinyshakespeare.txt").read_text(encoding="utf-8")
    large = train_bpe([shakespeare], 4000, folder)
    groups = sorted({group for group, _, _ in reviews})
    write("imdb.json", {
        "wordpiece": {g: digest(ids(full, t) for group, _, t in reviews if group == g) for g in groups},
        "bpe": {g: digest(ids(large, t) for group, _, t in reviews if group == g) for g in groups},
        "bpe_vocabulary": xxhash.xxh3_128("\n".join(sorted(large.get_vocab(), key=large.get_vocab().get)).encode()).hexdigest(),
        "bpe_merges": xxhash.xxh3_128("\n".join((folder / "merges.txt").read_text().split("\n")[1:-1]).encode()).hexdigest()})


def main():
    OUT.mkdir(exist_ok=True)
    reviews = list(read_reviews())
    write_small(reviews)
    write_imdb(reviews)


if __name__ == "__main__":
    main()
