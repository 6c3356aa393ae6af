"""Compares evidence with its source."""

import unicodedata
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command, evidence_missing, evidence_wrong
from clawgit.git import history, repository
from clawgit.git.paths import check
from clawgit.git.repository import Oid, Repository
from clawgit.safety.redaction import redact
from clawgit.text import evidence_pointer as pointers
from clawgit.text.conflict import corrections
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import file_contents, records
from clawgit.workspace.commit_message import fold_spaces, shorten
from clawgit.workspace.workspace_base import WorkspaceBase

LONGEST_QUOTE = 160


class Resolved(Struct, frozen=True):
    """A pointer that was followed: its commit is fixed, its quote found."""

    pointer: Pointer
    digest: str

    @property
    def trailer(self) -> str:
        """The value of the Evidence trailer."""
        return f"{pointers.format(self.pointer)} sha256:{self.digest}"


def resolve_pointers(workspace: WorkspaceBase, head: Oid | None, texts: Iterable[str]) -> tuple[Resolved, ...]:
    """Follow each pointer at its commit (`head` unless it names one), or to the conversation, and compare its quote.

    Raises ClawgitError for one that leads nowhere, or whose quote is not found there.
    """
    return tuple(
        _resolve_quote(workspace, pointer) if pointer.kind == "session" else _resolve_git(workspace.repo, head, pointer)
        for pointer in map(_parsed, texts)
    )


def list_pointer_paths(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the files that pointers without a commit point into: they must be committed to be cited.

    Raises ClawgitError for one that leads out of the workspace.
    """
    all_pointers = [_parsed(text) for text in texts]
    return tuple(dict.fromkeys(p.path for p in all_pointers if p.path and not p.rev and p.kind != "session"))


def _parsed(text: str) -> Pointer:
    pointer = pointers.parse_pointer(text)
    try:
        return pointer if pointer.kind == "session" else replace(pointer, path=check(pointer.path))
    except ClawgitError as exc:
        raise evidence_missing(f"evidence {pointer.path}: no such file here: {exc.message}", fix=exc.fix) from exc


def _resolve_quote(workspace: WorkspaceBase, pointer: Pointer) -> Resolved:
    turn = workspace.conversations(pointer.id, pointer.event)
    if turn is None:
        raise evidence_missing(f"no session:{pointer.id}#{pointer.event} here", fix=Command("clawgit session import"))
    passage = redact(fold_spaces(turn.text))
    if pointer.quote and _composed(redact(pointer.quote.removesuffix("…"))) not in _composed(passage):
        words = f'"{shorten(pointer.quote, 60)}" was not said in session:{pointer.id}#{pointer.event}'
        raise evidence_wrong(words, fix=Command("clawgit show {}", pointer.id))
    words = redact(pointer.quote or "") or passage
    quote = shorten(file_contents.clean_for_writing(fold_spaces(words)), LONGEST_QUOTE)
    return Resolved(replace(pointer, quote=quote), pointers.quote_hash(words))


def _resolve_git(repo: Repository, head: Oid | None, pointer: Pointer) -> Resolved:
    commit, rows, (start, end) = _find_pointed_lines(repo, head, pointer)
    passage = fold_spaces("\n".join(rows[start - 1 : end]))
    visible = fold_spaces("\n".join(redact("\n".join(rows)).split("\n")[start - 1 : end])) or "[secret]"
    claim = _composed((pointer.quote or "").removesuffix("…"))
    if claim not in _composed(passage) and claim not in _composed(visible):  # a secret in a quote is named
        raise evidence_wrong(
            f'"{shorten(claim, 60)}" does not stand at {pointer.path}#L{start}-L{end}: "{shorten(visible, 60)}" does',
            fix=Command("clawgit read {} --from {} --lines {}", pointer.path, start, end - start + 1),
        )
    words = pointer.quote or passage
    is_in_key = passage and visible != redact(passage)
    quote = shorten(file_contents.clean_for_writing(visible if is_in_key else fold_spaces(words)), LONGEST_QUOTE)
    return Resolved(replace(pointer, rev=commit[:10], quote=quote), pointers.quote_hash(words))


def _find_pointed_lines(repo: Repository, head: Oid | None, pointer: Pointer) -> tuple[Oid, list[str], tuple[int, int]]:
    """Return the commit of a pointer, the lines of its file there, and the first and last one that it means."""
    commit = repository.resolve(repo, pointer.rev) if pointer.rev else head
    if commit is None:
        raise evidence_missing(f"{pointers.format(pointer)}: no such commit", fix=Command("git log --oneline"))
    rows = read_rows(repo, commit, pointer)
    return commit, rows, find_span(rows, pointer)


def _composed(text: str) -> str:
    # A letter with an accent may be one character or two.
    return unicodedata.normalize("NFC", fold_spaces(text))


def read_rows(repo: Repository, commit: Oid, pointer: Pointer) -> list[str]:
    """Return the lines of the file of a pointer in a commit. Raises ClawgitError without that file."""
    data = repository.read(repo, commit, pointer.path)
    if data is None:
        fix = Command("git ls-tree -r --name-only {}", commit[:10])
        raise evidence_missing(f"evidence {pointer.path}: no such file at {commit[:10]}", fix=fix)
    return data.decode("utf-8", "replace").removesuffix("\n").split("\n")


def find_span(rows: list[str], pointer: Pointer) -> tuple[int, int]:
    """Return the first and last line that a pointer into a file means. Raises ClawgitError if it has none of them."""
    if pointer.kind == "correction":
        for correction in corrections("\n".join(rows)):
            if correction.id == pointer.id:
                return correction.line, correction.end
        raise evidence_missing(f"{pointer.path} has no correction {pointer.id}", fix=Command("clawgit corrections"))
    if pointer.end > len(rows):
        words = f"evidence {pointer.path}#L{pointer.start}-L{pointer.end}: the file has {len(rows)} lines"
        raise evidence_wrong(words, fix=Command("clawgit read {}", pointer.path))
    return pointer.start, pointer.end


_UNKNOWN = "unknown"


def find_origins(workspace: WorkspaceBase, pointer_texts: Iterable[str]) -> Iterator[str]:
    """Yield the origin of each piece of evidence: operator, agent, untrusted, or unknown.

    That of a turn comes from the conversation; that of lines from their commits.
    """
    for text in pointer_texts:
        try:
            yield _find_origin(workspace, text)
        except ClawgitError:
            yield _UNKNOWN


def _find_origin(workspace: WorkspaceBase, text: str) -> str:
    pointer = pointers.parse_pointer(text)
    if pointer.kind == "session":
        turn = workspace.conversations(pointer.id, pointer.event)
        return turn.origin if turn else _UNKNOWN
    commit, _, span = _find_pointed_lines(workspace.repo, workspace.head, pointer)
    commits = {row.commit for row in history.blame(workspace.repo, pointer.path, commit, span)}
    change_records = [records.read_commit_record(workspace, oid) if oid else None for oid in commits]
    origins = {
        (record.origin or _UNKNOWN) if record and record.agent != "capture" else _UNKNOWN for record in change_records
    }
    return next((origin for origin in ("untrusted", _UNKNOWN, "agent", "operator") if origin in origins), _UNKNOWN)
