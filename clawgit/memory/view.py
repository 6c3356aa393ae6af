"""The workspace as changes see it before they land."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TypeVar

from clawgit.errors import Command, memory_changed
from clawgit.text import document
from clawgit.text.edit import append_block, append_under, bullet
from clawgit.text.entry import Entry, hash_entry
from clawgit.text.entry import entries as read_entries
from clawgit.text.evidence_pointer import Pointer
from clawgit.text.evidence_pointer import format as format_pointer
from clawgit.workspace import correction_records, entries, file_contents
from clawgit.workspace.change import Append, Change, Edit, Origin
from clawgit.workspace.commit_message import fold_spaces, shorten
from clawgit.workspace.correction_records import Standing
from clawgit.workspace.entries import Row
from clawgit.workspace.memory_lines import SECTIONS, MemoryLine
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.writing import MovedError

Done = TypeVar("Done")
_ATTEMPTS = 5
_MAX_QUOTE_CHARS = 160
_GRAVITY: tuple[Origin, ...] = ("operator", "agent", "unknown", "untrusted")


class View:
    """Reads the workspace at one moment, and its state after changes that are not applied."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.renew()

    def renew(self) -> None:
        """See the workspace as it is now."""
        self._texts: dict[str, str | None] = {}
        self._rows: Mapping[str, Row] | None = None

    def read(self, path: str) -> str | None:
        """Return the text of a file, None when there is none."""
        if path not in self._texts:
            self._texts[path] = self.workspace.read(path)
        return self._texts[path]

    def corrections(self) -> tuple[Standing, ...]:
        """Return the records of corrections in force, the oldest first."""
        return correction_records.list_records(self.workspace, self.read)

    def rows(self) -> Mapping[str, Row]:
        """Return the sidecar by entry id."""
        if self._rows is None:
            self._rows = self.workspace.rows()
        return self._rows

    def take(self, change: Change) -> None:
        """See the workspace as it would be after `change`."""
        for edit in change.edits:
            before = self.read(edit.path)
            if isinstance(edit, Append):
                self._texts[edit.path] = append_block(edit.birth if before is None else before, edit.block)
            else:
                self._texts[edit.path] = edit.text
        rows = {key: row for key, row in self.rows().items() if key not in change.drops}
        self._rows = entries.join_rows(rows, change.rows)

    def find_row(self, line: MemoryLine) -> Row:
        """Return the row of an entry, or the one that it would have."""
        return self.rows().get(line.id) or Row(line.id, line.path, hash_entry(line.text), line.tag or "", "unknown")


def find_entry(text: str, line: MemoryLine) -> Entry:
    """Return the present place of an entry of a file: the nearest one with its words. Raises ClawgitError for none."""
    matches = [entry for entry in read_entries(text) if hash_entry(entry.text) == hash_entry(line.text)]
    if not matches:
        raise memory_changed(f"{line.path}:{line.line} says something else by now", fix=Command("clawgit memory list"))
    return min(matches, key=lambda entry: abs(entry.start - line.line))


def try_again(act: Callable[[], Done]) -> Done:
    """Return the result of an action; it is repeated if somebody else changes the same place meanwhile."""
    for _ in range(_ATTEMPTS - 1):
        with suppress(MovedError):
            return act()
    return act()


class Draft:
    """The files and rows of a change as they become."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.texts: dict[str, str] = {}
        self.rows: dict[str, Row] = {}

    def read(self, path: str) -> str:
        """Return the new text of a file, "" for none."""
        return self.texts[path] if path in self.texts else self.view.read(path) or ""

    def add_line(self, words: str, tag: str = "", *status: str, path: str = "") -> str:
        """Add an entry to the section of its tag in a memory file; return the file."""
        path = path or self.view.workspace.memory_file
        line, section = bullet(words, tag or None, status), SECTIONS[tag or "knowledge"]
        self.texts[path] = append_under(self.read(path) or "# Memory\n", section, line, create=True)
        return path

    def list_edits(self) -> tuple[Edit, ...]:
        """Return the edits of files."""
        texts = ((path, self.view.read(path), text) for path, text in self.texts.items())
        return tuple(Edit(path, before, text) for path, before, text in texts if text != (before or ""))


def point_to(view: View, line: MemoryLine) -> str:
    """Return the evidence that points at an entry, with its words if they can be quoted."""
    text = view.read(line.path) or ""
    entry = find_entry(text, line)
    source = fold_spaces("".join(document.split(text)[entry.start - 1 : entry.end]))
    quote = shorten(fold_spaces(entry.text), _MAX_QUOTE_CHARS).removesuffix("…")
    is_quotable = quote and quote in source and file_contents.clean_for_writing(quote) == quote
    return format_pointer(Pointer("lines", line.path, entry.start, entry.end, quote=quote if is_quotable else None))


def find_gravest(origins: Iterable[str | None]) -> Origin:
    """Return the least trusted origin, "unknown" for none."""
    ranks = (next((rank for rank, name in enumerate(_GRAVITY) if name == origin), 2) for origin in origins)
    return _GRAVITY[max(ranks, default=2)]
