"""Brings back what is gone."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.repository import Oid
from clawgit.text import entry, lines, outline
from clawgit.text.identity import is_id
from clawgit.text.revert import revert
from clawgit.workspace import contents, memory, message, records, scope
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.undo import ConflictError
from clawgit.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of an older version of a file: lines `start` to `end` of `text`, as they stood in `commit`."""

    path: str
    commit: Oid
    text: str
    start: int
    end: int

    @property
    def without(self) -> str:
        """The version as if the stretch had not been in it."""
        rows = lines.split(self.text)
        return "".join(rows[: self.start - 1] + rows[self.end :])


def restore(workspace: Workspace, wanted: str, as_of: str | None = None) -> Change:
    """Return the change that brings back `wanted`: a path, `PATH#Section`, or the id of an entry.

    As it was at `as_of` (a change, revision or date), else as it was last. Raises ClawgitError when it was never there
    or nothing is missing, ConflictError when later lines stand in its place.
    """
    start = records.find(workspace, as_of) if as_of else None
    path, _, title = wanted.partition("#")
    if is_id(wanted):
        return _change(workspace, _entry(workspace, wanted, start), f"entry {wanted}")
    if title:
        return _change(workspace, _section(workspace, path, title, start), f"{path}, section {title}")
    return _file(workspace, wanted, start)


def _file(workspace: Workspace, path: str, start: Oid | None) -> Change:
    now = workspace.read(path)
    commit = start or _last_with(workspace, path)
    text = contents.decoded(path, repository.read(workspace.repo, commit, path)) if commit else None
    if text is None or commit is None:
        when = f" at {start[:10]}" if start else ""
        raise ClawgitError(f"there is no {path}{when}", fix=f"git log --oneline -- '{path}'")
    if text == now:
        raise ClawgitError(
            f"{path} is as it was at {commit[:10]} already", fix=f"clawgit restore '{path}' --as-of DATE"
        )
    subject = f"{scope.room(path)}: restore {path} as of {commit[:10]}"
    return Change(subject, f"As it was at {commit[:10]}.", (Edit(path, now, text),))


def _last_with(workspace: Workspace, path: str) -> Oid | None:
    return next((commit for commit, _ in _versions(workspace, path, None)), None)


def _versions(workspace: Workspace, path: str, start: Oid | None) -> Iterator[tuple[Oid, str]]:
    """Yield the versions of a file, newest first, from `start` on."""
    for found in history.log(workspace.repo, path, start=start or "HEAD"):
        data = repository.read(workspace.repo, found.id, path)
        if data is not None:
            yield found.id, data.decode("utf-8", "replace")


def _section(workspace: Workspace, path: str, title: str, start: Oid | None) -> _Piece:
    for commit, text in _versions(workspace, path, start):
        try:
            found = outline.find(text, title)
        except ClawgitError:
            continue
        return _Piece(path, commit, text, found.start, found.end)
    raise ClawgitError(f"{path} never had a section {title!r}", fix=f"git log -p -- '{path}'")


def _entry(workspace: Workspace, name: str, start: Oid | None) -> _Piece:
    row = workspace.rows().get(name)
    if row is None:
        raise ClawgitError(f"no entry has, or had, the id {name}", fix="clawgit memory list")
    for commit, text in _versions(workspace, row.file, start):
        for found in entry.entries(text):
            if memory.digest(found.text) == row.hash:
                return _Piece(row.file, commit, text, found.start, found.end)
    raise ClawgitError(f"{row.file} never held entry {name}", fix=f"git log -p -- '{row.file}'")


def _change(workspace: Workspace, piece: _Piece, name: str) -> Change:
    now = workspace.read(piece.path) or ""
    rows = "".join(lines.split(piece.text)[piece.start - 1 : piece.end])
    if rows.strip() in now:
        raise ClawgitError(f"{name} is there already", fix=f"clawgit memory get '{piece.path}'")
    back = revert(piece.text, piece.without, now)
    if back.text is None:
        raise ConflictError(piece.path, back.conflicts, name)
    subject = f"{scope.room(piece.path)}: restore {message.shorten(message.one_line(rows), 50)}"
    known = (row for row in workspace.rows().values() if f"entry {row.id}" == name)
    revived = tuple(replace(row, status="live") for row in known)
    edits = (Edit(piece.path, workspace.read(piece.path), back.text),)
    return Change(subject, f"As it was at {piece.commit[:10]}.", edits, rows=revived)
