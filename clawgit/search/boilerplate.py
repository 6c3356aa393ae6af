"""Finds the parts of a file that are no evidence."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from zlib import crc32

from clawgit import file_roles
from clawgit.language.sentences import sentences
from clawgit.language.values import content_words, find_value_places
from clawgit.openclaw import blank_forms
from clawgit.text.correction import NOTE, corrections
from clawgit.text.entry import QUOTE, Entry, entries, hash_entry, mark_other_line, split_tags
from clawgit.workspace import entries as sidecar

CORRECTIONS = ("CORRECTIONS.md", "Archive/Corrections/")
"""What the paths of corrections begin with."""
CHRONICLE = (
    "An archive of the month's journals, day by day in their own words; a sentence that names lines in a comment was"
    " told by a model instead of them. `clawgit restore memory/2026-01-05.md` brings a day back, by its own name.\n"
)
"""How each chronicle begins."""
_ARCHIVES = "memory/archive/"
"""Journals go there as they were, and a refuted entry stays refuted."""
_CHRONICLES = f"{_ARCHIVES}chronicles/"
_TEMPLATES = ("MEMORY.md", "USER.md", "CORRECTIONS.md")
_FIELD = re.compile(r"[ \t]*[-*+][ \t]+\**([^:*]{1,40}?)\**[ \t]*:")
_TITLE = re.compile(r" {0,3}#[ \t]")
_OF_RECORDS = frozenset(
    (
        *("sentence", "said", "what the agent said", "was", "wrong", "entry was", "answers", "trigger"),
        *("trigger confidence", "about", "lines", "source", "supersedes", "re-embedded", "left in"),
        *("true", "entry is", "what is true", "correct information", "correct", "is"),
    )
)
"""The labels of a correction's fields: what is true is in memory, and a quoted wrong value would be found."""


def remove_boilerplate(path: str, text: str) -> str:
    """Return a text with empty lines instead of boilerplate, so that every other line stays on its line."""
    if path not in _TEMPLATES and not path.startswith((_CHRONICLES, *CORRECTIONS)):
        return text
    shipped_lines = blank_forms.shipped_lines(path) if path in _TEMPLATES else frozenset()
    is_record, is_chronicle = path.startswith(CORRECTIONS), path.startswith(_CHRONICLES)

    def is_evidence(row: str) -> bool:
        if is_chronicle:
            return row.strip() != CHRONICLE.strip()
        field = _FIELD.match(row) if is_record else None
        is_label = field is not None and field[1].strip().casefold() in _OF_RECORDS
        return not (row.strip() in shipped_lines or is_label or (is_record and _TITLE.match(row)))

    return "\n".join(row if is_evidence(row) else "" for row in text.split("\n"))


