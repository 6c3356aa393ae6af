"""Takes over what version 0.2 kept in references and in files of its own; what it kept stays in `old/` for one release.

Proposals were commits that no branch had; candidates were lines of a file.
"""

import contextlib
import shutil
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import commit_chain, history, references, regular_file
from clawgit.git.git_command import git
from clawgit.git.history import Commit
from clawgit.git.repository import Oid, Repository
from clawgit.safety.redaction import redacted
from clawgit.store.item import FileEdit, Item, Kind, State
from clawgit.text.entry import is_id
from clawgit.workspace import commit_message

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import WorkspaceBase

OLD = "old"
_OPEN, _REJECTED = "refs/clawgit/proposals/", "refs/clawgit/rejected/"
_CANDIDATES = "candidates.jsonl"
_BUNDLE = "proposals.bundle"
_NOT_ASKED_FOR = "said, not asked for"
_KIND, _START = "Clawgit-Kind", "desk: what the proposal starts from"


class _Candidate(Struct, frozen=True):
    """A line of `candidates.jsonl`."""

    id: str
    at: str
    text: str
    reason: str
    said: str = ""
    true: str = ""
    choices: tuple[str, ...] = ()
    source: str = ""
    trigger: str = ""
    trigger_confidence: str = "medium"
    state: Literal["open", "confirmed", "dismissed"] = "open"


_STATES: Mapping[str, State] = {"open": "open", "confirmed": "accepted", "dismissed": "rejected"}


def take_over(workspace: "WorkspaceBase") -> None:
    """Take over what is there; what cannot be written now is taken over by a later command."""
    repo, store = workspace.repo, workspace.store
    names = [name for name in references.ours(repo) if name.startswith((_OPEN, _REJECTED))]
    candidates = workspace.state / _CANDIDATES
    if not names and not candidates.exists():
        return
    with contextlib.suppress(OSError, ClawgitError):
        proposals = list(_read_proposals(repo, names))
        for item in (*proposals, *_read_candidates(candidates)):
            store.open_item(item)
        ids = {item.id for item in proposals}  # a bundle cannot hold what else is there
        names = [name for name in names if name.rpartition("/")[2] in ids]
        old = store.folder / OLD
        old.mkdir(mode=0o700, exist_ok=True)
        if names:
            git(repo.root, "bundle", "create", "--quiet", str(old / _BUNDLE), *names)
        for name in names:
            references.drop(repo, name)
        set_aside(candidates, old)


def set_aside(place: Path, old: Path) -> None:
    """Move a file of an earlier version to `old/`. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        shutil.move(place, old / place.name)


def _read_proposals(repo: Repository, names: list[str]) -> Iterator[Item]:
    """Yield the item of each proposal that can be read; a rejected one is a commit on top of what was proposed."""
    for name in names:
        prefix = _REJECTED if name.startswith(_REJECTED) else _OPEN
        with contextlib.suppress(ClawgitError, ValueError, KeyError, StopIteration):
            commit = history.commit(repo, references.target(repo, name) or "")
            if not is_id(name.removeprefix(prefix)) or not commit.parents:
                continue
            if prefix == _REJECTED:
                proposed = _read_proposal(repo, name.removeprefix(prefix), history.commit(repo, commit.parents[0]))
                answer = commit_message.parse(commit.message).why
                yield replace(proposed, state="rejected", decided=commit.date, answer=answer)
            else:
                yield _read_proposal(repo, name.removeprefix(prefix), commit)


def _read_proposal(repo: Repository, name: str, commit: Commit) -> Item:
    from clawgit.workspace import inbox  # noqa: PLC0415 - it loads the rules

    base = commit.parents[0]
    message = commit_message.parse(commit.message)
    paths = commit_chain.changed(repo, base, commit.id)
    edits = tuple(
        FileEdit(path, *(inbox.read_control_version(repo, side, path) for side in (base, commit.id))) for path in paths
    )
    texts = Item(name, "identity", "", commit.date, edits=edits).texts
    claimed: Mapping[str | None, Kind] = {"restore": "restore", "control": "sync"}
    draft = inbox.Draft(texts, message, base, commit.date, claimed.get(message.get(_KIND)))
    agent = message.get("Clawgit-Agent") or ""
    title = message.subject
    if agent == "capture" and draft.kind_of_item == "identity":
        title = f"{message.subject.partition(':')[0]}: {inbox.summarise(texts)}"
    return Item(
        name,
        draft.kind_of_item,
        redacted(title),
        commit.date,
        message.why,
        agent,
        _ancestor(repo, base),
        tuple((key, value) for key, value in message.trailers if key != _KIND),
        edits,
        sameness=inbox.hash_change(texts),
    )


def _ancestor(repo: Repository, base: Oid) -> Oid:
    """Return the commit that a proposal was worked out on: below its base, where that was made for it alone."""
    commit = history.commit(repo, base)
    return next(iter(commit.parents), base) if commit.message.startswith(_START) else base


def _read_candidates(place: Path) -> Iterator[Item]:
    """Yield the item of each candidate as it was last noted."""
    rows = {row.id: row for row in regular_file.parse_rows(place, _Candidate)}
    for row in rows.values():
        when = datetime.fromisoformat(row.at)
        opened = when if when.tzinfo else when.astimezone()
        kind: Kind = "candidate" if row.reason == _NOT_ASKED_FOR else "correction"
        names = ("said", "true", "choices", "trigger", "trigger_confidence")
        details: dict[str, Any] = {name: getattr(row, name) for name in names} if kind == "correction" else {}
        item = Item(row.id, kind, row.text, opened, row.reason, row.source, details=details)
        yield item if row.state == "open" else replace(item, state=_STATES[row.state], decided=opened)
