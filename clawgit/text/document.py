"""Markdown as an ordered run of line spans."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit.text import lines

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_LONE_CR = re.compile("\r(?!\n)")
_COMMENT = re.compile(r"\s*<!--(?:(?!-->).)*-->\s*", re.DOTALL)
_LEAVES = {
    "front_matter": "front_matter",
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "fence",
    "code_block": "code",
    "html_block": "html",
    "hr": "rule",
    "blockquote_open": "quote",
}


class Block(Struct, frozen=True):
    """Lines `start` to `end` (from 1, both inside) of one kind.

    Kinds: front_matter heading bullet continuation table_head row paragraph fence code html comment quote
    rule blank. `level` is a heading's 1 to 6 or a bullet's depth from 1, else 0. A continuation is text of a
    bullet after its nested ones.
    """

    kind: str
    start: int
    end: int
    level: int = 0


class Document(Struct, frozen=True):
    """A text as lines (with their ends) and the blocks that cover them without a gap."""

    lines: tuple[str, ...]
    blocks: tuple[Block, ...]

    def source(self, block: Block) -> str:
        """Return the bytes of a block as they stand."""
        return "".join(self.lines[block.start - 1 : block.end])


@lru_cache(maxsize=16)
def parse(text: str) -> Document:
    """Divide any text into blocks, whose sources are the text again."""
    rows = lines.split(text)
    owners: list[tuple[int, str, int]] = [(0, "paragraph", 0)] * len(rows)
    for number, (kind, level, start, end) in enumerate(_spans(_tokens(text)), start=1):
        owners[start:end] = [(number, kind, level)] * (min(end, len(rows)) - start)
    return Document(tuple(rows), tuple(_blocks(rows, owners)))


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - 40 ms that triage must not pay
    from mdit_py_plugins.front_matter import front_matter_plugin  # noqa: PLC0415

    parser = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
    parser.core.ruler.enableOnly(["normalize", "block"])  # spans are all we want
    parser.block.ruler.disable("reference")  # or its lines would belong to nothing
    return parser


def _tokens(text: str) -> "list[Token]":
    harmless = _LONE_CR.sub(" ", text).replace("\0", " ").removeprefix("\ufeff")
    return _parser().parse(harmless)


def _spans(tokens: "list[Token]") -> Iterator[tuple[str, int, int, int]]:
    """Yield kind, level, first line and line after it; an inner span comes after its outer one."""
    depth = quoted = head = 0
    for token in tokens:
        head += token.nesting if token.type.startswith("thead") else 0
        quoted += token.nesting if token.type.startswith("blockquote") else 0
        depth += token.nesting if token.type.startswith("list_item") else 0
        if token.map is None or quoted > (token.type == "blockquote_open"):
            continue
        start, end = token.map
        if token.type == "list_item_open":
            yield "bullet", depth, start, end
        elif depth:
            continue
        elif token.type == "thead_open":
            yield "table_head", 0, start, end + 1
        elif token.type == "tr_open" and not head:
            yield "row", 0, start, end
        elif token.type in _LEAVES:
            level = int(token.tag[1]) if token.type == "heading_open" else 0
            yield _LEAVES[token.type], level, start, end


def _blocks(rows: list[str], owners: list[tuple[int, str, int]]) -> Iterator[Block]:
    seen: set[int] = set()
    at = 1
    for (number, kind, level), run in groupby(owners):
        end = at + len(list(run)) - 1
        first, last = at, end
        while first <= last and lines.is_blank(rows[first - 1]):
            first += 1
        while last > first and lines.is_blank(rows[last - 1]):
            last -= 1
        if first > last:
            yield Block("blank", at, end)
        else:
            if first > at:
                yield Block("blank", at, first - 1)
            yield Block(_kind(kind, rows[first - 1 : last], again=number in seen), first, last, level)
            if last < end:
                yield Block("blank", last + 1, end)
        if number:
            seen.add(number)
        at = end + 1


def _kind(kind: str, rows: list[str], *, again: bool) -> str:
    if kind == "html" and _COMMENT.fullmatch("".join(rows)):
        return "comment"
    return "continuation" if kind == "bullet" and again else kind
