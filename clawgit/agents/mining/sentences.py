"""Cuts a message into sentences."""
# ruff: noqa: RUF001 -- the marks of many scripts

import re
from collections.abc import Iterator
from dataclasses import dataclass

from clawgit.agents.mining.listed import listed

_END = re.compile(
    r"[.!?…]+[\"')\]”’»*_]*(?=\s|$|[\u2600-\u27bf\U0001f000-\U0001faff])"
    r"|[。！？｡]+[」』）)”’]*"
    r"|[\u2600-\u27bf\U0001f000-\U0001faff][\ufe0f\u200d\U0001f3fb-\U0001f3ff\u2600-\u27bf\U0001f000-\U0001faff]*(?=\s|$)"
)
_EMOJI = re.compile(r"[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f\u200d]+\s*")
_SHORT = listed(
    "mr mrs ms dr prof st sr jr vs etc e.g i.e eg ie approx no nr ca z.b d.h bzw usw u.a p.m a.m inc ltd co dept"
    " fig vol jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun min max sra dra av ave"
)
_INNER = listed("mr mrs ms dr prof st vs e.g i.e eg ie approx nr ca z.b d.h bzw u.a sra dra")
"""Abbreviations after which a sentence goes on even before a capital."""
_LAST = re.compile(r"[\w.]+\Z")
_MARKER = re.compile(r"[ \t]*(?:[-*+•‣▪◦–—·]+[ \t]+|\(?\d{1,2}[.)][ \t]+|\[[ xX]\][ \t]+|[#>]+[ \t]*)*")
_WRAPPED = 60
_LINE = re.compile(r"[^\n]+")
_BLANK = " \t\r\n\f\v\u3000\u00a0"
_CONTEXT = 24
_YEAR = 3
_CLOSED = frozenset(".!?…。！？｡)\"'”’」』）*_~\0")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters `start` to `end` (exclusive) of a message; `own` are its words with what is quoted blotted out.

    `ended` tells whether a mark ends it, `block` in which paragraph it stands, `bullet` whether that is one of a list.
    """

    start: int
    end: int
    own: str
    ended: bool
    block: int
    bullet: bool


def sentences(own: str) -> Iterator[Sentence]:
    """Yield the sentences of a message, given with what is not its writer's word blotted out, in order."""
    for number, (start, end, bullet) in enumerate(_blocks(own)):
        begun = start
        for mark in _END.finditer(own, start, end):
            if mark.end() < end and _goes_on(own, mark, end):
                continue
            yield from _sentence(own, begun, mark.end(), number, bullet=bullet)
            begun = mark.end()
        yield from _sentence(own, begun, end, number, bullet=bullet)


def _blocks(own: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the spans of lines without their bullets; lines that were only wrapped are one."""
    start = end = -1
    bullet = False
    for line in _LINE.finditer(own):
        marker = _MARKER.match(own, line.start(), line.end())
        at = marker.end() if marker else line.start()
        if start >= 0 and _wrapped(own, start, end, line.start(), at):
            end = line.end()
            continue
        if start >= 0:
            yield start, end, bullet
        start, end, bullet = at, line.end(), at > line.start() and own[line.start() : at].strip() != ""
    if start >= 0:
        yield start, end, bullet


def _wrapped(own: str, start: int, end: int, line: int, at: int) -> bool:
    """Tell whether the line at `line` goes on with the sentence before it."""
    before = own[max(start, own.rfind("\n", start, end) + 1) : end]
    return (
        line == end + 1
        and at == line
        and len(before) >= _WRAPPED
        and before[-1] not in ".!?…。！？:"
        and own[at : at + 1].islower()
    )


def _goes_on(own: str, mark: "re.Match[str]", end: int) -> bool:
    """Tell whether a sentence goes on after what looks like its end."""
    after = own[mark.end() : mark.end() + _CONTEXT].lstrip()
    said = mark[0]
    if said[0] not in ".…" or mark.end() >= end:
        return bool(_EMOJI.match(said)) and after[:1].islower()
    return after[:1].islower() or (said == "." and _shortened(own, mark.start(), after))


def _shortened(own: str, at: int, after: str) -> bool:
    """Tell whether the point at `at` ends an abbreviation, an initial, or a number that counts."""
    found = _LAST.search(own, max(0, at - _CONTEXT), at)
    word = found[0].lower() if found else ""
    if len(word) == 1 and word.isalpha():
        return word != "i"
    if word.isdecimal() and len(word) < _YEAR:  # a day, as in `20. Juni`
        return bool(_MONTH.match(after))
    return word in _INNER or (word in _SHORT and after[:1].isdigit())


_MONTH = re.compile(r"(?:Jan|Feb|M[äa]r|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)")


def _sentence(own: str, start: int, end: int, block: int, *, bullet: bool) -> Iterator[Sentence]:
    """Yield a sentence without the blanks and emojis around it, if it has a word."""
    said = own[start:end]
    start += len(said) - len(said.lstrip(_BLANK))
    if not said.isascii() and (lead := _EMOJI.match(own, start, end)):
        start = lead.end()
    kept = own[start:end].rstrip(_BLANK)
    if any(map(str.isalnum, kept)):
        ended = kept[-1] in _CLOSED or bool(_EMOJI.match(kept[-1]))
        yield Sentence(start, start + len(kept), kept, ended, block, bullet)
