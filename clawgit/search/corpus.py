"""The files searched, and their parts without evidence."""

import os
import re
import stat
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from msgspec import Struct

from clawgit import file_roles
from clawgit.git.regular_file import LARGEST_SEARCHED
from clawgit.language.sentences import sentences
from clawgit.language.values import content_words, find_value_places
from clawgit.openclaw import blank_forms
from clawgit.text.conflict import NOTE, corrections
from clawgit.text.entry import QUOTE, Entry, entries, hash_entry, mark_other_line, split_tags
from clawgit.workspace import entries as sidecar
from clawgit.workspace.changelog import MARKER

if TYPE_CHECKING:
    from clawgit.workspace.line_writers import Copy


SESSIONS = "sessions/"
"""What the paths of conversations begin with."""
_TEMPLATES = "templates"
_ODD_BYTE = re.compile("[\udc80-\udcff]")
"""In a name that is no UTF-8: it can be stored nowhere, and `clawgit doctor` tells it."""
DREAMS = ("memory/dreaming", "DREAMS.md")
"""What OpenClaw's dreaming writes for people, searched where `sources` has `dreaming`."""
_DREAMS = "memory/dreaming/"
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

_YOUNG = 100_000_000
"""Nanoseconds within which a file may change again in the same tick of the clock."""


class Sources(Struct, frozen=True):
    """Readable files by path, each with its stamp: while a stamp stays, so do the bytes; of "" nothing is known.

    `read` returns the bytes of a file with the stamp that they had, None when it has gone meanwhile.
    """

    stamps: Mapping[str, str]
    read: Callable[[str], "tuple[bytes, str] | None"]


def is_searched(path: str, extra: Iterable[str] = ()) -> bool:
    """Return whether a file of the workspace is searched: what is remembered, and the operator's profile.

    `extra` are other memory files. Configuration, records of conflicts, views, templates, OpenClaw's dreams and what is
    hidden are left out.
    """
    parts = path.split("/")
    if (
        path in (file_roles.CONFIG, file_roles.CONFLICTS, file_roles.INDEX)
        or file_roles.is_dreaming_output(path)
        or not path.endswith(".md")
        or any(part.startswith(".") for part in parts)
    ):
        return False
    return path in (file_roles.USER, *extra) or (file_roles.is_memory_or_settings(path) and _TEMPLATES not in parts)


def sources(root: Path, extra: Iterable[str] = ()) -> Sources:
    """Return the files in scope as they are on disk, links and nested repositories left out."""
    others, base, now = tuple(extra), f"{root}/", time.time_ns()
    stamps = {path: stamp for path, stamp in _stamp_files(_list_folder(base), "", now) if is_searched(path, others)}
    folders = [folder for folder in file_roles.FOLDERS if not (root / folder.rstrip("/")).is_symlink()]
    _add_below(stamps, base, folders, now)
    return Sources(stamps, lambda path: read_searched_bytes(f"{base}{path}"))


def list_extra_stamps(root: Path, names: Iterable[str], extra: Iterable[str] = ()) -> dict[str, str]:
    """Return the stamps of Markdown in further files and folders, by its path in the workspace, else by its full path.

    Files in scope anyway are left out, and a folder that contains the workspace.
    """
    others, stamps, now = tuple(extra), dict[str, str](), time.time_ns()
    for name in names:
        place = Path(os.path.normpath(root / Path(name).expanduser()))
        if root.is_relative_to(place):
            continue
        base = f"{root}/" if place.is_relative_to(root) else ""
        path = place.as_posix().removeprefix(base)
        new_stamps = dict[str, str]()
        if place.is_dir():
            _add_below(new_stamps, base, [f"{path}/"], now, repositories=True)
        else:
            entries = [entry for entry in _list_folder(f"{place.parent}/") if entry.name == place.name]
            new_stamps.update(_stamp_files(entries, path[: len(path) - len(place.name)], now))
        stamps |= {path: stamp for path, stamp in new_stamps.items() if not (base and is_searched(path, others))}
    return stamps


