"""Identity files: evidence-carrying edits, versions compared."""

from typing import Literal

from msgspec import Struct

from clawgit import errors
from clawgit.errors import Advice, Command
from clawgit.git import history, repository
from clawgit.text.diff import Hunk, hunks
from clawgit.text.document import sections
from clawgit.text.edit import append_under, bullet, remove_once, replace_once
from clawgit.workspace import commit_message, file_contents, file_roles, records
from clawgit.workspace.change import Change, Edit, Origin
from clawgit.workspace.records import Record
from clawgit.workspace.workspace import Workspace

Act = Literal["add", "replace", "remove"]


class Difference(Struct, frozen=True):
    """What changed in one file between two commits; `start` None is the time before the first one."""

    start: str | None
    end: str
    hunks: tuple[Hunk, ...]


class Version(Struct, frozen=True):
    """A file as a commit holds it."""

    commit: str
    text: str


def edit(
    workspace: Workspace,
    act: Act,
    text: str,
    *,
    old: str = "",
    section: str | None = None,
    path: str = file_roles.SOUL,
    why: str,
    evidence: tuple[str, ...] = (),
    origin: Origin = "operator",
    agent: str | None = None,
) -> Change:
    """Return the change that adds `text` as the last bullet of `section`, puts it in place of `old`, or removes it.

    A file with no heading but its title is one section. Raises ClawgitError when the place is not found exactly once,
    UsageError when the file is no identity file.
    """
    if not file_roles.guarded(path):
        raise errors.path_role(f"{path} is no identity file", fix=Advice(f"use {', '.join(file_roles.IDENTITY)}"))
    before = workspace.read(path)
    if before is None:
        raise errors.file_missing(f"{path} not found", fix=Advice(f"write a first {path}, or --file another one"))
    if not text.strip():
        raise errors.text_missing(
            "there is no text", fix=Advice('clawgit soul edit --add "a principle" --section "Core Truths" --why …')
        )
    if not why.strip():
        raise errors.reason_missing("there is no reason", fix=Advice('--why "what asked for it"'))
    after = _edited(before, act, text, old, section)
    verb = "drop: " if act == "remove" else ""
    subject = f"{file_roles.room(path)}: {verb}{commit_message.shorten(commit_message.one_line(text), 60)}"
    return Change(subject, why, (Edit(path, before, after),), evidence, origin, agent)


def _edited(before: str, act: Act, text: str, old: str, section: str | None) -> str:
    match act:
        case "add":
            return append_under(before, _only_section(before) if section is None else section, bullet(text))
        case "replace":
            return replace_once(before, old, text, section)
        case "remove":
            return remove_once(before, text, section)


def _only_section(text: str) -> str | None:
    """Return the title of a text that has no heading but that, None without any; raise UsageError where it has more."""
    heads = sections(text)
    if heads[1:]:
        known = next((head.title for head in heads if head.level > 1), heads[0].title)
        raise errors.option_missing("--add needs to know where", fix=Advice(f'--section "{known}"'))
    return heads[0].title if heads else None


def show(workspace: Workspace, path: str = file_roles.SOUL, name: str | None = None) -> Version:
    """Return a file as it is in the commit that `name` means (None: HEAD).

    Raises ClawgitError when that commit has no such file.
    """
    commit = records.find(workspace, name or "HEAD")
    return Version(commit, _text(workspace, commit, path, required=True))


def diff(workspace: Workspace, first: str, second: str | None = None, path: str = file_roles.SOUL) -> Difference:
    """Return what changed in `path` from one change, revision or date to another (None: HEAD)."""
    start, end = records.find(workspace, first), records.find(workspace, second or "HEAD")
    return _difference(workspace, start, end, path)


def of(workspace: Workspace, name: str, path: str = file_roles.SOUL) -> Difference:
    """Return what one change, or the commit of a revision, did to `path`; a merge is held against its first parent."""
    commit = records.find(workspace, name)
    parents = history.commit(workspace.repo, commit).parents
    return _difference(workspace, parents[0] if parents else None, commit, path)


def last(workspace: Workspace, path: str = file_roles.SOUL) -> Difference:
    """Return what the last change of `path` did."""
    if workspace.head is None:
        raise errors.head_unborn("there is no commit yet", fix=Command("clawgit status"))
    found = next(history.log(workspace.repo, path, limit=1), None)
    if found is None:
        raise errors.history_missing(f"{path} has no history here", fix=Command("git log -- {}", path))
    return _difference(workspace, found.parents[0] if found.parents else None, found.id, path)


def preview(workspace: Workspace, change: Change, path: str = file_roles.SOUL) -> tuple[Record, tuple[Hunk, ...]]:
    """Return the change that `change` takes back, and what taking it back would do to `path`."""
    assert change.undoes is not None
    commit = history.commit(workspace.repo, records.find(workspace, change.undoes))
    edits = (one for one in change.edits if isinstance(one, Edit) and one.path == path)
    done = tuple(hunk for one in edits for hunk in hunks(one.base or "", one.text or ""))
    return records.record(commit), done


def _difference(workspace: Workspace, start: str | None, end: str, path: str) -> Difference:
    before = _text(workspace, start, path) if start else ""
    return Difference(start, end, hunks(before, _text(workspace, end, path)))


def _text(workspace: Workspace, commit: str, path: str, *, required: bool = False) -> str:
    data = repository.read(workspace.repo, commit, path)
    if data is None and required:
        raise errors.history_missing(f"{path} is not in {commit[:10]}", fix=Command("git log --oneline -- {}", path))
    return file_contents.decoded(path, data) or ""
