"""A text as a tree of items, read fast."""

import re
import unicodedata
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from msgspec import Struct

from clawgit.text import document

_QUOTES = str.maketrans(
    dict.fromkeys("‘’‚‛′´", "'") | dict.fromkeys("“”„‟«»″", '"') | {"\ufeff": None, "\0": " "}  # noqa: RUF001
)
_EMPHASIS = r"\*+(?=[^\s*])|(?<=[^\s*])\*+|(?<![\w_])_+(?=[^\s_])|(?<=[^\s_])_+(?![\w_])"
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_DENSE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_SPACE = rf" (?=[{_DENSE}])|(?<=[{_DENSE}]) |(?<=\w-) (?=\w)"  # compiled where it is wanted: that takes 4 ms
_DRESSED = re.compile(r"[^ -~]|[*_\\`]|- |  ")


@lru_cache(maxsize=16_384)
def wording(text: str) -> str:
    """Return the words of a text: spaces, line breaks, quotes, emphasis, escapes and forms of letters do not count.

    Case does, and so do numbers and punctuation. Texts of one wording say the same; this is stricter than what makes
    two entries one.
    """
    if not _DRESSED.search(text):
        return text.strip()
    plain = _ESCAPE.sub("", text)
    plain = plain if plain.isascii() else unicodedata.normalize("NFKC", plain)
    plain = re.sub(_EMPHASIS, "", plain.translate(_QUOTES))
    return re.sub(_SPACE, "", " ".join(plain.split()))


