"""Divides a text into what merges as one piece."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from clawgit.text import document
from clawgit.text.entry import is_id
from clawgit.text.unit import fence, units

_SETTING = re.compile(r"([A-Za-z_]\w*)[ \t]*:")
_DAY = re.compile(r"# \d{4}-\d\d-\d\d\s*$")
SOURCE = re.compile(r"<!-- from (\S+) [0-9a-f]{10} -->")
"""The line by which an archive names a journal, and the version that went into it."""


class TextPiece(Struct, frozen=True):
    """A stretch of a text: `key` is what it is known by, `raw` its bytes with the blank lines above.

    A `named` one stays the same piece whatever it says: a record by its id, a setting by its key.
    """

    key: str
    raw: str
    named: bool = False


def line_pieces(text: str) -> list[TextPiece]:
    """Return a text line by line, blank lines with the line below them; joined, `raw` is the text."""
    found = units(document.split(text), document.eol(text))
    pieces = [TextPiece(one.key, "".join(one.blank) + one.key + one.eol) for one in found]
    last = found[-2] if len(found) > 1 else None
    if last and not document.ends_with_newline(text) and not found[-1].blank:
        pieces[-2] = TextPiece(last.key, "".join(last.blank) + last.key)
    return pieces if pieces[-1].raw else pieces[:-1]


def record_pieces(text: str) -> list[TextPiece]:
    """Return a text with each `## ` section that carries an id as one piece, all else line by line."""
    rows = document.split(text)
    pieces: list[TextPiece] = []
    plain = 0
    for start, end, name in _sections(rows):
        pieces += line_pieces("".join(rows[plain:start]))
        pieces.append(TextPiece(f"## {name}", "".join(rows[start:end]), named=True))
        plain = end
    return pieces + line_pieces("".join(rows[plain:]))


def _sections(rows: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield where each section with an id begins, with the blank lines above, where it ends, and the id."""
    code = document.fenced_lines("".join(rows))
    heads = [at for at, row in enumerate(rows) if row.startswith("## ") and at + 1 not in code]
    starts = [_above(rows, head) for head in heads]
    for head, start, end in zip(heads, starts, [*starts[1:], len(rows)], strict=bool(heads)):
        name = next(filter(is_id, rows[head].split()), "")
        if name:
            yield start, end, name


def _above(rows: Sequence[str], at: int) -> int:
    while at and document.is_blank(rows[at - 1]):
        at -= 1
    return at


def chronicle_pieces(text: str) -> list[TextPiece]:
    """Return an archive with each part that names the journal it was made of as one piece, all else line by line.

    A part goes from the heading of its day to the lines that name the journal. The second one of a journal, of what was
    written to it after it had been archived, is another piece.
    """
    rows = document.split(text)
    pieces: list[TextPiece] = []
    seen = Counter[str]()
    plain = 0
    for start, end, source in _parts(rows):
        seen[source] += 1
        pieces += line_pieces("".join(rows[plain:start]))
        pieces.append(TextPiece(f"from {source} {seen[source]}", "".join(rows[start:end]), named=True))
        plain = end
    return pieces + line_pieces("".join(rows[plain:]))


def _parts(rows: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield where each part begins, with the blank lines above, where it ends, and the journal that it names."""
    start, code = -1, document.fenced_lines("".join(rows))
    for at, row in enumerate("" if at in code else row for at, row in enumerate(rows, 1)):
        source = SOURCE.match(row)
        if _DAY.match(row) and start < 0:
            start = _above(rows, at)
        elif source and start >= 0 and not (at + 1 < len(rows) and SOURCE.match(rows[at + 1])):
            yield start, at + 1, source[1]
            start = -1


def setting_pieces(text: str) -> list[TextPiece]:
    """Return CONFIG.md with each setting of its YAML, and what belongs to it, as one piece, all else line by line."""
    pieces: list[TextPiece] = []
    inside = named = False
    for piece in line_pieces(text):
        fenced = fence(piece.key)
        match = _SETTING.match(piece.key) if inside and not fenced else None
        if match:
            pieces.append(TextPiece(f"{match[1]}:", piece.raw, named=True))
        elif named and not fenced and piece.key[:1] in (" ", "\t", "-"):
            pieces[-1] = TextPiece(pieces[-1].key, pieces[-1].raw + piece.raw, named=True)
        else:
            pieces.append(piece)
        inside ^= fenced != ""
        named = pieces[-1].named and inside
    return pieces