def blank_lines(data: bytes, copies: "frozenset[Copy]", *, withheld: bool) -> bytes:
    """Return a text in which only its withheld lines are left, or only the others, each in its place."""
    from clawgit.store.calls import hash_line  # noqa: PLC0415 - nobody else writes in most workspaces
    from clawgit.text import document  # noqa: PLC0415

    counts, rows = Counter[str](), list[str]()
    for row in document.split(read_plain_text(data)):
        name = hash_line(row) if row.strip() else ""
        counts[name] += 1
        rows.append(row if ((name, counts[name]) in copies) == withheld else "\n")
    return "".join(rows).encode()


def _add_below(stamps: dict[str, str], base: str, waiting: list[str], now: int, *, repositories: bool = False) -> None:
    """Add the files below folders; a repository is left out, unless it is one of the folders themselves."""
    first = frozenset(waiting if repositories else ())
    while waiting:
        prefix = waiting.pop()
        if prefix == _DREAMS and not repositories:
            continue
        entries = _list_folder(f"{base}{prefix}")
        if prefix not in first and any(entry.name == ".git" for entry in entries):
            continue
        entries = [entry for entry in entries if entry.name[0] != "." and entry.name != _TEMPLATES]
        stamps.update(_stamp_files(entries, prefix, now))
        folders = (entry for entry in entries if entry.name[-3:] != ".md" and entry.is_dir(follow_symlinks=False))
        waiting += [f"{prefix}{entry.name}/" for entry in folders]


def _list_folder(place: str) -> "list[os.DirEntry[str]]":
    """Return the entries of a folder, without names that are no UTF-8; none of an unreadable one."""
    try:
        with os.scandir(place) as listing:
            return [entry for entry in listing if entry.name.isascii() or not _ODD_BYTE.search(entry.name)]
    except OSError:
        return []


def _stamp_files(entries: "Iterable[os.DirEntry[str]]", prefix: str, now: int) -> Iterator[tuple[str, str]]:
    """Yield the path and stamp of each Markdown file, without copies made by a sync program."""
    for entry in entries:
        name = entry.name
        if name[-3:] != ".md" or name[0] == "." or file_roles.copied_from(name) or prefix + name == file_roles.INDEX:
            continue
        try:
            # A link may lead out of the workspace.
            status = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST_SEARCHED:
            yield prefix + name, _stamp(status, now)


def _stamp(status: os.stat_result, now: int) -> str:
    """Return size, inode and the time that nobody can set back; "" for a file that may change in the same tick."""
    is_young = now - status.st_ctime_ns < _YOUNG
    return "" if is_young else f"{status.st_size} {status.st_ctime_ns} {status.st_ino}"


def read_searched_bytes(place: str) -> tuple[bytes, str] | None:
    """Return the bytes of a file with their stamp, None for an unreadable one."""
    with suppress(OSError), open(os.open(place, _FLAGS), "rb", buffering=0) as file:  # noqa: PTH123 - a handle
        stamp = _stamp(os.fstat(file.fileno()), time.time_ns())  # before: a later change is noticed by it
        return file.read()[:LARGEST_SEARCHED], stamp
    return None


def text(data: bytes) -> str:
    """Return the text of a file, whatever its bytes; nothing of a rendered view, and each secret by name only.

    So no index contains one, whether of a file or of its history, and no answer shows one. Every line stays on its
    line.
    """
    from clawgit.safety.redaction import redact  # noqa: PLC0415 - most searches read no file

    return redact(read_plain_text(data))


def read_plain_text(data: bytes) -> str:
    """Return the present text of a file; nothing of a rendered view."""
    content = data.decode("utf-8", "replace")
    return "" if content.startswith(MARKER) else content


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
_TEMPLATE_FILES = ("MEMORY.md", "USER.md", "CORRECTIONS.md")
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
    if path not in _TEMPLATE_FILES and not path.startswith((_CHRONICLES, *CORRECTIONS)):
        return text
    shipped_lines = blank_forms.shipped_lines(path) if path in _TEMPLATE_FILES else frozenset()
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