_BULLET = re.compile(r"([-*+]|\d{1,9}[.)])(?:([ \t]+)(?=\S)|[ \t]*$)")
_RULE = re.compile(r"([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_UNDER = re.compile(r"(?:=+|-{2,})[ \t]*$")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_HEADING = re.compile(r"(#{1,6})(?:[ \t]|$)")
_DELIMITER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_CODE = 4


class Shape(NamedTuple):
    """What a line opens, or goes on with.

    `kind` is blank, fence, comment, heading, bullet, rule, under (what makes a heading of the paragraph above it) or
    text. The line begins at column `indent`, its words at `content`; `mark` is the bullet's, fence's or heading's.
    """

    kind: str
    indent: int = 0
    content: int = 0
    mark: str = ""


_BLANK = Shape("blank")


@lru_cache(maxsize=16_384)
def shape(row: str) -> Shape:
    """Return the shape of a line without its end; a tab counts to the next fourth column."""
    body = row.lstrip(" \t")
    if not body.strip("\r"):
        return _BLANK
    space = row[: len(row) - len(body)]
    indent = len(space.expandtabs(4)) if "\t" in space else len(space)
    first = body[0]
    if first in "-*+=_" or first.isdigit():
        return _listed(body, indent)
    if first in "`~" and (match := _FENCE.match(body)):
        return Shape("fence", indent, indent, match[1] or match[2])
    if first == "#" and indent < _CODE and (match := _HEADING.match(body)):
        return Shape("heading", indent, indent, match[1])
    return Shape("comment" if body.startswith("<!--") else "text", indent, indent)


def _listed(body: str, indent: int) -> Shape:
    if body[0] in "-=" and indent < _CODE and _UNDER.match(body):
        return Shape("under", indent, indent, body.rstrip(" \t")[:3])
    if body[0] in "-*_" and _RULE.match(body):
        return Shape("rule", indent, indent)
    match = _BULLET.match(body)
    if not match:
        return Shape("text", indent, indent)
    gap = len((match[2] or " ").expandtabs(4))
    width = len(match[1]) + (gap if gap <= _CODE else 1)
    return Shape("bullet", indent, indent + width, match[1])


def is_delimiter(row: str) -> bool:
    """Tell whether this is the line between a table's head and its rows."""
    return "-" in row and bool(_DELIMITER.match(row.strip(" \t")))


def cells(row: str) -> list[str]:
    """Return the cells of a table's line."""
    plain = row.strip(" \t\r").removeprefix("|")
    plain = plain.removesuffix("|") if not plain.endswith("\\|") else plain
    return re.split(r"(?<!\\)\|", plain)


_BOX = re.compile(r"\[([ xX])\](?:[ \t]+|$)")
_CLOSING = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_QUOTE = re.compile(r"[ \t]*>[ \t]?")
_FRONT = "---"
_CODE_ITEM = 4  # columns


class Item(Struct):
    """Lines `start` to `end` (from 0, the end outside) that say one thing.

    Kinds: heading bullet head row text fence comment front rule. `parent` and `section` are numbers of items, or -1.
    The words of a bullet begin at column `content` behind its `mark`. `key` is what it says ("" says nothing),
    `checked` its box, None without one. `level` is a heading's.
    """

    kind: str
    start: int
    end: int
    parent: int = -1
    section: int = -1
    level: int = 0
    indent: int = 0
    content: int = 0
    mark: str = ""
    key: str = ""
    checked: bool | None = None


class Sheet(Struct, frozen=True):
    """A text as lines with their ends, and its items in order."""

    rows: list[str]
    items: list[Item]

    def source(self, item: Item) -> list[str]:
        """Return the lines of an item without their ends, nor a mark of byte order."""
        found = [row.rstrip("\r\n") for row in self.rows[item.start : item.end]]
        return [found[0].removeprefix("\ufeff"), *found[1:]] if item.start == 0 else found


def sheet(text: str) -> Sheet:
    """Divide a text into items. Never fails: what is no other kind is text."""
    rows = document.split(text)
    plain = [row.rstrip("\r\n") for row in rows]
    if plain:
        plain[0] = plain[0].removeprefix("\ufeff")
    reader = _Reader(plain)
    reader.read()
    for item in reader.items:
        item.key, item.checked = _key(item, plain)
    return Sheet(rows, reader.items)


class _Reader:
    """The items found so far, and which of them are still open."""

    def __init__(self, rows: list[str]) -> None:
        self.rows = rows
        self.items: list[Item] = []
        self.heads: list[int] = []
        self.bullets: list[int] = []
        self.open: Item | None = None  # what a line without a marker goes on with
        self.gap = False

    def read(self) -> None:
        at = self._front()
        rows, count = self.rows, len(self.rows)
        while at < count:
            seen = shape(rows[at])
            if seen.kind == "blank":
                self.gap = True
                at += 1
                continue
            at = self._line(at, seen)
            self.gap = False

    def _front(self) -> int:
        """Read front matter, and return the line after it."""
        if not self.rows or self.rows[0].rstrip() != _FRONT:
            return 0
        end = next((at for at, row in enumerate(self.rows) if at and row.rstrip() == _FRONT), 0)
        if end:
            self.items.append(Item("front", 0, end + 1))
        return end + 1 if end else 0

    def _line(self, at: int, seen: Shape) -> int:
        """Read the item that begins here, or goes on, and return the line after it."""
        kind, fresh = seen.kind, self.open is None or self.gap
        if kind in {"fence", "comment"} and (fresh or seen.indent < _CODE_ITEM or self.bullets):
            return self._block(at, seen)
        if "|" in self.rows[at] and kind == "text" and self._is_head(at):
            return self._table(at, seen)
        if kind == "heading":
            self._head(Item("heading", at, at + 1, level=len(seen.mark)))
        elif kind == "bullet" and (fresh or not self._runs_on(seen)):
            self._bullet(at, seen)
        elif kind == "rule" or (kind == "under" and not self._titles(at, seen) and seen.mark == "---"):
            self.open = None
            self._leaf(Item("rule", at, at + 1), seen)
        elif self.items and self.items[-1].kind == "heading" and self.items[-1].end == at + 1:
            pass  # the line of marks has made a heading of what stands above it
        else:
            self._text(at, seen, fresh=fresh)
        return at + 1

    def _runs_on(self, seen: Shape) -> bool:
        """Tell whether what looks like a bullet goes on with a paragraph: no number but 1 begins a list there."""
        if not seen.mark[0].isdigit() or int(seen.mark[:-1]) == 1 or self.open is None:
            return False
        return self.open.kind != "bullet" or seen.indent >= self.open.content

    def _head(self, item: Item) -> None:
        while self.heads and self.items[self.heads[-1]].level >= item.level:
            self.heads.pop()
        item.parent = item.section = self.heads[-1] if self.heads else -1
        self.bullets.clear()
        self.open = None
        self.items.append(item)
        self.heads.append(len(self.items) - 1)

    def _titles(self, at: int, seen: Shape) -> bool:
        """Make a heading of the paragraph above a line of marks."""
        item = self.open
        if item is None or self.gap or item.kind != "text" or self.bullets:
            return False
        self.items.pop()
        self._head(Item("heading", item.start, at + 1, level=1 if seen.mark[0] == "=" else 2))
        return True

    def _bullet(self, at: int, seen: Shape) -> None:
        item = Item("bullet", at, at + 1, indent=seen.indent, content=seen.content, mark=seen.mark)
        self._leaf(item, seen)
        self.bullets.append(len(self.items) - 1)
        self.open = item

    def _leaf(self, item: Item, seen: Shape) -> None:
        """Add an item under the bullet that its column belongs to, or the heading."""
        while self.bullets and self.items[self.bullets[-1]].content > seen.indent:
            self.bullets.pop()
        item.section = self.heads[-1] if self.heads else -1
        item.parent = self.bullets[-1] if self.bullets else item.section
        self.items.append(item)

    def _block(self, at: int, seen: Shape) -> int:
        """Add a fence or comment; one that stands in a bullet is a part of it."""
        end = self._closed(at, seen)
        last = self.items[-1] if self.items else None
        if last is not None and last.kind == "bullet" and seen.indent >= last.content:
            last.end, self.open = end, last
            return end
        self.open = None
        self._leaf(Item(seen.kind, at, end, indent=seen.indent), seen)
        return end

    def _closed(self, at: int, seen: Shape) -> int:
        if seen.kind == "comment":
            ends = (here for here in range(at, len(self.rows)) if "-->" in self.rows[here])
        else:
            ends = (here for here in range(at + 1, len(self.rows)) if _closes(self.rows[here], seen.mark))
        return next(ends, len(self.rows) - 1) + 1

    def _is_head(self, at: int) -> bool:
        under = self.rows[at + 1] if at + 1 < len(self.rows) else ""
        return "|" in under and is_delimiter(under) and len(cells(under)) == len(cells(self.rows[at]))

    def _table(self, at: int, seen: Shape) -> int:
        self._leaf(Item("head", at, at + 2, indent=seen.indent), seen)
        head, section = len(self.items) - 1, self.items[-1].section
        end = at + 2
        for row in takewhile(_is_row, self.rows[at + 2 :]):
            self.items.append(Item("row", end, end + 1, head, section, indent=shape(row).indent))
            end += 1
        self.open = None
        return end

    def _text(self, at: int, seen: Shape, *, fresh: bool) -> None:
        item = self.open
        if item is not None and (not fresh or (item.kind == "bullet" and seen.indent >= item.content)):
            item.end = at + 1
            return
        self.open = Item("text", at, at + 1, indent=seen.indent)
        self._leaf(self.open, seen)


def _is_row(row: str) -> bool:
    return shape(row).kind == "text" and not _QUOTE.match(row)


def _closes(row: str, mark: str) -> bool:
    plain = row.strip(" \t")
    return plain.startswith(mark) and not plain.strip(mark[0])


def _key(item: Item, rows: list[str]) -> tuple[str, bool | None]:
    own = rows[item.start : item.end]
    match item.kind:
        case "bullet":
            return _bullet_key(item, own)
        case "heading":
            key = wording(heading_title(own))
        case "row" | "head":
            key = "|".join(wording(cell) for cell in cells(own[0]))
        case "text":
            key = wording("\n".join(_QUOTE.sub("", row, count=1) if ">" in row else row for row in own))
        case "fence":
            key = "\n".join(
                ["```" + own[0].strip(" \t`~"), *(row.strip() for row in own[1:] if not _closes(row, "```"))]
            )
        case "rule":
            key = ""
        case _:
            key = " ".join("\n".join(own).split())
    return key, None


def _bullet_key(item: Item, own: list[str]) -> tuple[str, bool | None]:
    first, box = body(item, own[0])
    words = wording(first) if len(own) == 1 else wording("\n".join([first, *own[1:]]))
    return words, box


def body(item: Item, row: str) -> tuple[str, bool | None]:
    """Return the words of a bullet's first line without marker and box, and whether the box is checked."""
    words = row.lstrip(" \t\ufeff")[len(item.mark) :].lstrip(" \t")
    box = _BOX.match(words)
    return (words[box.end() :], box[1] != " ") if box else (words, None)


def heading_title(rows: list[str]) -> str:
    """Return the words of a heading, of either style."""
    if len(rows) > 1:
        return "\n".join(rows[:-1])
    return _CLOSING.sub("", rows[0].strip(" \t\ufeff").lstrip("#"))
