"""Finds the writer's own words in a message."""
# ruff: noqa: RUF001 - the quotation marks of many languages

import re
from collections.abc import Iterable, Iterator

_BLOT = "\0"
_APOSTROPHES = "\u2018\u2019\u201b\u02bc\uff07\u00b4"
_SPACE = "\u00a0"
# Plain strings: `re` compiles them at their first use and keeps them.
_BLOCK = r"(?m)^[ \t]*(>|`{3,}|~{3,})([^\n]*)"
_MARK = r"[\n`\"'“”„«»「」『』‘’]"
_CLOSES = {"“": "„", "”": "“„", "»": "«", "」": "「", "』": "『", "’": "‘"}
_TWINS = frozenset("`\"'")
_OPENS = frozenset("“„«「『‘")


def straighten_quotes(text: str) -> str:
    """Return `text` with every apostrophe the plain one and nothing that UTF-8 lacks; each character stays in place."""
    text = text.encode("utf-8", "replace").decode()
    for mark in "" if text.isascii() else _APOSTROPHES:
        text = text.replace(mark, "'")
    return text.replace(_SPACE, " ")


def own_words(text: str) -> str:
    """Return `straight` text with quotations and code blotted out; each character stays in place."""
    return straighten_quotes(blot_out(blot_out(text, _find_quote_blocks(text)), _quotes(text)))


def blot_out(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text with some spans blotted out; each character stays in place."""
    parts, offset = [], 0
    for start, end in sorted(spans):
        if end > offset:
            parts += [text[offset:start], _BLOT * (end - max(start, offset))]
            offset = end
    return "".join((*parts, text[offset:])) if parts else text


def _find_quote_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of quoted lines and of blocks of code; one that is never closed reaches to the end."""
    fence, start = "", 0
    for line in re.finditer(_BLOCK, text):
        mark, rest = line[1], line[2]
        if fence:
            if mark.startswith(fence) and not rest.strip():
                yield start, line.end()
                fence = ""
        elif mark == ">":
            yield line.span()
        elif mark[0] == "~" or "`" not in rest:
            fence, start = mark, line.start()
    if fence:
        yield start, len(text)


def _quotes(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans between quotation marks, and between ticks, that open and close on one line."""
    starts: dict[str, int] = {}
    for match in re.finditer(_MARK, text):
        mark, offset = match[0], match.start()
        if mark == "\n":
            starts.clear()
            continue
        openers = mark if mark in _TWINS else _CLOSES.get(mark, "")
        opener = next((candidate for candidate in openers if candidate in starts), None)
        # An apostrophe inside of a word closes no quotation.
        if opener is not None and not (mark in "'’" and _letter(text, offset + 1)):
            yield starts.pop(opener), offset + 1
        elif (mark in _TWINS or mark in _OPENS) and not (mark in "'‘" and _letter(text, offset - 1)):
            starts.setdefault(mark, offset)


def _letter(text: str, i: int) -> bool:
    """Return whether there is a letter that may be beside an apostrophe: East Asia writes none."""
    return 0 <= i < len(text) and text[i].isalnum() and not ("\u1100" <= text[i] <= "\u11ff" or text[i] >= "\u2e80")
