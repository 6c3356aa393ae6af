"""Where each line came from, and why."""

from collections.abc import Iterator
from dataclasses import dataclass

from clawgit.errors import ClawgitError, UsageError
from clawgit.git import history, repository
from clawgit.git.blame import blame
from clawgit.text import evidence as pointers
from clawgit.workspace import records, scope
from clawgit.workspace.records import Cited, Record
from clawgit.workspace.workspace import Workspace

_AROUND = 3


@dataclass(frozen=True, slots=True)
class Line:
    """One line and the commit that it came with; `record` is None while it is not committed."""

    line: int
    text: str
    record: Record | None


@dataclass(frozen=True, slots=True)
class Said:
    """What a piece of evidence points at, as it stands there; `text` is None when it is no longer to be had."""

    cited: Cited
    text: str | None
    date: str | None = None

    @property
    def available(self) -> bool:
        """Whether it can still be read."""
        return self.text is not None


def lines(workspace: Workspace, path: str = scope.SOUL, span: tuple[int, int] | None = None) -> tuple[Line, ...]:
    """Return the lines of a file on disk, each with the record of its commit. Raises ClawgitError as git does."""
    blamed = blame(workspace.repo, path, span=span)
    commits = history.several(workspace.repo, (one.commit for one in blamed if one.commit))
    known = {oid: records.record(commit) for oid, commit in commits.items()}
    return tuple(Line(one.line, one.text, known[one.commit] if one.commit else None) for one in blamed)


def place(workspace: Workspace, text: str) -> tuple[str, int]:
    """Take `FILE:LINE` apart; a file name may hold colons. Raises UsageError when it is neither that nor there."""
    path, colon, number = text.rpartition(":")
    if not colon or not number.isdecimal() or int(number) < 1:
        raise UsageError(f"{text!r} is not FILE:LINE", fix="clawgit why SOUL.md:7")
    content = workspace.read(path)
    if content is None:
        raise ClawgitError(f"there is no file {path} in {workspace.root}", fix=f"ls '{workspace.root}'")
    count = content.count("\n") + (not content.endswith("\n"))
    if int(number) > count:
        raise ClawgitError(f"{path} has {count} lines", fix=f"clawgit why '{path}:{count}'")
    return path, int(number)


def why(workspace: Workspace, path: str, number: int) -> tuple[Line, tuple[Said, ...]]:
    """Return where one line came from, and what its evidence says, followed to the words themselves."""
    (line,) = lines(workspace, path, (number, number))
    cited = line.record.evidence if line.record else ()
    return line, tuple(_said(workspace, one) for one in cited)


def _said(workspace: Workspace, cited: Cited) -> Said:
    try:
        pointer = pointers.parse(cited.pointer)
    except ClawgitError:
        return Said(cited, None)
    commit = repository.resolve(workspace.repo, pointer.rev) if pointer.rev else workspace.head
    data = repository.read(workspace.repo, commit, pointer.path) if pointer.path and commit else None
    if data is None or commit is None:
        return Said(cited, None)
    rows = data.decode("utf-8", "replace").split("\n")
    when = history.commit(workspace.repo, commit).date.isoformat()
    return Said(cited, "\n".join(_around(rows, pointer)), when)


def _around(rows: list[str], pointer: pointers.Pointer) -> Iterator[str]:
    """Yield the lines that a pointer means, with some before and after them."""
    start, end = pointer.start, pointer.end
    if pointer.kind == "correction":
        heads = [number for number, row in enumerate(rows, 1) if row.startswith("## ") and pointer.id in row.split()]
        start = heads[0] if heads else len(rows) + 1
        end = next((number for number in range(start, len(rows)) if rows[number].startswith("## ")), len(rows))
        yield from rows[start - 1 : end]
        return
    yield from rows[max(0, start - 1 - _AROUND) : end + _AROUND]
