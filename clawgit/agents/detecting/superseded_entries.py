"""Marks an entry as superseded, where it stands."""

import re
from collections.abc import Iterable

from clawgit.errors import ClawgitError
from clawgit.text import document
from clawgit.text.entry import TAGS, Entry, entries, without_comments
from clawgit.text.markdown_escape import escape

_TAG = re.compile(r"[ \t]+#superseded(?=[ \t]|$)", re.IGNORECASE)
_HEAD = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")


def marked(text: str, entry: Entry) -> str:
    """Return the text with `#superseded` behind the entry's tags; as it is where the entry cannot take it."""
    rows = document.split(text)
    first, body, rest = _parts(rows, entry)
    after = _joined(rows, entry, f"{first}{body} #superseded{rest}")
    return after if _only_status(text, after, entry, {"superseded"}) else text


def unmarked(text: str, entry: Entry) -> str:
    """Return the text without the entry's `#superseded`."""
    rows = document.split(text)
    first, body, rest = _parts(rows, entry)
    cut = _tags_from(body)
    after = _joined(rows, entry, f"{first}{body[:cut]}{_TAG.sub('', body[cut:])}{rest}")
    return after if _only_status(text, after, entry, set()) else text


def reworded(text: str, entry: Entry, words: str) -> str:
    """Return the text with other words in the entry; marker, tags and comments stay.

    Raises ClawgitError where Markdown could not hold them.
    """
    rows = document.split(text)
    first, body, rest = _parts(rows, entry)
    head = _HEAD.match(first + body)
    cut = _tags_from(body)
    tags = _TAG.sub("", body[cut:]).rstrip()
    after = _joined(rows, entry, f"{head[0] if head else '- '}{escape(words)}{tags}{rest}")
    if "<!--" in words or not any(one.start == entry.start and one.text == words for one in entries(after)):
        raise ClawgitError("these words cannot stand as one entry", fix="leave out tags, comments and line breaks")
    return after


def removed(text: str, entry: Entry) -> str | None:
    """Return the text without the entry, None where others stand below it."""
    there = entries(text)
    at = next((number for number, one in enumerate(there) if one.start == entry.start), len(there))
    if at + 1 < len(there) and there[at + 1].depth > entry.depth:
        return None
    rows = document.split(text)
    del rows[entry.start - 1 : _end(rows, entry)]
    return "".join(rows)


def _end(rows: list[str], entry: Entry) -> int:
    """Return the entry's last line that is not blank."""
    return next(at for at in range(entry.end, 0, -1) if at == entry.start or not document.is_blank(rows[at - 1]))


def _parts(rows: list[str], entry: Entry) -> tuple[str, str, str]:
    """Return the lines of an entry but for the last, the last without comments, and those with the line's end."""
    end = _end(rows, entry)
    whole = "".join(rows[entry.start - 1 : end])
    kept = without_comments(document.content(whole))
    first, line, last = kept.rpartition("\n")
    return first + line, last, whole[len(kept) :]


def _joined(rows: list[str], entry: Entry, words: str) -> str:
    return "".join((*rows[: entry.start - 1], words, *rows[_end(rows, entry) :]))


def _tags_from(body: str) -> int:
    """Return where the tags at the end of a line begin."""
    known = "|".join((*TAGS, "correction", "conflict", "superseded"))
    match = re.search(rf"(?:[ \t]+#(?:{known}))+[ \t]*$", body, re.IGNORECASE)
    return match.start() if match else len(body)


def _only_status(before: str, after: str, entry: Entry, wanted: Iterable[str]) -> bool:
    """Tell whether the entry says what it said, with that status; of what stands around it nothing was touched."""
    status = {*(name for name in entry.status if name != "superseded"), *wanted}
    for text, has in ((before, set(entry.status)), (after, status)):
        rows = document.split(text)
        own = rows[entry.start - 1 : _end(rows, entry)]
        space = len(own[0]) - len(own[0].lstrip(" \t"))
        found = entries("".join(row[space:] if not row[:space].strip() else row for row in own))
        if [(one.text, one.tag, set(one.status)) for one in found] != [(entry.text, entry.tag, has)]:
            return False
    return True
