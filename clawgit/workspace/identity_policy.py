"""The effect of soul_policy on changes and files (spec T1)."""

import re
from collections.abc import Collection, Mapping

from clawgit import file_roles
from clawgit.errors import Advice, Command, identity_locked
from clawgit.git import repository
from clawgit.openclaw import blank_forms
from clawgit.text.tokens import count
from clawgit.workspace import evidence_check
from clawgit.workspace.approvals import Trust
from clawgit.workspace.change import Change
from clawgit.workspace.file_contents import lines_of, text_of, to_text
from clawgit.workspace.line_writers import LineWriters
from clawgit.workspace.workspace_base import WorkspaceBase

_MIN_WORD_LETTERS = 4
"""Shorter words are in every message."""

Bytes = Mapping[str, bytes | None]
Texts = Mapping[str, str | None]


def has_to_wait(workspace: WorkspaceBase, change: Change, doubts: Collection[str]) -> bool:
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
    guarded, trust = {path: text for path, text in files.items() if file_roles.is_identity(path)}, workspace.trust
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


def follow_approved(workspace: WorkspaceBase, texts: Texts, former: Texts) -> None:
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

    guarded = {path: text for path, text in texts.items() if file_roles.is_identity(path)}
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
        elif not file_roles.is_identity(path) or is_left_to_agent(workspace, path):
            continue
        elif not blank_forms.may_go(path, text_of(before[path]), text_of(data)):
            if trust.known and not trust.approves(path, text_of(data)):
                refusals[path] = encode_approved(trust.approved(path))
            elif not trust.known and before[path] not in (None, data):
                refusals[path] = before[path]
    return refusals


def encode_approved(text: str | None) -> bytes | None:
    """Return the bytes of an approved text; None for no file."""
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
    lines = lines_of(to_text(now)) - lines_of(to_text(before))
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


def is_enforced(workspace: WorkspaceBase) -> bool:
    """Return whether identity files have to be as approved: under review and locked, after a first approval.

    The policy results from CONFIG.md and the operator's approvals together, also if CONFIG.md cannot be read.
    """
    return workspace.trust.known and serves_approved(workspace)


def serves_approved(workspace: WorkspaceBase) -> bool:
    """Return whether only approved text of the identity is served: under review and locked.

    Without any approval yet, as in a clone, that is nothing.
    """
    return workspace.config.soul_policy != "evolve"


def find_approved_name(workspace: WorkspaceBase, path: str) -> str:
    """Return the approved name of the identity file that `path` names, in any capitals.

    Without an approved one, only a self-description counts: a `tools.md` may be a file of its own.
    """
    name = file_roles.find_identity_name(path)
    if name == path:
        return path
    own = name if file_roles.self_description(name) else path
    return next((file for file in workspace.trust.files if file.casefold() == name.casefold()), own)


def is_allowed_content(trust: Trust, path: str, data: bytes | None) -> bool:
    """Return whether an identity file may hold these bytes (None: no file)."""
    text = text_of(data)
    return (data is None or text is not None) and trust.approves(path, text)
