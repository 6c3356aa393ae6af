"""The effect of soul_policy on a change."""

import re
from collections.abc import Collection, Iterator, Mapping

from clawgit import file_roles
from clawgit.errors import Advice, Command, identity_locked
from clawgit.git import repository
from clawgit.openclaw import blank_forms
from clawgit.text.tokens import count
from clawgit.workspace import evidence_check
from clawgit.workspace.change import Change
from clawgit.workspace.file_contents import lines_of, loosely, text_of
from clawgit.workspace.line_writers import TRUST_TIMERS, is_owners, list_writers
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
    if change.agent is None:
        refuse_unattended(workspace)
        return False
    if workspace.config.soul_policy == "locked":
        fix = Command("clawgit config soul_policy review", note="and then: clawgit trust")
        raise identity_locked(f"the identity is locked: {change.agent} may not propose a change to it", fix=fix)
    return workspace.config.soul_policy == "review" or bool(doubts)


def find_doubts(workspace: WorkspaceBase, change: Change, files: Texts) -> tuple[str, ...]:
    """Return why an agent's change of identity `files` (path to new text) needs the operator: a sentence for each.

    Its origin, its evidence and its size count, never its words.
    """
    guarded, trust = {path: text for path, text in files.items() if file_roles.guarded(path)}, workspace.trust
    if change.origin == "untrusted":
        return ("It comes from untrusted text.",)
    # What becomes as the operator approved it brings nothing that was not agreed to.
    agreed = (
        path in trust.files and (trust.approves(path, text) or text == trust.said(path))
        for path, text in guarded.items()
    )
    if change.agent is None or all(agreed):
        return ()
    origins = {*evidence_check.find_origins(workspace, change.evidence)}
    doubts = []
    if not origins:
        doubts.append("It has no evidence.")
    elif origins & {"untrusted", "unknown"}:
        doubts.append("It rests on evidence that nobody vouches for.")
    elif origins == {"agent"}:
        doubts.append("It rests on no words of the operator's.")
    for path, text in guarded.items():
        if text is None:
            doubts.append("It deletes the file.")
        elif path.endswith("SOUL.md"):
            size, cap = count(text), trust.cap(path, workspace.config.value("soul_max_tokens"))
            doubts += [f"It grows the file to {size} tokens, past its cap of {cap}."] if size > cap else []
    return tuple(dict.fromkeys(doubts))


def _may_count_as_approved(workspace: WorkspaceBase, path: str, text: str | None) -> bool:
    """Return whether a text that landed may count as approved: under `evolve` any, else an approved one."""
    trust = workspace.trust
    agents = text_of(repository.read(workspace.repo, workspace.head, file_roles.AGENTS))
    if trust.approves(path, text) or blank_forms.may_go(path, trust.approved(path), text, agents):
        return True
    return trust.known and (text == trust.said(path) or workspace.config.soul_policy == "evolve")


def follow(workspace: WorkspaceBase, texts: Texts, found: Texts, *, is_approved: bool = False) -> None:
    """Let the identity files among these count as approved with these texts where they may.

    `found` is what held, by path, those that the operator himself changed. What he `is_approved` says he approved
    counts where the file was as approved before: one word of his about a line is none about the rest of a file.
    """
    trust = workspace.trust
    news = {path: text for path, text in texts.items() if file_roles.guarded(path) and not trust.settled(path, text)}
    vouched = {path for path, text in found.items() if is_approved and trust.approves(path, text)}
    workspace.follow(
        {path: text for path, text in news.items() if path in vouched or _may_count_as_approved(workspace, path, text)},
        found,
    )


def refuse_unattended(workspace: WorkspaceBase) -> None:
    """Raise ClawgitError if only the operator himself may decide, and is not at a terminal (review and locked)."""
    policy = workspace.config.soul_policy
    if policy == "evolve" or workspace.attended or workspace.config.approves_without_terminal:
        return
    words = f"soul_policy is {policy}: a change to the identity is yours alone, and there is no terminal to ask you at"
    raise identity_locked(words, fix=Advice("run it at a terminal; soul edit waits for you with --propose"))


def is_left_to_agent(workspace: WorkspaceBase, path: str) -> bool:
    """Return whether OpenClaw keeps records of an identity file, and drops it from the prompt after an outside edit."""
    return file_roles.role_name(path) == file_roles.USER and path in workspace.recorded()


def list_refused(workspace: WorkspaceBase, found: Bytes, before: Bytes) -> dict[str, bytes | None]:
    """Return the bytes to put back into the files of `found` that others changed against the policy, by path.

    `before` is their former content. Approved text goes back, or a caller's later request; before any approval, and
    under `evolve`, the former content.
    """
    if workspace.config.soul_policy == "evolve":
        return {
            path: before[path] for path, data in found.items() if _is_strangers(workspace, path, before[path], data)
        }
    return {path: back for path, data in found.items() for back in _back(workspace, path, before[path], data)}


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
    writers = list_writers(workspace.store, path, lines, workspace.now().timestamp())
    calls = list(dict.fromkeys(call for writer in writers for call in (writer.call, *writer.commands) if call))
    timers = workspace.config.value(TRUST_TIMERS) == "on" if calls else False
    if not all(is_owners(call, trusts_timers=timers) for call in calls):
        return True
    words = {word for line in lines for word in _list_words(line)}
    outside = [call for call in calls if call.turn == "operator" and call.is_outside]
    questions = [workspace.sessions.question(call.session, call.time) for call in outside]
    return any(question is None or _list_words(question.text).isdisjoint(words) for question in questions)


def _list_words(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"\w+", text.casefold()) if len(word) >= _MIN_WORD_LETTERS)


def _back(workspace: WorkspaceBase, path: str, before: bytes | None, now: bytes | None) -> Iterator[bytes | None]:
    """Yield the bytes to put back into one file, nothing if its content may stay."""
    is_removable = blank_forms.may_go(path, text_of(before), text_of(now))
    if is_removable or not file_roles.guarded(path) or is_left_to_agent(workspace, path):
        return
    if not workspace.trust.known:
        yield from () if before is None or now == before else (before,)
    elif not workspace.trust.admits(path, text_of(now)):
        approved_text = workspace.trust.approved(path)
        is_admitted = before is not None and workspace.trust.admits(path, text_of(before))
        yield before if is_admitted else None if approved_text is None else approved_text.encode()


def find_lost_lines(trust: Trust, path: str, text: str | None) -> tuple[tuple[int, str], ...]:
    """Return the lines, with their numbers, that the operator approved and that a file lacks now.

    Compared with the operator's own approval, many small edits are reported as one large one is. Titles and blank lines
    of a form do not count. For an empty or missing file there are none: that is a loss of its own.
    """
    own_text = trust.said(path)
    if not trust.known or own_text is None or not text or not text.strip() or blank_forms.may_go(path, own_text, text):
        return ()
    form, rows = blank_forms.form_lines(path, own_text), {" ".join(row.split()) for row in text.split("\n")}
    numbered = ((number, row.strip()) for number, row in enumerate(own_text.split("\n"), 1))
    return tuple(
        (number, row)
        for number, row in numbered
        if row and not row.startswith(("#", "```", "---")) and row not in form and " ".join(row.split()) not in rows
    )
