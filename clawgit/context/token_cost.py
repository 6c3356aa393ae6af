"""What a text costs in tokens at most."""

import gzip
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, get_args

Tokenizer = Literal["unknown", "o200k", "cl100k"]
TOKENIZERS: tuple[Tokenizer, ...] = get_args(Tokenizer)
DATA = Path(__file__).parent / "data"
APART = b"\xff"
"""What stands between the tokens of a table, in the order of their ranks: a byte that no text in UTF-8 has."""
_LONGEST = 40
"""Letters of a piece that are joined at once: the time that joining takes grows by their square."""

_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09d7"
    "\u0a01-\u0a03\u0a3c-\u0a51\u0a70\u0a71\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0bd7"
    "\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d\u0d57\u0d82\u0d83\u0dca-\u0ddf\u0e31"
    "\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u0f18\u0f19\u0f35\u0f37\u0f39\u0f71-\u0f84\u102b-\u103e"
    "\u1056-\u1059\u17b4-\u17d3\u20d0-\u20f0\u302a-\u302f\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f"
)
"""What is put on letters: Python's expressions have no name for it."""
_CAPITALS = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0391-\u03ab\u0400-\u042f\u0531-\u0556"
_SMALL = "a-z\u00df-\u00f6\u00f8-\u00ff\u03b1-\u03ce\u0430-\u045f\u0561-\u0587"
_LETTER = r"[^\W\d_]"
_MARK = r"(?:[^\s\w]|_)"
_BEFORE = r"(?:[^\r\n\w]|_)?"
_SHORTENED = "'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL])"
_LOWER = rf"(?![{_CAPITALS}])(?:{_LETTER}|[{_MARKS}])"
_UPPER = rf"(?![{_SMALL}])(?:{_LETTER}|[{_MARKS}])"
_SPACES = r"\s+(?!\S)|\s+|."
_PIECES = {
    "cl100k": rf"{_SHORTENED}|{_BEFORE}{_LETTER}+|\d{{1,3}}| ?{_MARK}+[\r\n]*|\s*[\r\n]+|{_SPACES}",
    "o200k": rf"{_BEFORE}(?:{_UPPER})*(?:{_LOWER})+(?:{_SHORTENED})?"
    rf"|{_BEFORE}(?:{_UPPER})+(?:{_LOWER})*(?:{_SHORTENED})?|\d{{1,3}}| ?{_MARK}+[\r\n/]*|\s*[\r\n]+|{_SPACES}",
    "anthropic": rf"'(?:[stmd]|re|ve|ll)| ?[A-Z]*[a-z]+(?=[A-Z])| ?{_LETTER}+| ?\d+| ?{_MARK}+|{_SPACES}",
}
"""How a text is cut before letters are joined to tokens, by table; parts of names stand apart in `anthropic`, too."""
_TABLES: Mapping[Tokenizer, tuple[str, ...]] = {
    "unknown": ("cl100k", "anthropic"),
    "o200k": ("o200k",),
    "cl100k": ("cl100k",),
}
_LINE = re.compile(r"[^\n]*\n+|[^\n]+")


def cost(text: str, tokenizer: Tokenizer = "unknown") -> int:
    """Return how many tokens a text takes at most; of an unknown tokenizer, the most of those that are known.

    The known ones join bytes in the order of a table. Each table here is the beginning of a whole one, so that what it
    leaves apart the whole one may join, and never the other way: the count is the real one or above it
    (docs/decisions/0019). Lines are counted one by one: together they cost no more than each by itself.
    """
    if "\n" not in text[:-1]:
        return max(_of_line(tokenizer, text))
    found = [_of_line(tokenizer, line) for line in _LINE.findall(text)]
    return max(map(sum, zip(*found, strict=True)), default=0)


@lru_cache(maxsize=1 << 14)
def _of_line(tokenizer: Tokenizer, line: str) -> tuple[int, ...]:
    """Return what a line costs by each table of a tokenizer."""
    return tuple(_by_table(table, line) for table in _TABLES[tokenizer])


def _by_table(table: str, line: str) -> int:
    if table == "anthropic" and not line.isascii():
        line = unicodedata.normalize("NFKC", line)
    cut, tokens = _known(table)
    pieces = cut(f"{line}x")[:-1] if line.endswith("\n") else cut(line)  # another line follows, for all we know
    return sum(map(tokens, pieces))


@cache
def _known(table: str) -> tuple[Callable[[str], list[str]], Callable[[str], int]]:
    tokens = gzip.decompress((DATA / f"{table}.gz").read_bytes()).split(APART)
    return counting(dict(zip(tokens, range(len(tokens)), strict=True)), table)


def counting(ranks: Mapping[bytes, int], table: str) -> tuple[Callable[[str], list[str]], Callable[[str], int]]:
    """Return what cuts a text into pieces as a table wants it, and what counts the tokens of a piece."""
    none = len(ranks)

    @lru_cache(maxsize=1 << 15)
    def tokens(piece: str) -> int:
        if len(piece) > _LONGEST:
            return sum(tokens(piece[at : at + _LONGEST]) for at in range(0, len(piece), _LONGEST))
        data = piece.encode("utf-8", "replace")
        if data in ranks:
            return 1
        parts = [data[at : at + 1] for at in range(len(data))]
        pairs = [ranks.get(data[at : at + 2], none) for at in range(len(data) - 1)]
        while pairs and (rank := min(pairs)) < none:
            at = pairs.index(rank)
            parts[at] += parts.pop(at + 1)
            pairs.pop(at)
            for left in range(max(at - 1, 0), min(at + 1, len(pairs))):
                pairs[left] = ranks.get(parts[left] + parts[left + 1], none)
        return len(parts)

    return re.compile(_PIECES[table], re.DOTALL).findall, tokens
