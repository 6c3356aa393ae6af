"""The origin of each line, and the servable lines."""

import re

from msgspec import Struct
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import (
    ClawgitError,
    Command,
    file_kind,
    file_missing,
    file_uncommitted,
    history_missing,
    line_range,
    usage,
)
from clawgit.git import history, paths, repository, worktree_files
from clawgit.git.history import blame
from clawgit.git.paths import check
from clawgit.git.repository import Oid, files
from clawgit.safety.redaction import redact
from clawgit.store.entry_table import EntryRow, Moment
from clawgit.text import document, entry
from clawgit.text import document as rows_of
from clawgit.text import evidence_pointer as pointers
from clawgit.text.entry import normalise
from clawgit.text.evidence_pointer import Pointer
from clawgit.text.spelling import misspelt, nearest
from clawgit.workspace import evidence_check, file_contents, identity_policy, records
from clawgit.workspace.commit_message import fold_spaces
from clawgit.workspace.file_contents import decode_file
from clawgit.workspace.line_writers import LineWriters, Writer
from clawgit.workspace.records import Cited, Record
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.workspace_base import SessionEvent

_CONTEXT_LINES = 3
_AS_SEARCH = re.compile(r"(.+)#L(\d+)(?:-L?\d+)?")
_RETURN = re.compile(r"\w+: (?:restore|undo|redo)\b")


class Line(Struct, frozen=True):
    """One line and the commit that it came with; `record` is None while it is not committed.

    `cut_off`: a shallow clone ends there, and the line may be older. `was` is the line that the commit replaced by it.
    `birth` is the commit that the entry came with, before it was moved and reworded; it is `probable` if the words of
    then and now are not alike. `writer` is the agent's call that wrote it, None for clawgit, and `question` the message
    that the call answered.
    """

    line: int
    text: str
    record: Record | None
    cut_off: bool = False
    was: str = ""
    birth: Moment | None = None
    probable: bool = False
    writer: Writer | None = None
    question: SessionEvent | None = None


class Said(Struct, frozen=True):
    """What a piece of evidence points at: lines of `commit` from `first` on, `start` to `end` being those meant.

    Of a conversation they are lines of what `who` said. `text` is None when it cannot be read here; then `missing`
    says why. `pointer` is the one to cite it by, once it was found to hold.
    """

    cited: Cited
    text: str | None = None
    commit: str | None = None
    date: str | None = None
    first: int = 0
    start: int = 0
    end: int = 0
    session: str | None = None
    event: str | None = None
    missing: str = ""
    who: str | None = None
    pointer: str | None = None

    @property
    def available(self) -> bool:
        """Whether it can still be read."""
        return self.text is not None


def lines(workspace: Workspace, path: str = file_roles.SOUL, span: tuple[int, int] | None = None) -> tuple[Line, ...]:
    """Return the lines of a file on disk, else in HEAD, each with the record of its commit.

    Raises ClawgitError for a file that git does not track.
    """
    path = check(path)
    on_disk = workspace.read(path) is not None
    try:
        blamed = blame(workspace.repo, path, start=None if on_disk else "HEAD", span=span)
    except ClawgitError:
        if repository.blob_id(workspace.repo, workspace.head, path) is None:
            raise _make_untracked_error(workspace, path, on_disk=on_disk) from None
        raise
    commits = history.read_commits(workspace.repo, (row.commit for row in blamed if row.commit))
    records_by_id = {oid: records.record(commit) for oid, commit in commits.items()}
    ends = history.cut_off(workspace.repo)
    return tuple(
        Line(row.line, rows_of.clip_line(row.text), records_by_id.get(row.commit or ""), row.commit in ends)
        for row in blamed
    )


