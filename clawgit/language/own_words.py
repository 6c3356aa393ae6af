"""The writer's own words, negation and standing orders."""

# ruff: noqa: RUF001 - the quotation marks of many languages

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from clawgit.language import lexicon
from clawgit.language.sentences import count_words, sentences

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


@cache
def denial_words(languages: tuple[str, ...], key: str = "negations") -> frozenset[str]:
    """Return the words, and letters of East Asia, that deny in some languages; under `refusals` those that forbid."""
    return frozenset(word for iso in languages for word in lexicon.words(iso, "logic", key))


@cache
def finder(phrases: tuple[str, ...]) -> "re.Pattern[str]":
    """Return a pattern for phrases; those of languages with spaces are between the edges of words."""
    sources = []
    for phrase in lexicon.longest_first(phrases):
        source = ".{1,50}?".join(re.escape(part.strip()) for part in phrase.split("\u2026"))  # … is what lies between
        if not lexicon.eastern(phrase):
            source = (r"(?<!\w)" if phrase[0].isalnum() else "") + source + (r"(?!\w)" if phrase[-1].isalnum() else "")
        sources.append(source)
    return re.compile("|".join(sources) or "(?!)", re.IGNORECASE)


@cache
def table_finder(languages: tuple[str, ...], *path: str) -> "re.Pattern[str]":
    """Return a pattern for the phrases in tables of some languages under a path."""
    return finder(tuple(phrase for iso in languages for phrase in lexicon.phrases(iso, *path)))


def denials(text: str) -> tuple[tuple[int, int], ...]:
    """Return the places of words that deny, forbid or refuse something."""
    negations, refusals, others = (
        denial_words(lexicon.languages(), key) for key in ("negations", "refusals", "no_negations")
    )
    blotted = finder(tuple(others)).sub(lambda hit: "\0" * len(hit[0]), straighten_quotes(text))
    return tuple(match.span() for match in finder(tuple(negations | refusals)).finditer(blotted))


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
    return len(text) + _WIDE * sum(map(lexicon.eastern, text))


TABLE = "conduct"
_MAX_LETTERS, _MIN_WORDS = 200, 3
_GAP = r"[\s,:;\u3001\uff0c\uff1a\u2013\u2014-]*"
_QUESTION = re.compile(r"[?\uff1f]\W*$")


def rules(text: str) -> Iterator[tuple[int, int]]:
    """Yield the standing orders of a message in its writer's own talk: each sentence, by its first and last characters.

    Such a sentence begins with `always` or `stop` of its language, or with a verb of order and has `always` in it.
    """
    isos = lexicon.candidates(text)
    keys = ("standing", "stops", "orders")
    always, stops, orders = (table_finder(isos, TABLE, key) for key in keys)
    # A word that leads to an order may be an order of the text's language: `no` of Italian and of Spanish.
    lead = table_finder((*isos[:1], "en"), TABLE, "lead")
    if not always.search(straighten_quotes(text)) and not stops.search(straighten_quotes(text)):
        return
    polite = re.compile(rf"{_GAP}(?:(?:{lead.pattern}){_GAP})*", re.IGNORECASE)
    for sentence in sentences(own_talk(text)):
        words = sentence.own.replace("\0", " ")
        begin = match.end() if (match := polite.match(words)) else 0
        begins = always.match(words, begin) or stops.match(words, begin)
        is_order = begins or (orders.match(words, begin) and always.search(words))
        is_brief = count_words(words) < _MIN_WORDS or weight(words) > _MAX_LETTERS
        if is_order and not is_brief and not _QUESTION.search(text[sentence.start : sentence.end]):
            yield sentence.start, sentence.end
