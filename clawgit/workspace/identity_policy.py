"""The effect of soul_policy on changes and files (spec T1)."""

import contextlib
import os
import re
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import Advice, BusyError, ClawgitError, Command, identity_locked, path_link, path_submodule
from clawgit.git import git_state, repository, worktree_files
from clawgit.git.locks import repository_lock
from clawgit.openclaw import blank_forms
from clawgit.text.tokens import count
from clawgit.workspace import evidence_check, quarantine
from clawgit.workspace.change import Change
from clawgit.workspace.file_contents import lines_of, loosely, text_of
from clawgit.workspace.line_writers import LineWriters
from clawgit.workspace.quarantine import Item
from clawgit.workspace.trust.approvals import Trust
from clawgit.workspace.workspace_base import WorkspaceBase

_MIN_WORD_LETTERS = 4
"""Shorter words are in every message."""

Bytes = Mapping[str, bytes | None]
Texts = Mapping[str, str | None]


def waits(workspace: WorkspaceBase, change: Change, doubts: Collection[str]) -> bool:
    """Return whether a change to the identity waits for the operator instead of landing (spec T1).

    A caller's change in his own name does not, if he is at a terminal: any program of his can call in his name. An
    agent's waits under `review`, and under `evolve` if there are `doubts`. Raises ClawgitError if nobody is at a
    terminal, and if agents may not even propose.
    """
    policy = workspace.config.soul_policy
    if change.agent is None:
        if policy == "evolve" or workspace.attended:
            return False
        words = f"soul_policy is {policy}: a change to the identity is yours alone, and there is no terminal to ask at"
        raise identity_locked(words, fix=Advice("run it at a terminal; soul edit waits for you with --propose"))
    if policy == "locked":
        fix = Command("clawgit config soul_policy review", note="and then: clawgit trust")
        raise identity_locked(f"the identity is locked: {change.agent} may not propose a change to it", fix=fix)
    return policy == "review" or bool(doubts)


def find_doubts(workspace: WorkspaceBase, change: Change, files: Texts) -> tuple[str, ...]:
    """Return why an agent's change of identity `files` (path to new text) needs the operator: a sentence for each.

    Its origin, its evidence and its size count, never its words.
    """
    guarded, trust = {path: text for path, text in files.items() if file_roles.guarded(path)}, workspace.trust
    if change.origin == "untrusted":
        return ("It comes from untrusted text.",)
    # What becomes as the operator approved it brings nothing that was not agreed to.
    agreed = {path for path, text in guarded.items() if text in (trust.approved(path), trust.said(path))}
    if change.agent is None or guarded.keys() <= agreed & trust.files.keys():
        return ()
    origins = {*evidence_check.find_origins(workspace, change.evidence)}
    doubts: list[str] = []
    if not origins:
        doubts.append("It has no evidence.")
    elif origins & {"untrusted", "unknown"}:
        doubts.append("It rests on evidence that nobody vouches for.")
    elif origins == {"agent"}:
        doubts.append("It rests on no words of the operator's.")
    doubts += ["It deletes the file."] if None in guarded.values() else []
    for path, text in guarded.items():
        if text is not None and path.endswith("SOUL.md"):
            size, cap = count(text), trust.cap(path, workspace.config.value("soul_max_tokens"))
            doubts += [f"It grows the file to {size} tokens, past its cap of {cap}."] if size > cap else []
    return tuple(doubts)


def follow(workspace: WorkspaceBase, texts: Texts, former: Texts) -> None:
    """Let the identity files among these count as approved with these texts where they may.

    Under `evolve` all may, else those as the operator approved them. `former` are the texts before the operator's own
    changes, by path: his change of what was approved counts, but is no word about the rest of another file.
    """
    trust = workspace.trust
    agents = text_of(repository.read(workspace.repo, workspace.head, file_roles.AGENTS))

    def may_count(path: str, text: str | None) -> bool:
        if (path in former and trust.approves(path, former[path])) or text == trust.said(path):
            return True
        return workspace.config.soul_policy == "evolve" or blank_forms.may_go(path, trust.approved(path), text, agents)

    guarded = {path: text for path, text in texts.items() if file_roles.guarded(path)}
    news = {path: text for path, text in guarded.items() if trust.known and not trust.approves(path, text)}
    workspace.follow({path: text for path, text in news.items() if may_count(path, text)}, former)


def is_left_to_agent(workspace: WorkspaceBase, path: str) -> bool:
    """Return whether OpenClaw keeps records of an identity file, and drops it from the prompt after an outside edit."""
    return file_roles.role_name(path) == file_roles.USER and path in workspace.recorded()