def undo(workspace: Workspace, record: Record | None, path: str = "") -> str | None:
    """Return the command that reverts the change of a line of `path`; None if there is none. It is tried, not written.

    Of a commit of many files by others it is the one for SOUL.md alone.
    """
    from clawgit.workspace import undo as undoing  # noqa: PLC0415 - only a line that is committed needs it

    if record is None or not workspace.managed:
        return None
    name = record.change or record.commit[:10]
    try:
        paths = undoing.undo(workspace, record.change or record.commit).paths
    except ClawgitError:  # everything began with it, or a later change is in the way
        return None
    if record.change or len(paths) <= 1:
        return f"clawgit undo {name}"
    if path == file_roles.SOUL and path in paths:
        return f"clawgit soul revert {name}   # in SOUL.md alone, of {len(paths)} files"
    return f"clawgit undo {name}   # all of that commit, in {len(paths)} files"


def _make_untracked_error(workspace: Workspace, path: str, *, on_disk: bool) -> ClawgitError:
    if on_disk:
        fix = Command("git add {} && git commit -m {} {}", path, "by hand", path)
        return file_uncommitted(f"{path} is not committed: git knows nothing of its lines", fix=fix)
    return file_missing(f"there is no file {path} in {workspace.root}", fix=Command("clawgit log {}", path))


def split_place(workspace: Workspace, text: str) -> tuple[str, int]:
    """Split `FILE:LINE`, or `FILE#L14` as search prints it; a file name may contain colons.

    Raises UsageError for another form, ClawgitError when there is no such file or line.
    """
    if match := _AS_SEARCH.fullmatch(text):
        text = f"{match[1]}:{match[2]}"
    path, colon, number = text.rpartition(":")
    if not colon or not path or not number.isdecimal() or int(number) < 1:
        raise usage(f"{text!r} is not FILE:LINE", fix=Command("clawgit why {}", f"{file_roles.SOUL}:1"))
    path = check(path)
    content = workspace.read(path)
    if content is None:
        content = file_contents.decode_file(path, repository.read(workspace.repo, workspace.head, path))
    if content is None:
        raise _make_untracked_error(workspace, path, on_disk=False)
    count = len(rows_of.split(content))
    if int(number) > count:
        raise line_range(f"{path} has {count} lines", fix=Command("clawgit why {}", f"{path}:{max(count, 1)}"))
    return path, int(number)


def trace_line(workspace: Workspace, path: str, number: int) -> tuple[Line, tuple[Said, ...]]:
    """Return the origin of one line, and its evidence, followed to the words themselves."""
    from clawgit.workspace import memory_lines  # noqa: PLC0415 - the evidence of a change needs none

    memory_line = memory_lines.find_at_line(workspace, path, number)
    memory_line = memory_line and _find_before_return(workspace, memory_line)
    if memory_line and memory_line.start == memory_line.end and memory_line.changed:
        text = rows_of.content(rows_of.split(workspace.read_loosely(path))[number - 1])
        line = Line(number, rows_of.clip_line(text), records.read_commit_record(workspace, memory_line.changed.commit))
    else:
        (line,) = lines(workspace, path, (number, number))
    if memory_line:
        line = replace(line, birth=memory_line.birth, probable=memory_line.probable)
    record = line.record
    if line.text.strip() and workspace.managed and not (record and record.change):
        line = _add_call(workspace, (memory_line and memory_line.source) or path, line)
    if record is None:
        return line, ()
    line = replace(line, was=_find_replaced(workspace, path, line.text, record.commit))
    return line, tuple(follow_pointer(workspace, item, record.commit) for item in _select_quoted(line, record.evidence))


def _find_before_return(workspace: Workspace, row: EntryRow) -> EntryRow:
    """Return an entry that clawgit brought back with the origin that it had before it went."""
    with workspace.open_table() as table:
        removals = table.find(key=row.key, paths=(row.path,), removed=True)
    for old in (row, *reversed(removals)):
        record = records.read_commit_record(workspace, old.changed.commit) if old.changed else None
        if record and (record.claimed or not _RETURN.match(record.subject)):
            return replace(row, birth=old.birth, changed=old.changed, source=old.source, similarity=old.similarity)
    return row


