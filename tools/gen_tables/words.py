#!/usr/bin/env python3
"""Writes the perfect hash of src/syntax/lex_words.def: a multiplier for the first eight bytes of a word,
and the table that the product's top byte indexes. Run it from the top folder when token.def's words change."""
import random
import re

words = []
for name, text in re.findall(r'TOK\((\w+), "(.*?)"\)', open("src/syntax/token.def").read()):
    if words or name == "BREAK":
        words.append(text)
heads = [int.from_bytes(w[:8].encode(), "little") for w in words]
assert len(set(heads)) == len(heads) and max(map(len, words)) <= 16
rng = random.Random(1)
while True:
    factor = rng.getrandbits(64) | 1
    seen = set()
    for h in heads:
        i = (h * factor & (1 << 64) - 1) >> 56
        if i in seen:
            break
        seen.add(i)
    if len(seen) == len(heads):
        break
table = [0] * 256
for n, h in enumerate(heads):
    table[(h * factor & (1 << 64) - 1) >> 56] = n + 1
with open("src/syntax/lex_words.def", "w") as f:
    f.write("/* syntax/lex_words.def -- written by tools/gen_tables/words.py: WORD_FACTOR(multiplier) of a\n"
            " * word's first eight bytes; WORD_ROW(...): the place of the word, counted from 1, by the product's\n"
            " * top byte. */\n"
            f"WORD_FACTOR({factor:#x})\n")
    for i in range(0, 256, 16):
        f.write("WORD_ROW(" + ", ".join(map(str, table[i:i + 16])) + ")\n")
