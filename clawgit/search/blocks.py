"""Scans Markdown for what belongs together."""

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from clawgit.text.document import Fence, clip_line, fenced_lines
from clawgit.text.front_matter import read_front_matter

BETWEEN = " \u203a "
DAY = re.compile(r"\b(?:19|20)\d\d-[01]\d-[0-3]\d\b")

ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_BOLD = re.compile(r"(?:\*\*|__)([^*_]{1,80})(?:\*\*|__):?[ \t]*$")
_BULLET = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_RULE = re.compile(r" {0,3}(?:([-*_])[ \t]*)(?:\1[ \t]*){2,}$")
_TABLE = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_CHECKBOX = re.compile(r"\[[ xX]\][ \t]+")
_PLAIN_BULLET = "- "
_BOLD_LEVEL = 7
_NESTED = 4


class Row(Struct, frozen=True, gc=False):
    """One line without its end and without comments; `number` counts from 1, `fence` is the code that it is of."""

    number: int
    text: str
    fence: Fence | None = None


class Block(Struct, frozen=True, gc=False):
    """Lines that say one thing. `above` are the parents of a nested bullet, or the head of a table."""

    kind: str
    rows: tuple[Row, ...]
    level: int = 0
    above: tuple[str, ...] = ()
    speaker: str = ""

    @property
    def start(self) -> int:
        """The first line."""
        return self.rows[0].number

    @property
    def end(self) -> int:
        """The last line."""
        return self.rows[-1].number

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
    fenced = fenced_lines(text)
    first = read_front_matter(text).lines
    lines = enumerate(_uncommented(text, fenced)[first:], first + 1)
    return [Row(number, line, fenced.get(number)) for number, line in lines]


def shown(text: str) -> list[str]:
    """Return every line as `rows` has it, those of front matter empty."""
    first = read_front_matter(text).lines
    return [""] * first + _uncommented(text, fenced_lines(text))[first:]


def _uncommented(text: str, fenced: Collection[int]) -> list[str]:
    """Return the lines with HTML comments outside of code blanked out. One that nobody closes is text."""
    lines = text.removeprefix("\ufeff").replace("\0", " ").split("\n")
    last = max((at for at, line in enumerate(lines) if "-->" in line), default=-1) if "<!--" in text else -1
    open_ = False
    for at, line in enumerate(lines[: last + 1]):
        if at + 1 not in fenced:
            lines[at], open_ = _outside(line, open_=open_, closed=at < last)
    return [clip_line(line.rstrip("\r \t")) for line in lines]


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
    """Yield headings, bullets with what is nested in them, rows of tables, fences and paragraphs."""
    at = 0
    while at < len(lines):
        line = lines[at].text
        if not line.strip():
            at += 1
            continue
        end, found = _next(lines, at, line)
        yield from found
        at = end


def _next(lines: Sequence[Row], at: int, line: str) -> tuple[int, list[Block]]:
    """Return where the block that begins at `at` ends, and what it comes to."""
    if (fence := lines[at].fence) and not fence.nested:
        end = at + 1
        while end < len(lines) and lines[end].fence is fence:
            end += 1
        return end, [Block("code", tuple(lines[at:end]))]
    bullet = line.startswith(_PLAIN_BULLET) and not _RULE.match(line)  # as most lines are: nothing else need be asked
    if not bullet and (level := _heading_level(lines, at)):
        return at + 1, [Block("heading", (lines[at],), level)]
    if not bullet and _RULE.match(line):
        return at + 1, []
    if bullet or _BULLET.match(line):
        end = _bullet_end(lines, at)
        return end, [Block("bullet", tuple(lines[at:end]))]
    if _opens_table(lines, at):
        return _table(lines, at)
    return _paragraph(lines, at)


def _paragraph(lines: Sequence[Row], at: int) -> tuple[int, list[Block]]:
    """Return where a paragraph ends, and what it is: with a line of `=` or `-` right below it is a heading."""
    end = at + 1
    while end < len(lines) and not _interrupts(lines, end):
        end += 1
    for number in () if lines[at].text.startswith((" " * 4, "\t")) else range(at, min(end + 1, len(lines))):
        if lines[number].text.lstrip().startswith(">"):
            break
        if number > at and (under := _SETEXT.match(lines[number].text)):
            return number + 1, [Block("heading", tuple(lines[at : number + 1]), 1 if under[1][0] == "=" else 2)]
    return end, [Block("paragraph", tuple(lines[at:end]))]


def _heading_level(lines: Sequence[Row], at: int) -> int:
    if atx := ATX.match(lines[at].text):
        return len(atx[1])
    return _BOLD_LEVEL if _BOLD.match(lines[at].text) and (at == 0 or not lines[at - 1].text.strip()) else 0


def _bullet_end(lines: Sequence[Row], at: int) -> int:
    """Return where a bullet ends with all that is nested in it."""
    if at + 1 < len(lines) and lines[at + 1].text.startswith(_PLAIN_BULLET):  # as most do
        return at + 1
    marker = _BULLET.match(lines[at].text)
    depth = len(marker[1].expandtabs(_NESTED)) if marker else 0
    end, blank = at + 1, marker is not None and marker.end() == len(lines[at].text)
    while end < len(lines):
        line, fence = lines[end].text, lines[end].fence
        if line.startswith(_PLAIN_BULLET) or (fence and not fence.nested):
            break
        if not line.strip():
            blank, end = True, end + 1
            continue
        indent = len(line.expandtabs(_NESTED)) - len(line.expandtabs(_NESTED).lstrip())
        lazy = not (blank or lines[end - 1].fence or _starts(line))
        if indent <= depth and not lazy:
            break
        blank, end = False, end + 1
    while not lines[end - 1].text.strip():
        end -= 1
    return end


def _starts(line: str) -> bool:
    """Return whether a line begins a block of its own, even right below another."""
    return bool(_BULLET.match(line) or ATX.match(line) or _RULE.match(line))


def _interrupts(lines: Sequence[Row], at: int) -> bool:
    line = lines[at].text
    return not line.strip() or lines[at].fence is not lines[at - 1].fence or _starts(line) or _opens_table(lines, at)


def _opens_table(lines: Sequence[Row], at: int) -> bool:
    if at + 1 == len(lines) or not _TABLE.match(lines[at].text) or not _DELIMITER.match(lines[at + 1].text):
        return False
    return "|" in lines[at + 1].text or "|" not in lines[at].text.strip(" \t|")


def _table(lines: Sequence[Row], at: int) -> tuple[int, list[Block]]:
    head = " ".join(lines[at].text.replace("|", " ").split())
    end = at + 2
    while end < len(lines) and lines[end].text.lstrip().startswith("|"):
        end += 1
    found = [Block("row", (row,), above=(head,)) for row in lines[at + 2 : end]]
    return end, found or [Block("row", (lines[at],))]


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