def _add_call(workspace: Workspace, path: str, line: Line) -> Line:
    """Return a line with the agent's call that wrote it."""
    record = line.record
    changed = Moment(record.commit, record.date.isoformat(), record.author) if record else None
    writer = LineWriters(workspace).find(path, line.text, changed)
    if writer.how == "while" and not writer.since:
        writer = replace(writer, call=None, how="", commands=())  # any command ran before the first look
    call = writer.call
    question = workspace.sessions.question(call.session, call.time) if call and call.turn == "operator" else None
    return replace(line, writer=writer, question=question)


def _find_replaced(workspace: Workspace, path: str, text: str, commit: str) -> str:
    """Return the line removed in a commit that is most like one that came with it, "" for none."""
    words, parents = entry.read_saying(text), history.commit(workspace.repo, commit).parents
    if not words or not parents:
        return ""
    versions = (repository.read(workspace.repo, oid, path) for oid in (parents[0], commit))
    before, after = ((file_contents.decode_file(path, data) or "").splitlines() for data in versions)
    left = set(after)
    removals = {
        saying: row for row in before if row not in left and (saying := entry.read_saying(row)) and saying != words
    }
    best = nearest(words, removals, 1)
    return rows_of.clip_line(removals[best[0]].strip()) if best else ""


def _select_quoted(line: Line, citations: tuple[Cited, ...]) -> tuple[Cited, ...]:
    """Return the evidence whose quote the line repeats; all of it if there is no such quote."""
    line_words = normalise(line.text)
    words = line_words.partition(": ")[2] or line_words.lstrip("-* ")
    quotes = ((citation, normalise(citation.quote.removesuffix("…"))) for citation in citations if citation.quote)
    return tuple(citation for citation, quote in quotes if quote in line_words or words in quote) or citations


def follow_pointer(workspace: Workspace, citation: Cited, citing: str) -> Said:
    """Follow one pointer; if its commit is gone or was never named, to the file in the `citing` commit, else HEAD."""
    repo = workspace.repo
    try:
        pointer = pointers.parse_pointer(citation.pointer)
        if pointer.kind == "session":
            turn = workspace.conversations(pointer.id, pointer.event)
            quotation = Said(citation, session=pointer.id, event=pointer.event)
            if turn is None:
                words = "that conversation is not kept here; clawgit session import brings it in"
                return replace(quotation, missing=words)
            rows = turn.text.split("\n")
            quotation = replace(quotation, date=turn.date, who=turn.who)
            return _quote_lines(quotation, rows, _find_quote(rows, pointer) or (1, len(rows)))
        named_commit = repository.resolve(repo, pointer.rev) if pointer.rev else None
        commit = named_commit or repository.resolve(repo, citing) or workspace.head or citing
        rows = [rows_of.content(row) for row in evidence_check.read_rows(repo, commit, pointer)]
        is_exact = named_commit or not pointer.rev
        span = evidence_check.find_span(rows, pointer) if is_exact else _find_quote(rows, pointer)
    except ClawgitError as exc:
        return Said(citation, missing=exc.message)
    if span is None:
        words = f"it does not stand in {pointer.path} at {commit[:10]} (commit {pointer.rev} is not here)"
        return Said(citation, missing=words)
    quotation = Said(citation, commit=commit, date=history.commit(repo, commit).date.isoformat())
    return _quote_lines(quotation, rows, span, 0 if pointer.kind == "correction" else _CONTEXT_LINES)


def _quote_lines(quotation: Said, rows: list[str], span: tuple[int, int], margin: int = _CONTEXT_LINES) -> Said:
    """Return it with the lines of a span, and so many around them."""
    first, last = max(1, span[0] - margin), min(len(rows), span[1] + margin)
    return replace(quotation, text="\n".join(rows[first - 1 : last]), first=first, start=span[0], end=span[1])


def _find_quote(rows: list[str], pointer: Pointer) -> tuple[int, int] | None:
    """Return the line with the quote, None without one."""
    quote = (pointer.quote or "").removesuffix("…")
    line_number = next((number for number, row in enumerate(rows, 1) if quote and quote in fold_spaces(row)), 0)
    return (line_number, line_number) if line_number else None


NONE_YET = "nothing in this folder is approved yet, so nothing of the identity is served: clawgit trust"