def list_refused(workspace: WorkspaceBase, contents: Bytes, before: Bytes) -> dict[str, bytes | None]:
    """Return the bytes to put back into the files of `contents` that others changed against the policy, by path.

    `before` is their former content. Approved text goes back; before any approval, and under `evolve`, the former
    content.
    """
    trust, refusals = workspace.trust, dict[str, bytes | None]()
    for path, data in contents.items():
        if workspace.config.soul_policy == "evolve":
            if _is_strangers(workspace, path, before[path], data):
                refusals[path] = before[path]
        elif not file_roles.guarded(path) or is_left_to_agent(workspace, path):
            continue
        elif not blank_forms.may_go(path, text_of(before[path]), text_of(data)):
            if trust.known and not trust.approves(path, text_of(data)):
                refusals[path] = _encode_approved(trust.approved(path))
            elif not trust.known and before[path] not in (None, data):
                refusals[path] = before[path]
    return refusals


def _encode_approved(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def is_gated_by_origin(path: str) -> bool:
    """Return whether an edit goes back under `evolve` unless the owner had it made."""
    name = file_roles.role_name(path)
    return name == file_roles.AGENTS or file_roles.self_description(name)


def _is_strangers(workspace: WorkspaceBase, path: str, before: bytes | None, now: bytes | None) -> bool:
    """Return whether a call wrote an edit, or may have, that neither the owner nor a timer of his made by itself.

    An owner's call in a session that met something from outside counts as his if his message has a word of the edit.
    """
    if now == before or not is_gated_by_origin(path) or not workspace.store.path.exists():
        return False
    if is_left_to_agent(workspace, path):
        return False
    lines = lines_of(loosely(now)) - lines_of(loosely(before))
    line_writers = LineWriters(workspace)
    writers = line_writers.list_recent(path, lines, workspace.now().timestamp())
    calls = list(dict.fromkeys(call for writer in writers for call in (writer.call, *writer.commands) if call))
    if not all(map(line_writers.trusts, calls)):
        return True
    words = {word for line in lines for word in _list_long_words(line)}
    outside = [call for call in calls if call.turn == "operator" and call.is_outside]
    questions = [workspace.sessions.question(call.session, call.time) for call in outside]
    return any(question is None or _list_long_words(question.text).isdisjoint(words) for question in questions)


def _list_long_words(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"\w+", text.casefold()) if len(word) >= _MIN_WORD_LETTERS)


def find_lost_lines(trust: Trust, path: str, text: str | None) -> tuple[str, ...]:
    """Return the lines that the operator approved and that a file lacks now.

    Compared with the operator's own approval, many small edits are reported as one large one is. Titles and blank lines
    of a form do not count. For an empty or missing file there are none: that is a loss of its own.
    """
    own_text = trust.said(path)
    if not trust.known or own_text is None or not (text or "").strip() or blank_forms.may_go(path, own_text, text):
        return ()
    form = blank_forms.form_lines(path, own_text)
    rows = {" ".join(row.split()) for row in (text or "").split("\n")}
    own_rows = (row for row in map(str.strip, own_text.split("\n")) if row and row not in form)
    contents = (row for row in own_rows if not row.startswith(("#", "```", "---")))
    return tuple(row for row in contents if " ".join(row.split()) not in rows)


_PATIENCE = 2.0
_MODE = 0o644

Kind = Literal["unapproved", "earlier", "unreachable"]


class Deviation(Struct, frozen=True):
    """An identity file that is not as approved.

    `earlier`: its content was approved once, as after a checkout of the past; it is reported and left alone.
    `unreachable`: nothing was approved there, and there is a link or another repository on the way to it. `mode` are
    the permissions for the approved bytes: those of the file, without execution.
    """

    path: str
    kind: Kind
    reason: str = ""
    mode: int = _MODE


class Enforced(Struct, frozen=True):
    """The files put back with their former content; the deviations left alone; the reason for a delay, or ""."""

    taken: tuple[Item, ...] = ()
    restored: tuple[str, ...] = ()
    left: tuple[Deviation, ...] = ()
    waiting: str = ""


def enforces(workspace: WorkspaceBase) -> bool:
    """Return whether identity files have to be as approved: under review and locked, after a first approval.

    The policy results from CONFIG.md and the operator's approvals together, also if CONFIG.md cannot be read.
    """
    return workspace.trust.known and serves_approved(workspace)


def serves_approved(workspace: WorkspaceBase) -> bool:
    """Return whether only approved text of the identity is served: under review and locked.

    Without any approval yet, as in a clone, that is nothing.
    """
    return workspace.config.soul_policy != "evolve"


