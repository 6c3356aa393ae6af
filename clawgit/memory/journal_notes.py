"""Writes and reads the notes below refuted entries of journals."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import pairwise

from msgspec.structs import replace

from clawgit import file_roles
from clawgit.language import sentences
from clawgit.memory.in_force import CLOCK, is_superseded
from clawgit.memory.value_exchange import Exchange, Stored, exchange_value
from clawgit.memory.view import find_entry
from clawgit.search import index
from clawgit.text import correction as records
from clawgit.text import document
from clawgit.text import entry as texts
from clawgit.workspace import write_guard
from clawgit.workspace.commit_message import fold_spaces, shorten
from clawgit.workspace.memory_lines import MemoryLine, list_lines
from clawgit.workspace.workspace import Workspace

_MAX_NOTE_CHARS = 1000
MARKER = re.compile(r"([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?")


def is_note(line: MemoryLine) -> bool:
    """Return whether an entry is the line below a refuted one."""
    return line.role == "journal" and records.NOTE.match(f"- {line.text}") is not None


def list_partly_refuted(workspace: Workspace) -> Iterator[MemoryLine]:
    """Yield the refuted entries of journals, each with the words that are served: other sentences, and its note."""
    refuted = index.list_refuted(workspace)
    for line, after in pairwise((*list_lines(workspace, "journal"), None)):
        if line and is_superseded(line):
            is_below = after is not None and after.path == line.path and is_note(after)
            note = records.NOTE.match(f"- {after.text}") if after and is_below else None
            # Search serves these words, so a later correction must reach them.
            parts = (refuted.remove(line.path, line.text).strip(), note[1] if note else "")
            if text := " ".join(filter(None, parts)):
                yield replace(line, text=text)


def write_note(
    text: str, line: MemoryLine, now: datetime, statement: str, name: str, exchange: Exchange | None = None
) -> str:
    """Return a journal with a note of the present value below a refuted entry; at most one is there, none without it.

    A note of another value gets the `exchange` and keeps that.
    """
    entry = find_entry(text, line)
    rows = document.split(text)
    end, note = find_note(text, entry)
    marker = MARKER.match(rows[entry.start - 1]) if entry.kind == "bullet" else None
    indent = marker[1] + " " * len(marker[2] or "- ") if marker else "  "
    # A correction of another value in the same line left its note here: both values stand in it afterwards.
    in_note = exchange_value(Stored("", note[1]), exchange.said, exchange.true) if note and exchange else None
    if in_note:
        statement = in_note.statement
    elif note and exchange:
        statement = " ".join((note[1], *_list_unknown((entry.text, note[1]), statement)))
    else:
        statement = _list_new_sentences(entry.text, statement)
    words = document.escape(shorten(fold_spaces(write_guard.cleaned(statement)), _MAX_NOTE_CHARS))
    ending = document.eol(text)
    row = f"{indent}- Corrected {now:%Y-%m-%d}: {words} ({file_roles.CORRECTIONS}#{name}){ending}"
    if not document.end_of(rows[end - 1]):
        rows[end - 1] += ending
    return "".join((*rows[:end], row if statement else "", *rows[end + bool(note) :]))


def find_note(text: str, entry: texts.Entry) -> tuple[int, re.Match[str] | None]:
    """Return the last line of an entry, from 1, or of its table, and the note below it."""
    rows = document.split(text)
    end = next(number for number in range(entry.end, 0, -1) if not document.is_blank(rows[number - 1]))
    if entry.kind == "row":  # a line below would end the table
        ends = [item.end for item in texts.entries(text) if item.kind == "row" and item.start >= entry.start]
        end = next(number for number in ends if number + 1 not in ends)
    return end, records.NOTE.match(rows[end]) if end < len(rows) else None


def _list_new_sentences(before: str, statement: str) -> str:
    """Return the sentences of a statement that an entry has not; all of it if it has each of them.

    The time of day in front of the entry stays in front of its first sentence.
    """
    clock, new_texts = CLOCK.match(before), _list_unknown((before,), statement)
    words = " ".join(new_texts) or statement
    return f"{clock[0]}{words}" if clock and new_texts[:1] == _list_unknown((), statement)[:1] else words


def _list_unknown(texts_before: Iterable[str], statement: str) -> list[str]:
    """Return the sentences of a statement that no text before has, without the times of day in front of them."""
    plain_texts = (CLOCK.sub("", fold_spaces(text)) for text in texts_before)
    known_texts = {sentence for text in plain_texts for sentence in sentences.texts(text)}
    return [text for text in sentences.texts(CLOCK.sub("", fold_spaces(statement))) if text not in known_texts]