class Excerpt(Struct, frozen=True):
    """`count` lines of a file from line `first` on; `truncated` when more follow.

    `note` is a sentence if this is not the content on disk.
    """

    path: str
    text: str
    first: int
    count: int
    truncated: bool
    note: str = ""


def excerpt(
    workspace: Workspace, path: str, first: int = 1, count: int | None = None, *, as_of: str | None = None
) -> Excerpt:
    """Return lines of the file at `path`, all from `first` on without `count`.

    The file is as it is on disk, or as it was after the change, at the revision or on the date `as_of`. The answer goes
    to a model, and from there anywhere: a secret is named instead of shown. Raises ClawgitError for a path outside, a
    missing file, or a first line beyond the end.
    """
    name = paths.check(path)
    commit = records.find_commit(workspace, as_of) if as_of else None
    if (workspace.root / name).is_dir() and not file_roles.is_identity(name):
        raise file_kind(f"{name} is a folder", fix=Command("ls {}", workspace.root / name))
    text, note = text_shown(workspace, name, commit)
    if text is None and commit:
        raise history_missing(f"{name} is not in {commit[:10]}", fix=Command("clawgit log {}", name))
    if text is None and note:
        raise file_missing(note, fix=Command("clawgit trust"))
    if text is None:
        suggestion = misspelt(name, files(workspace.repo, workspace.head)) if workspace.head else None
        look = Command("clawgit read {}", suggestion) if suggestion else Command("ls {}", workspace.root)
        raise file_missing(f"there is no file {name} in {workspace.root}", fix=look)
    rows = document.split(redact(text))
    if first > max(len(rows), 1):
        fix = Command("clawgit read {} --from {}", name, max(len(rows) - 9, 1))
        raise line_range(f"{name} has {len(rows)} lines; line {first} is beyond its end", fix=fix)
    end = len(rows) if count is None else first - 1 + count
    lines = rows[first - 1 : end]
    return Excerpt(name, "".join(lines), first, len(lines), end < len(rows), note)


def read_servable(
    workspace: Workspace, path: str, commit: Oid | None = None, limit: int | None = None
) -> tuple[bytes | None, str]:
    """Return the servable bytes of a file, and a sentence if they differ from the file.

    After a merge with conflict markers, that is its content before; under review and locked, for an identity file that
    is not as approved, the newest approved text, in whatever capitals `path` names it: None if there is none. `commit`
    reads the file as it was. Raises ClawgitError for an unreadable file, unless it is of the identity.
    """
    name, trust = identity_policy.find_approved_name(workspace, path), workspace.trust
    is_gated = file_roles.is_identity(name) and identity_policy.serves_approved(workspace)
    reason = f"{path} is not as you approved it"
    try:
        file = None if commit else worktree_files.read_worktree_file(workspace.repo, path, limit)
        data = repository.read(workspace.repo, commit, path) if commit else file.data if file else None
    except ClawgitError as exc:
        if not is_gated:
            raise
        data, reason = b"\0", exc.message  # no text, and so never approved
    if not is_gated or (data is None and name != path):
        unmarked = file_contents.remove_markers(workspace.repo, path, data, commit) if data else None
        return (unmarked.data, unmarked.said) if unmarked else (data, "")
    was_approved = commit and data and repository.hash_blob(data) in trust.of(name).earlier
    approved_text = trust.approved(name)
    approved_data = None if approved_text is None else approved_text.encode()
    if was_approved or identity_policy.is_allowed_content(trust, name, data) or approved_data == data:
        return data, ""
    if approved_data is not None:
        return approved_data, f"{reason}; what you approved is served instead"
    return None, f"{path} was not approved, and is not served: clawgit trust" if trust.known else NONE_YET


def text_shown(workspace: Workspace, path: str, commit: Oid | None = None) -> tuple[str | None, str]:
    """Return the servable text of a file, and a sentence, as `read` does. Raises ClawgitError for a binary file."""
    data, note = read_servable(workspace, path, commit)
    return decode_file(path, data), note
