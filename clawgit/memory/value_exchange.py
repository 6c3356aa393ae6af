"""Exchanges a value in an entry, and in its file."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from msgspec import Struct

from clawgit.errors import Advice, memory_shape
from clawgit.language import lexicon, sentences, values
from clawgit.language.values import content_words, equal, find_value_places, gloss_end, is_alike
from clawgit.messages import sides
from clawgit.messages.triage import names_value
from clawgit.text import document
from clawgit.text import entry as texts
from clawgit.text.entry import normalise
from clawgit.text.similarity import NEGATIONS, read_note_words

TAG = "correction"
_MARKER = re.compile(r"([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?")
_BAR = re.compile(r"(?<!\\)\|")
_DIGIT = re.compile(r"\d")
_WORD = re.compile(rf"[{lexicon.DENSE}]|[^\s{lexicon.DENSE}]+")
_DAYS = frozenset(("weekday", "date"))


class Stored(Struct, frozen=True):
    """An entry: its id, its text, and the title above it."""

    id: str
    text: str
    title: str = ""

    @property
    def whole(self) -> str:
        """The text behind its title."""
        return f"{self.title}: {self.text}" if self.title else self.text


class Exchange(Struct, frozen=True):
    """An entry in which `said` becomes `true`; `statement` is its whole new text."""

    entry: Stored
    said: str
    true: str
    statement: str

    @property
    def doubt(self) -> str:
        """The reason to ask first, "" for none."""
        text, day = self.entry.text, values.read_value(self.said)
        has_both = {value.kind for value in values.find_values(text)} >= _DAYS or values.remove_glosses(text) != text
        if day and day.kind in _DAYS and has_both:
            return "the line has a weekday and a date"
        return "the line has it several times" if len(find_value_places(text, self.said)) > 1 else ""

    @property
    def context(self) -> str:
        """The sentences with the value behind their title; the whole entry if several values are exchanged."""
        parts = [text for text in sentences.texts(self.entry.text) if find_value_places(text, self.said)]
        return f"{self.entry.title}: {' '.join(parts) or self.entry.text}"

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The lines that change, before and after."""
        rows = zip(self.entry.text.split("\n"), self.statement.split("\n"), strict=False)
        return [(before, after) for before, after in rows if before != after]


def exchange_value(entry: Stored, said: str, true: str) -> Exchange | None:
    """Return an entry in which `said` is exchanged, a name everywhere, else the one; None if nothing changes."""
    text, forms = entry.text, ((said, true), (sides.strip_lead(said), sides.strip_lead(true)))
    said, true = next(((wrong, right) for wrong, right in forms if wrong and find_value_places(text, wrong)), ("", ""))
    spans, old, new = find_value_places(text, said) if said else [], values.read_value(said), values.read_value(true)
    if said[:1].isupper() and not _DIGIT.search(said) and (old is None or old.kind == "name"):
        spans = sorted((*spans, *((start, end - 1) for start, end in find_value_places(text, f"{said}s"))))
    elif len(spans) > 1:
        return None
    is_denied = any(NEGATIONS.intersection(read_note_words(text[:start])[-1:]) for start, _ in spans)
    if not spans or is_denied or (len(spans) > 1 and "\n" in text[spans[0][0] : spans[-1][1]]):
        return None
    phrase, said = said, text[slice(*spans[0])]
    is_typed = old and new and old.kind != "name" and is_alike(old, new)
    # In another writing a value lacks its neighbouring words: `two dogs` is `2`.
    if not is_typed and re.sub(r"\W", "", phrase).casefold() != re.sub(r"\W", "", said).casefold():
        return None
    if old and new and is_typed:
        value, start = values.read_value(said), spans[0][0]
        if value and equal(value, old):
            spans = [(start + value.start, start + value.end)]  # its unit stays
            said, true = value.text, _fit(value, new)
    true = _drop_repeated(text, *spans[0], true) if len(spans) == 1 else true
    if not is_typed and _has_word_already(text, spans, said, true):
        return None
    statement = text
    for start, end in reversed(spans):
        statement = replace_value(statement, start, end, true)
    word = re.escape(true)
    repeated = re.compile(rf"(?<!\w){word}\W+(?:\w+\W+)?{word}(?!\w)", re.IGNORECASE)  # `from 9 to 9`
    is_clumsy = repeated.search(statement) and not repeated.search(text)
    if not (true and names_value(true)) or normalise(statement) == normalise(text) or is_clumsy:
        return None
    return Exchange(entry, said, true, statement)


def _has_word_already(text: str, spans: Sequence[tuple[int, int]], said: str, true: str) -> bool:
    """Return whether a line has all new words of the true value, or one of a name: `Halden Marsh is lead at Halden`."""
    rest = text
    for start, end in reversed(spans):
        rest = f"{rest[:start]} {rest[end:]}"
    new = content_words(true) - content_words(said)
    repeated = new & content_words(rest)
    names = content_words(" ".join(name.text for name in values.names(true)))
    return bool(repeated) and (repeated == new or not names.isdisjoint(repeated))


