"""Scans Markdown for what belongs together."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from clawgit.text import document
from clawgit.text.front_matter import read_front_matter

BETWEEN = " \u203a "
DAY = re.compile(r"\b(?:19|20)\d\d-[01]\d-[0-3]\d\b")

ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_BOLD = re.compile(r"(?:\*\*|__)([^*_]{1,80})(?:\*\*|__):?[ \t]*$")
_BULLET = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_CHECKBOX = re.compile(r"\[[ xX]\][ \t]+")
_LINES_ABOVE = document.ABOVE.count("\n")
_EMPTY = ("blank", "rule", "comment")
_BOLD_LEVEL = 7
_NESTED = 4


class Row(Struct, frozen=True, gc=False):
    """One line without its end and without comments; `number` counts from 1."""

    number: int
    text: str


class Block(Struct, frozen=True, gc=False):
    """Lines that say one thing. `above` are the parents of a nested bullet, or the head of a table."""

    kind: str
    rows: tuple[Row, ...]
    level: int = 0
    above: tuple[str, ...] = ()
    speaker: str = ""

    @property
    def text(self) -> str:
        """What the lines say; of a heading its title."""
        said = "\n".join(row.text for row in self.rows)
        if self.kind != "heading":
            return said
        first = " ".join(row.text for row in self.rows[:-1] or self.rows)
        found = ATX.match(first) or _BOLD.match(first)
        return (found[found.lastindex or 0] if found and found.lastindex else first).strip(" \t#*_:")


def rows(text: str) -> list[Row]:
    """Return the lines, without front matter and comments; what a comment leaves empty counts as blank."""
    first = read_front_matter(text).lines
    return [Row(number, line) for number, line in enumerate(_uncommented(text)[first:], first + 1)]


def shown(text: str) -> list[str]:
    """Return every line as `rows` has it, those of front matter empty."""
    first = read_front_matter(text).lines
    return [""] * first + _uncommented(text)[first:]


def _uncommented(text: str) -> list[str]:
    """Return the lines with HTML comments outside of code blanked out. One that nobody closes is text."""
    fenced = document.fenced_lines(text)
    lines = text.removeprefix("\ufeff").replace("\0", " ").split("\n")
    last = max((at for at, line in enumerate(lines) if "-->" in line), default=-1) if "<!--" in text else -1
    open_ = False
    for at, line in enumerate(lines[: last + 1]):
        if at + 1 not in fenced:
            lines[at], open_ = _outside(line, open_=open_, closed=at < last)
    return [document.clip_line(line.rstrip("\r \t")) for line in lines]


def _outside(line: str, *, open_: bool, closed: bool) -> tuple[str, bool]:
    """Return what of a line is outside of comments, and whether one is left open, which a later line has `closed`."""
    kept, at = "", 0
    while at < len(line):
        if open_:
            end = line.find("-->", at)
            if end < 0:
                return kept, True
            at, open_ = end + 3, False
            continue
        start = line.find("<!--", at)
        coded = start >= 0 and line.count("`", 0, start) % 2
        if start < 0 or coded or not (closed or "-->" in line[start:]):
            return kept + line[at:], False
        kept += line[at:start]
        at, open_ = start + 4, True
    return kept, open_


def blocks(lines: Sequence[Row]) -> Iterator[Block]:
    """Yield headings, bullets with what is nested in them, rows of tables, code and paragraphs."""
    found: list[document.Block] = []
    for block in document.parse(document.ABOVE + "\n".join(row.text for row in lines)).blocks[2:]:
        is_nested = block.kind == "continuation" or (block.kind == "bullet" and block.level > 1)
        if is_nested and found:
            found[-1] = replace(found[-1], end=block.end)
        elif block.kind not in _EMPTY:
            found.append(block)
    head = ""
    for block, after in zip_longest(found, found[1:]):
        first = block.start - 1 - _LINES_ABOVE
        some = tuple(lines[first : block.end - _LINES_ABOVE])
        if block.kind == "table_head":
            head = " ".join(some[0].text.replace("|", " ").split())
            if not after or after.kind != "row":
                yield Block("row", some[:1])
        elif block.kind == "row":
            yield Block("row", some, above=(head,))
        elif block.kind in ("heading", "bullet", "fence"):
            yield Block("code" if block.kind == "fence" else block.kind, some, block.level)
        elif _BOLD.match(some[0].text) and not (first and lines[first - 1].text.strip()):
            yield Block("heading", some[:1], _BOLD_LEVEL)
            yield from [Block("paragraph", some[1:])] if some[1:] else ()
        else:
            yield Block("paragraph", some)


def unmarked(line: str) -> str:
    """Return what a bullet says: no marker, no checkbox."""
    marker = _BULLET.match(line)
    said = line[marker.end() :] if marker else line.strip(" \t")
    box = _CHECKBOX.match(said)
    return said[box.end() :] if box else said


def marked(line: str) -> int | None:
    """Return how deep a bullet stands; None for a line that begins none."""
    found = _BULLET.match(line)
    return len(found[1].expandtabs(_NESTED)) if found else None


class Sizes(Struct, frozen=True):
    """How long a piece is at most, and how much of the one before it repeats, in tokens of four letters.

    Larger ones than 120 find less of long messages, smaller ones of turns; code is cut at 400.
    """

    tokens: int = 120
    overlap: int = 0

    @property
    def most(self) -> int:
        """Letters of a piece."""
        return _LETTERS * self.tokens

    @property
    def code(self) -> int:
        """Letters of a piece of code."""
        return self.most * 10 // 3

    @property
    def repeated(self) -> int:
        """Letters of the piece before, no more than half of one."""
        return min(_LETTERS * self.overlap, self.most // 2)


_LETTERS = 4
SIZES = Sizes()
LARGEST = SIZES.most
_SENTENCE = re.compile(r"(?<=[.!?…;:])\s+|(?<=[\u3002\uff01\uff1f\uff1b])")


class Piece(Struct, frozen=True, gc=False):
    """A part of a block that says enough to be found; several may stand on one long line."""

    start: int
    end: int
    text: str


def pieces(block: Block, sizes: Sizes = SIZES) -> Iterator[Piece]:
    """Return the pieces of a block: all of it where it is short, else by bullets, lines, sentences, letters.

    Each but the first begins with the end of the one before, as far as `sizes` wants it.
    """
    if len(block.rows) == 1 and len(block.rows[0].text) < sizes.most:  # as most are
        return iter((_piece(block.rows),))
    found = _pieces(block, sizes)
    return _overlapping(found, sizes.repeated) if sizes.overlap else found


def _overlapping(found: Iterator[Piece], letters: int) -> Iterator[Piece]:
    before: Piece | None = None
    for one in found:
        said = _end_of(before.text, letters) if before else ""
        if before and said:
            rows = before.end - said.count("\n") if before.start < before.end else before.start
            joint = " " if one.start <= before.end else "\n"
            yield Piece(max(rows, before.start), one.end, f"{said}{joint}{one.text}")
        else:
            yield one
        before = one


def _end_of(text: str, letters: int) -> str:
    """Return the last words of a text, in so many letters, from the beginning of a line where one lies there."""
    if len(text) <= letters:
        return text
    end = text[-letters:]
    for mark in ("\n", " "):
        if mark in end.strip():
            return end.split(mark, 1)[1].lstrip()
    return end


def _pieces(block: Block, sizes: Sizes) -> Iterator[Piece]:
    most = sizes.code if block.kind == "code" else sizes.most
    if sum(len(row.text) + 1 for row in block.rows) <= most:
        yield _piece(block.rows)
        return
    for rows in _groups(block, most):
        if len(rows) == 1 and len(rows[0].text) > most:
            number = rows[0].number
            yield from (Piece(number, number, text) for text in sentences(rows[0].text, most))
        else:
            yield _piece(rows)


def _piece(rows: tuple[Row, ...]) -> Piece:
    said = "\n".join([row.text for row in rows]) if len(rows) > 1 else rows[0].text
    return Piece(rows[0].number, rows[-1].number, said.strip())


def _groups(block: Block, most: int) -> Iterator[tuple[Row, ...]]:
    """Yield lines that stand together: a new bullet or a blank line begins another group, and so does a full one."""
    group: list[Row] = []
    size, blank = 0, False
    for row in block.rows:
        if not row.text.strip():
            blank = True
            continue
        begins = blank or (block.kind != "code" and marked(row.text) is not None)
        if group and ((begins and size > most // 3) or size + len(row.text) > most):
            yield tuple(group)
            group, size = [], 0
        group.append(row)
        size, blank = size + len(row.text) + 1, False
    if group:
        yield tuple(group)


def sentences(line: str, most: int) -> Iterator[str]:
    """Yield parts of a long line, each of at most so many letters: sentences where there are any, else words."""
    held = ""
    for said in _SENTENCE.split(line):
        if held and len(held) + len(said) >= most:
            yield held
            held = ""
        held = f"{held} {said}" if held else said
        while len(held) > most:
            cut = held.rfind(" ", most // 2, most)
            cut = cut if cut > 0 else most
            yield held[:cut]
            held = held[cut:].lstrip()
    if held.strip():
        yield held
