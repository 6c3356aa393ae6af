"""Renders the changelog and the compaction log."""

import os
import re
import unicodedata
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import Advice, ClawgitError, file_foreign
from clawgit.git import history, repository, worktree_files
from clawgit.workspace import commit_message, records
from clawgit.workspace.records import Record
from clawgit.workspace.workspace_base import WorkspaceBase

NAMES = ("CHANGELOG.md", "SOUL_CHANGELOG.md")
COMPACTION_LOG = "COMPACTION_LOG.md"
VIEWS = (*NAMES, COMPACTION_LOG)
_OURS = (*VIEWS, file_roles.CORRECTIONS, file_roles.CONFLICTS)
PATHS = (*file_roles.IDENTITY_PATHS, file_roles.FORMAT)
"""What the changelog tells of, as git matches paths."""
MARKER = "<!-- clawgit: rendered from the log, do not edit -->"

_HEAD = f"""{MARKER}
# Changelog of the identity

What became of the identity files, newest first. `clawgit changelog` writes this file anew.
"""

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#$])|&(?=#?\w+;)|!(?=\[)")
_CODE = re.compile(r"`+")


class View(Struct, frozen=True):
    """A rendered file: its place, its text, and whether the file on disk is the same."""

    path: str
    text: str
    entries: int
    current: bool


def changelog(workspace: WorkspaceBase) -> View:
    """Return the changelog of the identity files, and its place. Nothing is written. Raises as `find_changelog`.

    The same commits make the same bytes on every machine.
    """
    path = find_changelog(workspace)
    commits = history.walk_log(workspace.repo, *PATHS, literal=False)
    changes = (records.record(commit) for commit in commits if commit.paths != (file_roles.FORMAT,))
    rows = list(records.hide_words(workspace.read, changes))
    back = find_undone(rows)
    # The sort is stable: within a day the order is git's.
    days = sorted(rows, key=lambda record: record.date.date(), reverse=True)
    return _view(workspace, path, _HEAD, days, lambda change: _render_change(change, back))


def _view(
    workspace: WorkspaceBase,
    path: str,
    head: str,
    changes: Sequence[Record],
    entry: Callable[[Record], Iterable[str]],
) -> View:
    """Return a view: its head, and the entries of each day."""
    parts, place = [head], workspace.root / path
    for day, group in groupby(changes, key=lambda record: record.date.date()):
        parts.append(f"\n## {day.isoformat()}\n")
        parts += ["\n" + "\n".join(entry(record)) + "\n" for record in group]
    text = "".join(parts)
    return View(path, text, len(changes), place.is_file() and place.read_bytes() == text.encode())


def write(workspace: WorkspaceBase, view: View) -> bool:
    """Write a view in one step if it is not there; return whether anything was written."""
    if not view.current:
        worktree_files.replace_file(workspace.root / view.path, view.text.encode())
    return not view.current


def find_undone(changes: Iterable[Record]) -> dict[str, str]:
    """Return the undone changes with their undos, newest first; an undone undo does not count."""
    back: dict[str, str] = {}
    for record in changes:
        # The newest come first, so the undo of an undo is known by now.
        if record.undoes and record.change not in back:
            back[record.undoes] = record.change or record.commit[:10]
    return back


def _render_change(record: Record, back: dict[str, str]) -> Iterator[str]:
    name = record.change or record.commit[:10]
    yield f"### {_escape_words(record.subject) or '(no subject)'}\n"
    files = [path for path in record.files if path != file_roles.FORMAT]
    note = "" if record.origin or record.claimed else ", without clawgit"
    yield f"- {record.date:%H:%M %z}, by {_escape_words(record.who)}{note}: {', '.join(map(_code, files)) or 'a merge'}"
    if record.why:
        yield f"- why: {_escape_words(record.why)}"
    for citation in record.evidence:
        yield f"- evidence: {_code(citation.pointer)}"
    yield f"- commit: {_code(record.commit[:10])}"
    undone = back.get(name) or back.get(record.commit)
    if undone:
        yield f"- taken back by {_code(undone)}"
    elif files == list(record.files) != []:  # neither a merge nor the first commit
        alone = record.change is None and files == [file_roles.SOUL]  # the rest of their commit stays
        yield f"- undo: {_code(f'clawgit soul revert {name}' if alone else f'clawgit undo {name}')}"


def _escape_words(text: str) -> str:
    """Return words of anybody on one line, such that Markdown shows them as they are."""
    return _SPECIAL.sub(lambda match: "\\" + match[0], _visible(text))


def _code(text: str) -> str:
    """Return text as a code span that nothing in it can end."""
    visible = _visible(text)
    fence = "`" * (1 + max((len(run) for run in _CODE.findall(visible)), default=0))
    gap = " " if visible.startswith("`") or visible.endswith("`") else ""
    return f"{fence}{gap}{visible}{gap}{fence}"


def _visible(text: str) -> str:
    letters = (" " if unicodedata.category(letter) in ("Cc", "Cf", "Cs") else letter for letter in text)
    return commit_message.fold_spaces("".join(letters))


