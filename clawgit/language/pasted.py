"""Finds the typed, not pasted, part of a message."""

import re
from collections.abc import Iterator, Sequence

from clawgit.language import detect
from clawgit.language.own_words import blot_out, own_words

_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_SIGNS = (
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d[\].,]",  # logs
    r"Traceback \(|File \"|at [\w.$<>/]+\(",
    r"[{}<|]|\"[\w.-]+\" *:|diff --git |@@ |[-+]{3} [ab/]|[$#%>] ?\S",
)
_MACHINE = re.compile(rf"^[ \t]*(?:{'|'.join(_SIGNS)})")
_CODE = re.compile(
    r"^[ \t]*(?:(?:def|class|function|const|let|var|import|return|public|private|func|SELECT|INSERT|UPDATE)\b"
    r"[^\n]*(?:[{};=(:]|\(\)|\))|[^\n]*[;{]|[\w.]*(?:Error|Exception)\b[^\n]*:[^\n]*)[ \t]*$"
)
_FIELD = re.compile(
    r"^[ \t]*[A-Z\u00c0-\u024f\u0400-\u04ff\u3040-\u9fff\uac00-\ud7a3][^\n:\uff1a]{0,18}[:\uff1a][ \t]*\S"
)
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.\w|\bRe: |\bFwd: ")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+\S")
_TITLE, _LONG, _BRIEF, _PARAGRAPHS, _LINES = 90, 900, 240, 3, 3
"""Letters of a title, of what is pasted, of the words before it; its paragraphs, lines of machines."""
_WIDE = 2
"""Latin letters that carry as much as one of East Asia."""
_PROSE = 160
_RULE = re.compile(r"\n[ \t]*(?:-{3,}|[\u2013\u2014\u2500]{2,}|[_=*]{3,})[ \t]*\n")
_SPEAKER = re.compile(r"(?im)^[ \t]*(?:system|developer|user|human|assistant|tool)[ \t]*[:\uff1a]")
_ANSWER = re.compile(r"(?i)\n[ \t]*assistant[ \t]*[:\uff1a]")
CHAT_MARKS = re.compile(
    r"<\|[^|<>\n]{1,40}\|>|<\uff5c[^\uff5c<>\n]{1,40}\uff5c>|\[/?INST\]|<</?SYS>>|</?s>|<(?:start|end)_of_turn>"
)
"""What a model takes for the beginning of a message."""
_ASKS = frozenset("?\uff1f:\uff1a")
_ENDS = frozenset(".!?\u2026\u3002\uff01\uff1f:\uff1a;,\uff0c\u3001")


def own_talk(text: str) -> str:
    """Return a message with quotations, code, and pasted text blotted out; each character stays in place.

    Pasted is a text of several paragraphs that is long or has a title, a log, code or a mail, and text under a
    rule when the words above it ask or announce; a talk with a model that names its speakers from the first line on, or
    has its marks. A few words before it stay: they are the request about it.
    """
    own = own_words(text)
    return blot_out(own, _pasted(text, own))


def _pasted(text: str, own: str) -> Iterator[tuple[int, int]]:
    blocks = list(_split_blank_blocks(text))
    yield from _machine_lines(text)
    rule = _RULE.search(text)
    preface = text[: rule.start()].strip() if rule else ""
    if rule and preface[-1:] in _ASKS and weight(preface) <= _BRIEF:
        yield rule.end(), len(own)
    if _ANSWER.search(text) and (talk := _SPEAKER.search(text)):
        yield talk.start(), len(own)
    if mark := CHAT_MARKS.search(text):
        yield mark.start(), len(own)
    if not blocks:
        return
    opening = text[slice(*blocks[0])].strip()  # a sentence that speaks of what follows, rather than a title
    is_sentence = opening[-1] in _ENDS and "\n" not in opening and not _HEADING.match(opening)
    rest = blocks[1:] if len(blocks) > 1 and is_sentence and weight(opening) <= _BRIEF else blocks
    block = text[rest[0][0] : rest[-1][1]]
    if _mail(block) or _article(text, rest):
        yield rest[0][0], len(own)


def _split_blank_blocks(text: str) -> Iterator[tuple[int, int]]:
    offset = 0
    for gap in (*_BLANK_LINE.finditer(text), None):
        end = gap.start() if gap else len(text)
        if text[offset:end].strip():
            yield offset, end
        offset = gap.end() if gap else end


def _machine_lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield runs of lines as machines write them, and of code: three, or two that are all of a message."""
    run: list[tuple[int, int]] = []
    offset = 0
    lines = text.split("\n")
    # The empty line at the end closes the last run.
    for line in (*lines, ""):
        if _MACHINE.match(line) or _CODE.match(line):
            run.append((offset, offset + len(line)))
        elif line.strip() or offset >= len(text):
            if len(run) >= _LINES or (run and len(run) * 2 > sum(bool(item.strip()) for item in lines)):
                yield run[0][0], run[-1][1]
            run = []
        offset += len(line) + 1


def _mail(text: str) -> bool:
    """Return whether fields of a mail are at the head: two lines with a name and a colon, an address among them."""
    head = [line for line in text.split("\n") if line.strip()][:6]
    fields = [line for line in head if _FIELD.match(line)]
    return len(fields) > 1 and any(map(_ADDRESS.search, fields)) and text.count("\n") >= len(fields)


def _article(text: str, blocks: Sequence[tuple[int, int]]) -> bool:
    """Return whether paragraphs are a text of their own: long and several, or under a title."""
    paragraphs = [text[start:end].strip() for start, end in blocks]
    long = sum(map(weight, paragraphs))
    first = paragraphs[0]
    is_title = "\n" not in first and weight(first) <= _TITLE and first[-1] not in _ENDS and len(first) > 1
    titled = len(paragraphs) > 1 and (is_title or bool(_HEADING.match(first))) and weight(paragraphs[1]) >= _PROSE
    return (long >= _LONG and len(paragraphs) >= _PARAGRAPHS) or titled or (long >= 2 * _LONG and len(paragraphs) > 1)


def weight(text: str) -> int:
    """Return how long a text is in letters of Latin; one of East Asia counts for three."""
    if text.isascii():
        return len(text)
    return len(text) + _WIDE * sum(map(detect.eastern, text))