def deviations(workspace: WorkspaceBase) -> tuple[Deviation, ...]:
    """Return the identity files that are not as approved; reads, and touches nothing."""
    return tuple(_compare_on_disk(workspace)) if enforces(workspace) else ()


def enforce(workspace: WorkspaceBase) -> Enforced:
    """Put the approved bytes back in place of unapproved ones that no capture took, and keep these.

    A capture commits, so it waits while git is busy, on another branch, or told to leave a file alone. This looks at
    the bytes on disk alone; but nothing is touched while a git process works in this tree or its operation is younger
    than ten minutes. Never raises for an obstacle: that is in `waiting`.
    """
    workspace.approvals()
    differences = deviations(workspace)
    if not any(deviation.kind == "unapproved" for deviation in differences):
        return Enforced(left=differences)
    if waiting := git_state.git_at_work(workspace.repo):
        return Enforced(left=differences, waiting=waiting)
    with contextlib.ExitStack() as stack:
        try:
            # A change of our own may be half way, and is let finish; somebody may approve the text during the wait.
            stack.enter_context(repository_lock(workspace.repo, time.monotonic() + _PATIENCE))
            workspace.approvals()
            differences = deviations(workspace)
        except BusyError:  # somebody holds the lock for seconds, where we hold it for milliseconds
            pass
        except ClawgitError as exc:
            return Enforced(left=differences, waiting=exc.message)
        return _put_back_deviations(workspace, differences)


def find_approved_name(workspace: WorkspaceBase, path: str) -> str:
    """Return the approved name of the identity file that `path` names, in any capitals.

    Without an approved one, only a self-description counts: a `tools.md` may be a file of its own.
    """
    name = file_roles.find_identity_name(path)
    if name == path:
        return path
    own = name if file_roles.self_description(name) else path
    return next((file for file in workspace.trust.files if file.casefold() == name.casefold()), own)


def _put_back_deviations(workspace: WorkspaceBase, differences: Iterable[Deviation]) -> Enforced:
    items: list[Item | None] = []
    restored_paths: list[str] = []
    left: list[Deviation] = []
    waiting, now = "", workspace.clock().replace(microsecond=0)  # CONFIG.md, which names a time zone, may be broken
    for deviation in differences:
        if deviation.kind != "unapproved":
            left.append(deviation)
            continue
        data = _encode_approved(workspace.trust.approved(deviation.path))
        try:
            # A link or file in the place of a folder on the way goes, too.
            for folder in reversed(PurePosixPath(deviation.path).parents[:-1]):
                place = workspace.root / folder
                if os.path.lexists(place) and (place.is_symlink() or not place.is_dir()):
                    items.append(quarantine.put_back(workspace.repo, folder.as_posix(), None, _MODE, now))
            items.append(quarantine.put_back(workspace.repo, deviation.path, data, deviation.mode, now))
        except (OSError, ClawgitError) as exc:
            left.append(deviation)
            waiting = waiting or f"{deviation.path} cannot be put back: {exc}"
            continue
        restored_paths.append(deviation.path)
    return Enforced(tuple(filter(None, items)), tuple(restored_paths), tuple(left), waiting)


def _compare_on_disk(workspace: WorkspaceBase) -> Iterator[Deviation]:
    for path in dict.fromkeys((*file_roles.identity_files(workspace.root), *workspace.trust.files)):
        if is_left_to_agent(workspace, path):
            continue
        # To a file that was approved neither a link nor another repository was on the way then: they came since.
        is_approved = workspace.trust.approved(path) is not None
        try:
            file = worktree_files.read(workspace.repo, path, nested=is_approved)
        except ClawgitError as exc:
            is_elsewhere = not is_approved and exc.key in (path_link.name, path_submodule.name)
            yield Deviation(path, "unreachable" if is_elsewhere else "unapproved", exc.message)
            continue
        data = file.data if file else None
        if stands(workspace.trust, path, data):
            continue
        if data is not None and repository.hash_blob(data) in workspace.trust.of(path).earlier:
            yield Deviation(path, "earlier", f"{path} holds what was approved before")
        elif not blank_forms.may_go(path, workspace.trust.approved(path), text_of(data)):
            mode = file.mode & 0o666 | 0o400 if file else _MODE
            yield Deviation(path, "unapproved", f"{path} is not as approved" if data else f"{path} is gone", mode)


def stands(trust: Trust, path: str, data: bytes | None) -> bool:
    """Return whether an identity file may hold these bytes (None: no file)."""
    text = text_of(data)
    return (data is None or text is not None) and trust.approves(path, text)
