"""Stretches of older versions, and the place they had."""

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from clawgit.errors import ClawgitError, quoted
from clawgit.git import history
from clawgit.git.repository import Oid
from clawgit.text import document, entry
from clawgit.text.entry import digest, entry_id
from clawgit.text.line_alignment import pairs
from clawgit.text.revert import revert
from clawgit.workspace import entries, entry_association
from clawgit.workspace.entries import Row
from clawgit.workspace.entry_association import Version, holders
from clawgit.workspace.workspace import Workspace

Fits = Callable[[entry.Entry], bool]


class Piece(Struct, frozen=True):
    """Lines `start` to `end` of an older version, under the titles `section`; `words` is what an entry says.

    `later` is the next version, which has them no longer.
    """

    version: Version
    start: int
    end: int
    section: tuple[str, ...] = ()
    words: str = ""
    later: Version | None = None
    ordinal: int = 1

    @property
    def text(self) -> str:
        """The lines themselves."""
        return "".join(document.split(self.version.text)[self.start - 1 : self.end])

    def placed(self, now: str) -> str | None:
        """Return `now` with the lines where they stood, None where nothing tells that place any more."""
        if not now or (self.words and not _stands(now, self.section)):
            return None
        rows = document.split(self.version.text)
        without = "".join(rows[: self.start - 1] + rows[self.end :])
        back = revert(self.version.text, without, now).text
        if back is None or back == now:
            return None
        stand = set(map(document.content, document.split(back)))
        return back if all(document.content(row) in stand for row in rows[self.start - 1 : self.end]) else None

    def successor(self, now: str) -> str | None:
        """Return the line that the change which took these away put in their place, if it still stands in `now`."""
        if self.later is None:
            return None
        old, new, here = (
            set(map(document.content, document.split(text))) for text in (self.version.text, self.later.text, now)
        )
        first = document.content(document.split(self.text)[0])
        fresh = [row for row in map(document.content, document.split(self.later.text)) if row in (new - old) & here]
        return next((fresh[at] for _, at in pairs([first], fresh)), None)


def _stands(text: str, section: tuple[str, ...]) -> bool:
    try:
        return not section or bool(document.find(text, section[-1]))
    except ClawgitError:
        return False


def section(workspace: Workspace, path: str, title: str, start: Oid | None) -> Piece:
    """Return a section as it was last, from `start` on. Raises ClawgitError when there never was one."""
    for version in entry_association.versions(workspace, path, start):
        try:
            found = document.find(version.text, title)
        except ClawgitError:
            continue
        return Piece(version, found.start, found.end, found.path)
    raise ClawgitError(f"{path} never had a section “{title}”{_hint(workspace)}", fix=f"clawgit log {quoted(path)}")


def named(workspace: Workspace, name: str, start: Oid | None) -> tuple[Piece, str]:
    """Return the entry whose id begins with `name`, as it was last, with the whole id.

    By the sidecar of any time, else by the words of what stood in a memory file or journal. Raises ClawgitError when
    there never was one, or there were several.
    """
    rows = _rows(workspace, name)
    if len(rows) > 1:
        raise ClawgitError(f"several entries begin with {name}: {', '.join(sorted(rows))}", fix="type more of it")
    for row in rows.values():
        if piece := _search(workspace, row.file, start, partial(_says, row)):
            return piece, row.id

    for path in dict.fromkeys((*(row.file for row in rows.values()), *holders(workspace.repo, name))):
        if piece := _search(workspace, path, start, partial(_is_called, path, name)):
            return piece, entry_id(path, piece.words, piece.ordinal)
    raise ClawgitError(
        f"no entry has, or had, the id {name}, and no file that name{_hint(workspace)}", fix="clawgit memory list"
    )


def _rows(workspace: Workspace, name: str) -> dict[str, Row]:
    """Return the rows whose id begins with `name`: those of now, else of the last sidecar that had one."""
    found = {key: row for key, row in workspace.rows().items() if key.startswith(name)}
    if found:
        return found
    for version in entry_association.versions(workspace, entries.PATH):
        if f"\n{name}" in version.text:
            return {key: row for key, row in entries.parse(version.text).items() if key.startswith(name)}
    return {}


def _says(row: Row, one: entry.Entry) -> bool:
    return digest(one.text) == row.hash


def _is_called(path: str, name: str, one: entry.Entry) -> bool:
    return entry_id(path, one.text, one.ordinal).startswith(name)


def _search(workspace: Workspace, path: str, start: Oid | None, fits: Fits) -> Piece | None:
    """Return the entry that fits as it was last: looked for line by line, which is fast, then in whole texts."""
    for whole in (False, True):
        seen: set[str] = set()
        later = None
        for version in entry_association.versions(workspace, path, start):
            rows = set(document.split(version.text))
            fresh = rows - seen
            if fresh if whole else any(fits(one) for row in fresh for one in entry.entries(row.strip())):
                found = next((one for one in entry.entries(version.text) if fits(one)), None)
                if found:
                    return Piece(version, found.start, found.end, found.section, found.text, later, found.ordinal)
            seen |= rows
            later = version
    return None


def _hint(workspace: Workspace) -> str:
    return "; this clone is shallow, and does not know all" if history.cut_off(workspace.repo) else ""