class Refuted:
    """The entries out of force that only the sidecar knows, of files on disk or in a commit as `read` returns them.

    Of an entry that a correction put out of force, the sentences with a corrected value are wrong, of others all.
    """

    def __init__(self, root: Path, read: Callable[[str], str | None]) -> None:
        self._by_path = defaultdict[str, dict[str, str]](dict)
        dead = sidecar.list_dead(read(sidecar.PATH) or "")
        archives = [place.relative_to(root).as_posix() for place in root.glob("Archive/Corrections/*.md")]
        texts = (read(path) or "" for path in (*archives, file_roles.CORRECTIONS) if dead)
        self._wrong = {record.id: record.values[0] for text in texts for record in corrections(text)}
        self._mark = crc32(repr(sorted(self._wrong.items())).encode("utf-8", "replace"))
        for (path, name), correction in dead.items():
            self._by_path[path][name] = correction
            # Compaction moves lines of journals to archives.
            if file_roles.journal_day(path) or path.startswith(_ARCHIVES):
                self._by_path[_ARCHIVES][name] = correction

    def mark(self, path: str) -> str:
        """Return a mark that changes with the refuted entries of a file and with the corrections; "" for none."""
        state = sorted(self._list_entries(path).items())
        return f" {crc32(repr(state).encode('utf-8', 'replace'), self._mark)}" if state else ""

    def list_marks(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the marks of the files with refuted entries."""
        return {path: self.mark(path) for path in paths if self._list_entries(path)} if self._by_path else {}

    def remove(self, path: str, text: str) -> str:
        """Return a text without its refuted sentences, and without their nested entries; every line stays on its line.

        A sentence that a correction does not concern stays, and so does the note below a refuted line.
        """
        names = self._list_entries(path)
        if not names and "#superseded" not in text.lower():
            return text
        rows, depth, all_entries = text.split("\n"), -1, entries(text)
        own_rows = {row for entry in all_entries for row in range(entry.start - 1, entry.end)}
        for number, row in enumerate(rows):
            is_other = number not in own_rows or row.lstrip().startswith(QUOTE)
            if is_other and hash_entry(mark_other_line(row)) in names:
                rows[number] = row[: len(row) - len(row.lstrip("#"))]  # an empty heading divides sections still
        for entry in all_entries:
            if depth >= 0 and (entry.kind != "bullet" or entry.depth <= depth):
                depth = -1
            name = hash_entry(entry.text)
            if depth >= 0:  # nested below an entry without a note
                rows[entry.start - 1 : entry.end] = [""] * (entry.end - entry.start + 1)
            elif "superseded" in entry.status or name in names:
                self._remove_entry(rows, entry, names.get(name, ""))
                if entry.kind == "bullet" and not any(rows[entry.start - 1 : entry.end]):
                    depth = entry.depth
        return "\n".join(rows)

    def _remove_entry(self, rows: list[str], entry: Entry, correction: str) -> None:
        """Remove the wrong sentences of an entry; if nothing is left, its note comes in its place."""
        # A row of a table has no sentences, and without a correction nobody knows the wrong one.
        is_partly_wrong = entry.kind != "row" and correction in self._wrong
        values = self._list_values(entry.text, correction) if is_partly_wrong else ()
        remaining = _remove_sentences(rows[entry.start - 1 : entry.end], values)
        note = rows[entry.end] if entry.end < len(rows) and NOTE.match(rows[entry.end]) else ""
        if note and not any(remaining):  # above the nested entries, which would join the entry before
            indent = rows[entry.start - 1][: -len(rows[entry.start - 1].lstrip())]
            remaining[0], rows[entry.end] = f"{indent}{note.lstrip()}", ""
        rows[entry.start - 1 : entry.end] = remaining

    def remove_from(self, path: str, data: bytes) -> bytes:
        """Return the bytes of a text as `remove` does; bytes that are no text stay as they are."""
        if not self._list_entries(path) and b"#superseded" not in data.lower():
            return data
        return self.remove(path, data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    def _list_values(self, text: str, correction: str) -> tuple[str, ...]:
        """Return the wrong values of an entry: of its correction, and those of others that it has word for word."""
        others = (value for value in self._wrong.values() if value and value.casefold() in text.casefold())
        return tuple(filter(None, (self._wrong[correction], *others)))

    def _list_entries(self, path: str) -> Mapping[str, str]:
        return self._by_path.get(_ARCHIVES if path.startswith(_ARCHIVES) else path, {})


def _remove_sentences(rows: Sequence[str], values: Iterable[str]) -> list[str]:
    """Return the lines of an entry without the sentences that have one of some values; empty ones if nothing is left.

    Without such a sentence nobody knows which one is wrong: nothing is left.
    """
    text = rest = "\n".join(rows)
    # From the last one on, since each cut moves the positions behind it.
    for sentence in reversed(list(sentences(text.replace("\n", " ")))):
        words = text[sentence.start : sentence.end]
        if any(find_value_places(" ".join(words.split()), value) for value in values):
            line_ends = "\n" * words.count("\n")
            rest = f"{rest[: sentence.start]}{line_ends}{rest[sentence.end :].lstrip(' ')}"
    is_empty = rest == text or not content_words(split_tags(rest.strip())[0])
    return [""] * len(rows) if is_empty else rest.split("\n")