def find_changelog(workspace: WorkspaceBase) -> str:
    """Return the path of the changelog. Raises ClawgitError when every name it may have belongs to somebody else."""
    for name in NAMES:
        place = workspace.root / name
        is_theirs = repository.tracked(workspace.repo, name) or (os.path.lexists(place) and not is_rendered(place))
        if not is_theirs:
            return name
    raise file_foreign(f"{' and '.join(NAMES)} are somebody else's", fix=Advice("move one of them away"))


def is_rendered(place: Path) -> bool:
    """Return whether we rendered a file, by its first line, or it is a blank one with a name of ours.

    That is an empty one, and a view with nothing but white space and a byte order mark.
    """
    if place.is_symlink() or not place.is_file():
        return False
    with place.open("rb") as file:
        first = file.readline()
        is_blank = _is_blank(first) and place.name in VIEWS and _is_blank(file.read())
    return first.rstrip(b"\r\n") == MARKER.encode() or is_blank or (not first and place.name in _OURS)


def _is_blank(data: bytes) -> bool:
    return not data.removeprefix(BOM_UTF8).strip()


AGENT = "memory-compactor"
_COMPACTION_HEAD = f"""{MARKER}
# Compaction log

What the memory compactor archived and removed, newest first, each with the command that brings it back.
"""


def render_compactions(workspace: WorkspaceBase) -> list[str]:
    """Write the log of compactions; return a sentence if it is not written.

    It is not if the file is somebody else's, or git would take it for a file to commit.
    """
    place = workspace.root / COMPACTION_LOG
    if repository.tracked(workspace.repo, COMPACTION_LOG) or (place.exists() and not is_rendered(place)):
        return [f"{COMPACTION_LOG} is somebody else's; what was compacted: clawgit log --agent {AGENT}"]
    if not repository.ignored(workspace.repo, COMPACTION_LOG):
        return [f"{COMPACTION_LOG} is not rendered, as git does not ignore it: add /{COMPACTION_LOG} to .gitignore"]
    compactions = list(map(records.record, history.walk_log(workspace.repo, containing=f"Clawgit-Agent: {AGENT}")))
    undoing = history.walk_log(workspace.repo, containing="Clawgit-Undoes: ", named=False)
    back = find_undone(map(records.record, undoing))

    def render(record: Record) -> Iterator[str]:
        name = record.change or record.commit[:10]
        undone = back.get(name) or back.get(record.commit)
        rows = [row for row in record.why.splitlines() if row.startswith("- ")]
        yield f"### {record.subject}\n"
        yield from (rows if not undone else [row.partition("; back: ")[0] for row in rows])
        yield f"- commit: {record.commit[:10]}"
        yield f"- taken back by: {undone}" if undone else f"- all of it back: clawgit undo {name}"

    write(workspace, _view(workspace, COMPACTION_LOG, _COMPACTION_HEAD, compactions, render))
    return []


def refresh_views(workspace: WorkspaceBase) -> None:
    """Render the existing views anew, without libgit2, as a hook does. Raises ClawgitError if one cannot be."""
    if is_rendered(workspace.root / find_changelog(workspace)):
        write(workspace, changelog(workspace))
    if is_rendered(workspace.root / COMPACTION_LOG):
        render_compactions(workspace)


def render_first(workspace: WorkspaceBase) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Render the views for the first time; return the existing ones, and the reasons for the others.

    Blank files of these names are taken out of git. A view that git would take for a file to commit is not made.
    Obstacles are reported, not raised.
    """
    notes: list[str] = []
    try:
        release_blank(workspace, (name for name in VIEWS if repository.ignored(workspace.repo, name)))
        notes += render_compactions(workspace)
        path = find_changelog(workspace)
        if repository.ignored(workspace.repo, path):
            write(workspace, changelog(workspace))
        else:
            notes.append(f"{path} is not rendered, as git does not ignore it: add /{path} to .gitignore")
    except (ClawgitError, OSError) as exc:
        notes.append(f"the changelog is not rendered: {exc}")
    return tuple(name for name in VIEWS if is_rendered(workspace.root / name)), tuple(notes)


def release_blank(workspace: WorkspaceBase, views: Iterable[str]) -> None:
    """Take the committed files of these names that are blank out of git: they will be rendered."""
    rendered = (name for name in views if is_rendered(workspace.root / name))
    committed = {name: repository.read(workspace.repo, workspace.head, name) for name in rendered}
    names = tuple(name for name, data in committed.items() if data is not None and _is_blank(data))
    if names:
        from clawgit.git import commit_chain, transaction  # noqa: PLC0415 - libgit2, which hooks go without

        words = f"workspace: {commit_message.list_names(names)} will be rendered"
        text = commit_message.render(commit_message.Message(words, "", (("Origin", "operator"),)))
        new = commit_chain.NewCommit(text, workspace.operator, workspace.now(), dict.fromkeys(names))
        workspace.write(workspace.branch, names, lambda _: transaction.Plan((new,)))
