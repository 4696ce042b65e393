"""Writes unicode_tables.inc: what Hugging Face's tokenizers do with each of Unicode's characters.

    python make_unicode_tables.py     (with tokenizers==0.23.3)

The tables are asked for, character by character, and not taken from a Unicode library: a model
was trained with the ids of that program, whose parts follow different versions of Unicode. ICU 72
or Python 3.11 would give other ids for some 760 characters, 94 of them punctuation.
"""
import pathlib
import unicodedata

from tokenizers import normalizers, pre_tokenizers

HERE = pathlib.Path(__file__).parent
CHARACTERS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
WORD, DROP, SPACE, PUNCTUATION, CJK, MARK, STARTER_MARK = range(7)
LETTER, NUMBER, BLANK, OTHER = range(4)
OVERLAY = "\u0334"  # U+0334 has combining class 1, the lowest.
HANGUL = range(0xAC00, 0xD7A4)

clean = normalizers.BertNormalizer(True, False, False, False).normalize_str
spread = normalizers.BertNormalizer(False, True, False, False).normalize_str
strip = normalizers.BertNormalizer(False, False, True, False).normalize_str
uncased = normalizers.BertNormalizer(False, False, True, True).normalize_str
decompose = normalizers.NFD().normalize_str
bert_split = pre_tokenizers.BertPreTokenizer().pre_tokenize_str
gpt2_split = pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str


def is_punctuation(char):
    return len(bert_split("a" + char + "b")) == 3


def starts(char):
    """Whether the character has combining class 0."""
    return decompose(char + OVERLAY)[-1] == OVERLAY


def bert_class(char):
    cleaned = clean(char)
    if cleaned == "":
        return DROP
    if cleaned == " " or len(bert_split("a" + char + "b")) == 2:
        return SPACE
    if spread(char) != char:
        return CJK
    if strip(char) == "":
        return STARTER_MARK if starts(char) else MARK
    return PUNCTUATION if is_punctuation(char) else WORD


def gpt2_class(char):
    if len(gpt2_split("a" + char)) == 1:
        return LETTER
    if len(gpt2_split("1" + char)) == 1:
        return NUMBER
    return OTHER if len(gpt2_split("!" + char)) == 1 else BLANK


def combining_classes(chars):
    """Combining classes of characters that are not stripped, found by what sorts before them."""
    known = {unicodedata.combining(chr(c)): chr(c) for c in reversed(CHARACTERS) if decompose(chr(c)) == chr(c)}
    scale = sorted((ccc, other) for ccc, other in known.items() if ccc)
    for char in chars:
        below = [ccc for ccc, other in scale if decompose(char + other)[-1] != other]
        yield ord(char), (below[-1] + 1 if below else 1)


def mapping(char):
    """The characters that an uncased BERT sees instead, or None."""
    code = ord(char)
    kind = bert_class(char)
    out = uncased(char)
    if code in HANGUL or kind in (DROP, SPACE, MARK, STARTER_MARK) or out == char:
        return None
    assert all(bert_class(c) in (WORD, CJK) for c in out) or (len(out) == 1 and is_punctuation(out)), hex(code)
    return [ord(c) for c in out]


def single_runs(single):
    """(first, last, step, target, target step) of mappings to one character each."""
    codes = sorted(single)
    at = 0
    while at < len(codes):
        best = (1, 1, 0)
        for step in (1, 2):
            for target_step in (0, 1, 2):
                n = 1
                while at + n < len(codes) and codes[at + n] == codes[at] + n * step and \
                        single[codes[at + n]] == single[codes[at]] + n * target_step:
                    n += 1
                if n > best[0]:
                    best = (n, step, target_step)
        n, step, target_step = best
        yield codes[at], codes[at + n - 1], step, single[codes[at]], target_step
        at += n


def rows(items):
    """As few lines as go, of at most 90 columns."""
    line = ""
    for item in items:
        if len(line) + len(item) > 88:
            yield line
            line = ""
        line += item
    yield line


def array(kind, name, items):
    return "\n".join([f"constexpr {kind} {name}[] = {{", *rows(items), "};", ""])


def braces(*values):
    return "{" + ",".join(f"0x{value:x}" if value > 9 else str(value) for value in values) + "},"


def main():
    classes, last = [], None
    for code in CHARACTERS:
        pair = (bert_class(chr(code)), gpt2_class(chr(code)))
        if pair != last:
            classes.append(braces(code, *pair))
        last = pair
    found = {code: mapping(chr(code)) for code in CHARACTERS}
    found = {code: out for code, out in found.items() if out}
    several = []
    for code, out in found.items():
        if len(out) > 1:
            assert len(out) <= 4, hex(code)
            several.append(braces(code, *out))
    single = {code: out[0] for code, out in found.items() if len(out) == 1}
    combining = [chr(c) for c in CHARACTERS if strip(chr(c)) and not starts(chr(c)) and len(decompose(chr(c))) == 1]
    text = ["// Made by make_unicode_tables.py; not to be edited.", ""]
    text += [array("ClassRow", "kClasses", classes),
             array("MappingRun", "kMappings", [braces(*run) for run in single_runs(single)]),
             array("LongMapping", "kLongMappings", several),
             array("CombiningRow", "kCombining", [braces(*row) for row in combining_classes(combining)])]
    (HERE / "unicode_tables.inc").write_text("\n".join(text))


if __name__ == "__main__":
    main()
