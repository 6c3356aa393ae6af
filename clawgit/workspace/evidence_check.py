"""Holds evidence against what it points at."""

import unicodedata
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command, evidence_missing, evidence_wrong
from clawgit.git import history, repository
from clawgit.git.paths import check
from clawgit.git.repository import Oid, Repository
from clawgit.safety.redaction import redacted
from clawgit.text import evidence_pointer as pointers
from clawgit.text.correction import corrections
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import records, write_guard
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.workspace_base import Conversations, WorkspaceBase, none_kept

LONGEST_QUOTE = 160


class Resolved(Struct, frozen=True):
    """A pointer that was followed: its commit is fixed, its quote stands there."""

    pointer: Pointer
    digest: str

    @property
    def trailer(self) -> str:
        """The value of the Evidence trailer."""
        return f"{pointers.format(self.pointer)} sha256:{self.digest}"


def resolve(
    repo: Repository, head: Oid | None, texts: Iterable[str], conversations: Conversations = none_kept
) -> tuple[Resolved, ...]:
    """Follow each pointer at its commit (`head` unless it names one), or to what was said, and compare its quote.

    Raises ClawgitError for one that leads nowhere, or whose quote does not stand where it points.
    """
    found = (_parsed(text) for text in texts)
    return tuple(
        _said(pointer, conversations) if pointer.kind == "session" else _resolve(repo, head, pointer)
        for pointer in found
    )


def paths(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the files that pointers without a commit point into: they must be committed to be cited.

    Raises ClawgitError for one that leads out of the workspace.
    """
    found = [_parsed(text) for text in texts]
    return tuple(dict.fromkeys(p.path for p in found if p.path and not p.rev and p.kind != "session"))


def _parsed(text: str) -> Pointer:
    pointer = pointers.parse(text)
    if pointer.kind == "session":
        return pointer
    try:
        return replace(pointer, path=check(pointer.path))
    except ClawgitError as exc:
        raise evidence_missing(f"evidence {pointer.path}: no such file here: {exc.message}", fix=exc.fix) from exc


def _said(pointer: Pointer, conversations: Conversations) -> Resolved:
    turn = conversations(pointer.id, pointer.event)
    if turn is None:
        raise evidence_missing(f"no session:{pointer.id}#{pointer.event} here", fix=Command("clawgit session import"))
    said = redacted(one_line(turn.text))
    if pointer.quote and _composed(redacted(pointer.quote.removesuffix("…"))) not in _composed(said):
        raise evidence_wrong(
            f'"{shorten(pointer.quote, 60)}" was not said in session:{pointer.id}#{pointer.event}',
            fix=Command("clawgit show {}", pointer.id),
        )
    words = redacted(pointer.quote or "") or said
    quote = shorten(write_guard.cleaned(one_line(words)), LONGEST_QUOTE)
    return Resolved(replace(pointer, quote=quote), pointers.quote_hash(words))


def lines_of(repo: Repository, head: Oid | None, pointer: Pointer) -> tuple[Oid, tuple[int, int]]:
    """Return the commit and the first and last line that a pointer into a file means.

    Raises ClawgitError for one that leads nowhere.
    """
    commit = repository.resolve(repo, pointer.rev) if pointer.rev else head
    if commit is None:
        raise evidence_missing(f"{pointers.format(pointer)}: no such commit", fix=Command("git log --oneline"))
    return commit, _span(pointer, _lines(repo, commit, pointer))


def _resolve(repo: Repository, head: Oid | None, pointer: Pointer) -> Resolved:
    commit, (start, end) = lines_of(repo, head, pointer)
    lines = _lines(repo, commit, pointer)
    said = one_line("\n".join(lines[start - 1 : end]))
    shown = one_line("\n".join(redacted("\n".join(lines)).split("\n")[start - 1 : end])) or "[secret]"
    wanted = _composed((pointer.quote or "").removesuffix("…"))
    if wanted not in _composed(said) and wanted not in _composed(shown):  # a secret in a quote is named
        raise evidence_wrong(
            f'"{shorten(wanted, 60)}" does not stand at {pointer.path}#L{start}-L{end}: "{shorten(shown, 60)}" does',
            fix=Command("clawgit memory get {} --from {} --lines {}", pointer.path, start, end - start + 1),
        )
    words = shown if said and shown != redacted(said) else one_line(pointer.quote or said)  # within a private key
    quote = shorten(write_guard.cleaned(words), LONGEST_QUOTE)
    digest = pointers.quote_hash(pointer.quote or said)
    return Resolved(replace(pointer, rev=commit[:10], quote=quote), digest)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", one_line(text))


def _lines(repo: Repository, commit: Oid, pointer: Pointer) -> list[str]:
    data = repository.read(repo, commit, pointer.path)
    if data is None:
        raise evidence_missing(
            f"evidence {pointer.path}: no such file at {commit[:10]}",
            fix=Command("git ls-tree -r --name-only {}", commit[:10]),
        )
    return data.decode("utf-8", "replace").removesuffix("\n").split("\n")


def _span(pointer: Pointer, lines: list[str]) -> tuple[int, int]:
    if pointer.kind == "correction":
        for one in corrections("\n".join(lines)):
            if one.id == pointer.id:
                return one.line, one.end
        raise evidence_missing(f"{pointer.path} has no correction {pointer.id}", fix=Command("clawgit corrections"))
    if pointer.end > len(lines):
        raise evidence_wrong(
            f"evidence {pointer.path}#L{pointer.start}-L{pointer.end}: the file has {len(lines)} lines",
            fix=Command("clawgit memory get {}", pointer.path),
        )
    return pointer.start, pointer.end


_UNKNOWN = "unknown"


def find_origins(workspace: WorkspaceBase, cited: Iterable[str]) -> Iterator[str]:
    """Yield the origin of each piece of evidence: operator, agent, untrusted, or unknown where nobody vouches for it.

    That of a turn is the conversation's to tell; that of lines is told by the commits that they came with.
    """
    for text in cited:
        try:
            yield _find_origin(workspace, pointers.parse(text))
        except ClawgitError:
            yield _UNKNOWN


def _find_origin(workspace: WorkspaceBase, pointer: Pointer) -> str:
    if pointer.kind == "session":
        turn = workspace.conversations(pointer.id, pointer.event)
        return turn.origin if turn else _UNKNOWN
    commit, span = lines_of(workspace.repo, workspace.head, pointer)
    commits = {one.commit for one in history.blame(workspace.repo, pointer.path, commit, span)}
    found = [records.read(workspace, one) if one else None for one in commits]
    origins = {(one.origin or _UNKNOWN) if one and one.agent != "capture" else _UNKNOWN for one in found}
    return next((one for one in ("untrusted", _UNKNOWN, "agent", "operator") if one in origins), _UNKNOWN)