def _fit(old: values.Value, new: values.Value) -> str:
    """Return a value in the form of the old one: a short date completed, `09:15`; "" if ambiguous."""
    true = sides.strip_lead(new.text)
    parts = list(zip(old.canon.split("-"), new.canon.split("-"), strict=False))
    if old.kind == "date" and any(mine and not other for mine, other in parts):
        return _complete(old.text, parts, true)
    if old.kind == "time" and old.text[:1] == "0" and true[1:2] == ":":
        return f"0{true}"
    singular = values.read_value(old.text[:-1]) if old.kind == "weekday" and old.text[-1:] == "s" else None
    return f"{true}s" if singular and true[-1:] != "s" else true


def _complete(text: str, parts: Sequence[tuple[str, str]], true: str) -> str:
    """Return a shorter date with the rest of the old one, of the same month; "" if that has its day twice.

    `parts` are year, month and day of both; those that a date lacks are empty.
    """
    (year, other_year), (month, other_month), (old_day, new_day) = parts
    if other_year or other_month not in ("", month):
        return "" if year and other_month else true
    spots = list(re.finditer(rf"(?<!\d)0?{old_day}(?:st|nd|rd|th)?(?!\d)", text))
    if len(spots) != 1:
        return ""
    day = new_day.zfill(len(spots[0][0])) if spots[0][0].isdecimal() else new_day
    return f"{text[: spots[0].start()]}{day}{text[spots[0].end() :]}"


def _drop_repeated(text: str, start: int, end: int, true: str) -> str:
    """Return a true value without the words at its ends that the text has there already, around the wrong one."""
    parts = list(_WORD.finditer(true))
    words, words_before, words_after = (
        [word.strip(",.;:!?").casefold() for word in _WORD.findall(part)] for part in (true, text[:start], text[end:])
    )
    last = next((n for n in range(len(words) - 1, 0, -1) if words[-n:] == words_after[:n]), 0)
    first = next((n for n in range(len(words) - last - 1, 0, -1) if words[:n] == words_before[-n:]), 0)
    return true[parts[first].start() : parts[-1 - last].end()].rstrip(",;:") if first or last else true


def replace_value(text: str, start: int, end: int, true: str) -> str:
    """Return a statement with its wrong value exchanged, and the date behind a weekday moved in its week."""
    last = gloss_end(text, end)
    gloss = text[end:last]
    days = [
        int(value.canon)
        for value in map(values.read_value, (text[start:end], true))
        if value and value.kind == "weekday"
    ]
    if written := next((value for value in values.find_values(gloss) if value.kind == "date"), None):
        day = date(*map(int, written.canon.split("-")))
        is_same_day = len(days) > 1 and days[0] == day.isoweekday()
        gloss = gloss.replace(written.text, f"{day + timedelta(days[1] - days[0])}") if is_same_day else ""
    if start == 0 and text[:1].isupper():
        true = true[:1].upper() + true[1:]
    return f"{text[:start]}{true}{gloss}{text[last:]}"


def fit_row(row: str, text: str) -> str:
    """Return a text as a row of a table, without its outer bars. Raises ClawgitError unless it has the cells of `row`.

    Only a backslash makes a bar part of a cell.
    """
    cells = text.strip().removeprefix("|")
    cells = (cells[:-1] if _BAR.search(cells[-2:], 1) else cells).strip()
    count, given = (1 + len(_BAR.findall(words)) for words in (row, cells))
    if count != given or "\n" in cells:
        raise memory_shape(
            f"the line is a row of {count} cells, and the text has {given}: {text[:60]!r}",
            fix=Advice(f"write all cells: | {row} |"),
        )
    return cells


def reword_entry(text: str, entry: texts.Entry, exchange: Exchange) -> str:
    """Return a text with an entry corrected in its place; its tag stays, and a bullet gets `#correction`.

    Every other byte stays. Raises ClawgitError if the entry could not be read as its statement afterwards.
    """
    rows = document.split(text)
    block = "".join(rows[entry.start - 1 : entry.end])
    body = document.content(block) if entry.start == entry.end else block.rstrip("\r\n")
    plain = texts.remove_comments(body)
    comments = body[len(plain.rstrip()) :].strip()
    core, tag, status = texts.split_tags(plain)
    match = re.search(r"\s+".join(map(re.escape, exchange.said.split())), core)
    said = match[0] if match else exchange.said
    parts = exchange.rows if "\n" not in said else ()
    pairs = ((entry.text, exchange.statement), *parts, (said, exchange.true))
    if entry.kind == "row":
        fit_row(entry.text, exchange.statement)
    elif exchange.said == entry.text and (marker := _MARKER.match(core)):  # all of it, however it was wrapped
        pairs = ((core[marker.end() :], exchange.statement),)
    new = next((core.replace(old, true) for old, true in pairs if old and core.count(old) == 1), "")
    states = [state for state in (*status, *([TAG] if entry.kind == "bullet" else ())) if state != "superseded"]
    tags = [f"#{name}" for name in dict.fromkeys((tag, *states)) if name]
    line = " ".join(part for part in (new, *tags, comments) if part)
    after = "".join((*rows[: entry.start - 1], line + block[len(body) :], *rows[entry.end :]))
    if not new or not any(normalise(item.text) == normalise(exchange.statement) for item in texts.entries(after)):
        raise memory_shape(
            f"line {entry.start} cannot be corrected in its place: {entry.text[:60]!r}",
            fix=Advice("edit it by hand, and say so: clawgit correct TEXT"),
        )
    return after
