"""Writes changes, captures and prepared files."""

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import Advice, ClawgitError, Command, file_uncommitted, quote_shell
from clawgit.git import difference, history, repository, worktree_files
from clawgit.git.commit_chain import NewCommit
from clawgit.git.commit_graph import TreeEntry
from clawgit.git.paths import check
from clawgit.git.repository import Oid
from clawgit.git.transaction import Plan, Planner, Snapshot, Written
from clawgit.store.calls import KnownCalls, ToolCall, line_hashes
from clawgit.text.document import split
from clawgit.text.edit import append_block, remove_lines
from clawgit.text.entry import entries as entries_of
from clawgit.text.entry import hash_entry
from clawgit.workspace import (
    capture,
    commit_message,
    entries,
    file_contents,
    identity_policy,
    line_writers,
    manifest,
    reading_cursors,
    records,
)
from clawgit.workspace.capture import Taken
from clawgit.workspace.change import Append, Applied, Captured, Change, Edit, Returned, StaleChangeError
from clawgit.workspace.commit_message import Message
from clawgit.workspace.entries import Row
from clawgit.workspace.entry_association import is_watched, with_removals
from clawgit.workspace.evidence_check import Resolved, list_pointer_paths, resolve_pointers
from clawgit.workspace.file_contents import decode_file, lines_of, read_quietly, text_of, to_text
from clawgit.workspace.identity_enforcement import enforce_paths
from clawgit.workspace.merge_rules import merge_forward, merge_text, place_lines
from clawgit.workspace.seen_versions import reworded_lines, write_and_start
from clawgit.workspace.workspace_base import WorkspaceBase

Texts = Mapping[str, str | None]
_EXECUTABLE = 0o100755


class MovedError(ClawgitError):
    """The base of an edit has changed in the same place: it may be worked out once more."""


class _Outcome(Struct, frozen=True):
    """The plan of a change and its outcome without commits; `texts` of identity files are None if it does not land."""

    plan: Plan
    taken: Taken
    applied: Applied
    texts: Texts | None = None


def _plan_change(
    workspace: WorkspaceBase, change: Change, snapshot: Snapshot, paths: Iterable[str], *, wait: bool | None
) -> _Outcome:
    """Return the commits that a change comes to. Raises ClawgitError to refuse it."""
    intake = _take(workspace, snapshot, paths, {})
    now = {path: decode_file(path, data) for path, data in intake.final.items()}
    new_texts = _edited(now, change)
    files = {path: text for path, text in new_texts.items() if text != now[path]}
    _require_permitted(workspace, change, snapshot, now, files)
    # Edits of others are commits of their own: an undo of the change leaves them.
    before = tuple(capture.commits(workspace, intake))
    if not files:
        return _Outcome(Plan(before), intake, Applied(None, change.id))
    file_contents.check_words(change.why, "the reason")
    citations = resolve_pointers(workspace, snapshot.head, change.evidence)
    taints = to_text(repository.read(workspace.repo, snapshot.head, records.TAINTED_PATH))
    records.require_untainted(taints, change.agent, [citation.pointer for citation in citations], now, files)
    doubts = identity_policy.find_doubts(workspace, change, files)
    texts = {path: text for path, text in files.items() if file_roles.is_identity(path)}
    message = _make_change_message(change, citations)
    cost = _find_cost(workspace, files) if wait is None else ""
    if wait is None:
        wait = bool(cost) or (bool(texts) and identity_policy.has_to_wait(workspace, change, doubts)) or change.held
    if wait:
        # Of the files in .clawgit an item may change the sidecar alone, so the cursors stay out.
        draft_texts = {path: (now[path], text) for path, text in files.items() if path != reading_cursors.CURSORS_PATH}
        message = replace(message, why="\n\n".join(filter(None, (message.why, cost))))
        from clawgit.workspace.inbox import open_change  # noqa: PLC0415 - most changes land

        proposal = open_change(workspace, draft_texts, message, "restore" if cost else None)
        applied = Applied(None, change.id, doubts=doubts, proposal=proposal, notes=(cost,))
        return _Outcome(Plan(before), intake, applied)
    if entries.PATH in new_texts:
        sidecar = now[entries.PATH] or "", new_texts[entries.PATH] or ""
        if (rows := with_removals(change, sidecar, now, new_texts)) != sidecar[0]:
            files[entries.PATH] = rows
    plan = Plan((*before, _make_commit(workspace, change, snapshot, message, files)), _appended(change, intake, files))
    own_files = tuple(path for path in files if not path.startswith(file_roles.OURS))
    return _Outcome(plan, intake, Applied(None, change.id, own_files, doubts=doubts), texts)


def _require_permitted(workspace: WorkspaceBase, change: Change, snapshot: Snapshot, now: Texts, files: Texts) -> None:
    """Raise ClawgitError for a file that the author of a change may not write, or nobody may write like this."""
    memory_file = workspace.config.value("memory_file") if change.agent else ""
    changed_files = {path: files[path] for path in change.paths if path in files}
    manifest.check_manifest(change.agent, now, changed_files, memory_file)
    for path, text in files.items():
        past_text = "\n".join(edit.known for edit in change.edits if isinstance(edit, Edit) and edit.path == path)
        file_contents.check_write(path, now[path], text, past_text)
        if snapshot.committed[path] is None:
            capture.refuse_ignored(workspace.repo, path)


def _find_cost(workspace: WorkspaceBase, files: Texts) -> str:
    """Return the cost of a change of files that OpenClaw drops out of the prompt after it; "" for no such file.

    It trusts a file that is as its agent left it; the one that `memory_file` names is the operator's choice.
    """
    paths = [path for path in filter(manifest.is_shown, files) if path != workspace.config.value("memory_file")]
    recorded = workspace.recorded() if paths else {}
    hashes = {path: sha256((files[path] or "").encode()).hexdigest() for path in paths if files[path] is not None}
    names = commit_message.list_names(path for path in paths if recorded.get(path) not in (None, "", hashes.get(path)))
    return names and (
        f"OpenClaw records who writes {names}: after an edit from outside it drops the file out of the prompt. The "
        "agent is asked in the owner's next turn to make the change itself. Approval writes it at once, at that cost."
    )


def _make_commit(
    workspace: WorkspaceBase, change: Change, snapshot: Snapshot, message: Message, files: Texts
) -> NewCommit:
    """Return the commit of a change; a script that it brings back can be run again."""
    name = (commit_message.clean_name(change.agent) or "agent") if change.agent else ""
    author = (name, f"{name.replace(' ', '-')}@localhost") if name else workspace.operator
    data = {path: None if text is None else text.encode() for path, text in files.items()}
    programs = (edit.path for edit in change.edits if isinstance(edit, Edit) and edit.executable)
    modes = {
        path: TreeEntry(repository.hash_blob(new), _EXECUTABLE)
        for path in programs
        if (new := data.get(path)) is not None and snapshot.committed[path] is None
    }
    return NewCommit(commit_message.render(message), author, workspace.now(), data, entries=modes)


def _needs_sidecar(workspace: WorkspaceBase, paths: Iterable[str]) -> bool:
    return any(capture.holds_entries(workspace.config, path) or is_watched(path) for path in paths)


def _edited(now: Texts, change: Change) -> dict[str, str | None]:
    new_texts = dict(now)
    for edit in change.edits:
        current = new_texts[edit.path]
        if isinstance(edit, Append):
            new_texts[edit.path] = append_block(edit.birth if current is None else current, edit.block)
        else:
            new_texts[edit.path] = rebase_text(edit, current)
    if change.rows or change.drops:
        current = now[entries.PATH] or ""
        new_texts[entries.PATH] = entries.edit_sidecar(current, change.rows, change.drops, forget=change.undoes)
    if change.cursors:
        read = reading_cursors.furthest(
            reading_cursors.parse_cursors(now[reading_cursors.CURSORS_PATH] or ""), change.cursors
        )
        new_texts[reading_cursors.CURSORS_PATH] = reading_cursors.render_cursors(read)
    return new_texts


def rebase_text(edit: Edit, now: str | None) -> str | None:
    """Return the new text of a file that has become `now` since the base of the edit.

    Raises MovedError when both changed the same place.
    """
    if now in (edit.base, edit.text):
        return edit.text
    result = (
        None if now is None or edit.text is None or edit.exact else merge_text(edit.path, edit.base, now, edit.text)
    )
    if result is None or result.conflicts:
        words = f"{edit.path} has been {'deleted' if now is None else 'changed'} meanwhile"
        raise MovedError("merge-conflict", words, fix=Advice("try again"))
    return result.text


def _appended(change: Change, intake: Taken, files: Texts) -> dict[str, bytes]:
    """Return the blocks that can be written at the end of their files as these are on disk."""
    blocks: dict[str, bytes] = {}
    for path in {edit.path for edit in change.edits if isinstance(edit, Append)} - intake.stale.keys():
        before, after = intake.files[path], (files.get(path) or "").encode()
        if before is not None and after.startswith(before):
            blocks[path] = after[len(before) :]
    return blocks


def _take(workspace: WorkspaceBase, snapshot: Snapshot, paths: Iterable[str], bases: Mapping[str, Oid]) -> Taken:
    """Return what others wrote. Raises StaleChangeError for an edit of the identity that must wait, and came late."""
    intake = capture.take_contents(workspace, snapshot, paths, bases=bases)
    if identity_policy.list_refused(workspace, intake.files, intake.trusted):
        raise StaleChangeError
    return intake


def _write_enforced(
    workspace: WorkspaceBase,
    paths: tuple[str, ...],
    decide: Planner,
    bases: Mapping[str, Oid] = MappingProxyType({}),
    touched: Callable[[], Iterable[str]] | None = None,
) -> tuple[Written, tuple[Returned, ...]]:
    """Write the commits that `decide` plans, after edits of the identity that must wait are put back; return these."""
    returned = enforce_paths(workspace, paths, bases)
    try:
        return workspace.write(workspace.branch, paths, decide, touched=touched), returned
    except StaleChangeError:
        returned += enforce_paths(workspace, paths, bases)
        return workspace.write(workspace.branch, paths, decide, touched=touched), returned


def _make_change_message(change: Change, citations: Iterable[Resolved]) -> Message:
    trailers = (
        ("Clawgit-Agent", file_contents.clean_for_writing(change.agent or "")),
        ("Clawgit-Change", change.id),
        ("Clawgit-Undoes", change.undoes or ""),
        ("Clawgit-Redo", "yes" if change.is_redo else ""),
        ("Origin", change.origin),
        ("Clawgit-Approved", "operator" if change.approved else ""),
        *(("Evidence", citation.trailer) for citation in citations),
    )
    return Message(file_contents.clean_for_writing(change.subject), change.why, trailers)


def apply_change(workspace: WorkspaceBase, change: Change, *, wait: bool | None) -> Applied:
    """Write a change as one commit, or keep it as a proposal, as `wait` chooses; None leaves it to soul_policy."""
    # Evidence is cited by commit, so an uncommitted source is committed first.
    cited_paths = tuple(_uncommitted(workspace, list_pointer_paths(change.evidence)))
    before = capture_files(workspace, cited_paths, {}, {}) if cited_paths else Captured()
    change = replace(change, edits=tuple(replace(edit, path=check(edit.path)) for edit in change.edits))
    sidecar = (entries.PATH,) if change.rows or change.drops or _needs_sidecar(workspace, change.paths) else ()
    read = (reading_cursors.CURSORS_PATH,) if change.cursors else ()
    paths = tuple(dict.fromkeys((*change.paths, *sidecar, *read)))
    outcome = _Outcome(Plan(()), Taken(), Applied(None, change.id))

    def decide(snapshot: Snapshot) -> Plan:
        nonlocal outcome
        outcome = _plan_change(workspace, change, snapshot, paths, wait=wait)
        return outcome.plan

    result, returned = _write_enforced(workspace, paths, decide)
    _put_back_own(workspace)
    commit = result.commits[-1] if outcome.texts is not None else None
    captures = result.commits[:-1] if commit else result.commits
    old_texts: Texts = {}
    if commit and (change.approved or (change.agent is None and change.origin == "operator")):
        parent = repository.resolve(workspace.repo, f"{commit}^")
        old_texts = {path: text_of(repository.read(workspace.repo, parent, path)) for path in outcome.texts or {}}
    files = (*outcome.applied.files, *outcome.taken.found) if result.commits else ()
    _, notes = _settle_write(workspace, outcome.taken, captures, files, change, outcome.texts or {}, old_texts)
    capture_commit = captures[-1] if captures else before.commit
    notes = (*outcome.taken.notes, *outcome.applied.notes, *notes, *(back.words for back in returned))
    notes = (*change.left_out, *before.notes, *result.notes, *notes)
    return replace(outcome.applied, commit=commit, captured=capture_commit, notes=tuple(filter(None, notes)))


def _put_back_own(workspace: WorkspaceBase) -> None:
    """Write clawgit's own files as they are committed if they are gone from the disk alone."""
    for path in (file_roles.FORMAT, entries.PATH):
        with contextlib.suppress(ClawgitError, OSError):  # what is in their place is a finding of its own
            data = repository.read(workspace.repo, workspace.head, path)
            is_gone = data is not None and worktree_files.read_worktree_file(workspace.repo, path) is None
            if is_gone and repository.tracked(workspace.repo, path):
                worktree_files.replace_file(workspace.root / path, data)


def capture_files(
    workspace: WorkspaceBase, paths: Iterable[str], bases: Mapping[str, Oid], before: Mapping[str, bytes]
) -> Captured:
    """Commit edits of others in `paths`, as one commit; the arguments are those of `Workspace.capture`."""
    _put_back_own(workspace)
    head = workspace.head
    checked_paths = tuple(
        path if repository.blob_id(workspace.repo, head, path) and not (workspace.root / path).exists() else check(path)
        for path in paths
    )
    if any(_needs_calls(workspace, path) for path in checked_paths):
        workspace.sessions.follow()
    sidecar = (entries.PATH,) if _needs_sidecar(workspace, checked_paths) else ()
    all_paths = tuple(dict.fromkeys((*checked_paths, *sidecar)))
    intake, rewritten = Taken(), tuple[str, ...]()

    def decide(snapshot: Snapshot) -> Plan:
        nonlocal intake, rewritten
        intake = _take(workspace, snapshot, all_paths, bases)
        disk = {path: file.data if file else None for path, file in snapshot.disk.items()}
        rewritten = tuple(path for path, data in intake.final.items() if data != disk[path])
        own_paths = [path for path in rewritten if path not in intake.stale]
        return Plan(tuple(capture.commits(workspace, intake, own_paths, before)))

    result, returned = _write_enforced(workspace, all_paths, decide, bases, lambda: rewritten)
    commit = result.commits[-1] if result.commits else None
    files = tuple(dict.fromkeys((*intake.found, *rewritten))) if commit else ()
    items, sentences = _settle_write(workspace, intake, result.commits, files)
    notes = (*result.notes, *intake.notes, *sentences, *(back.words for back in returned))
    return Captured(commit, files, notes, intake.stale, returned, items, intake.changed)


def _needs_calls(workspace: WorkspaceBase, path: str) -> bool:
    """Return whether the agent's own calls decide about a file: it lacks committed lines, or is identity."""
    disk, committed = workspace.read_loosely(path), to_text(repository.read(workspace.repo, workspace.head, path))
    if identity_policy.is_gated_by_origin(path):
        return disk != committed
    return is_watched(path) and not lines_of(committed) <= lines_of(disk)


def _settle_write(
    workspace: WorkspaceBase,
    intake: Taken,
    captures: tuple[Oid, ...],
    files: tuple[str, ...],
    change: Change | None = None,
    texts: Texts = MappingProxyType({}),
    former: Texts = MappingProxyType({}),
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Note what a write brought; return the ids of the items that it opens, and sentences.

    `captures` are its commits of what others wrote, `files` what it changed, `texts` what a `change` made of identity
    files, and `former` what these held if the operator changed them. An item is opened for each file in which lines of
    clawgit's went or came back; views follow, since no hook hears of it.
    """
    if captures:
        line_writers.note_commits(workspace.store, captures)
    items, notes = tuple[str, ...](), tuple[str, ...]()
    if change and change.undoes:
        from clawgit.workspace.inbox import follow_undo  # noqa: PLC0415 - a rare thing

        follow_undo(workspace, change.undoes)
    try:
        others = {path: text_of(data) for path, data in intake.files.items()}
        identity_policy.follow_approved(workspace, {**others, **texts}, former)
    except ClawgitError as exc:
        # The operator's change is committed by now: its failure becomes a note.
        if not former:
            raise
        notes = (f"{exc.message}; what you approved is not kept as approved: clawgit trust",)
    if any(is_watched(path) for path in intake.changed):
        items, sentences = _offer_restorations(workspace, intake)
        notes += sentences
    is_logged = bool(change and (change.undoes or change.agent == "memory-compactor"))
    if is_logged or any(file_roles.is_identity(path) for path in files):
        from clawgit.workspace import changelog  # noqa: PLC0415 - few writes touch what they tell of

        with contextlib.suppress(ClawgitError, OSError):  # best effort: a job does so, too
            changelog.refresh_views(workspace)
    return items, notes


def _offer_restorations(workspace: WorkspaceBase, intake: Taken) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Open one item for each file in which clawgit's lines went or came back; return their ids, and sentences.

    For removed lines of others there is only the sentence, with the command that restores them.
    """
    items: list[tuple[str, str]] = []
    notes: list[str] = []
    for path in (path for path in intake.changed if is_watched(path)):
        if intake.final[path] is None and (copy := _find_loose_copy(workspace, intake.trusted.get(path))):
            notes.append(f"{path} is {copy} now, which no capture takes: mv {quote_shell(copy)} {quote_shell(path)}")
            continue
        back = [row for row in intake.arrived.values() if row.file == path]
        after = target = text_of(intake.final[path])
        own_lines, others_lines = set[str](), set[str]()
        calls = KnownCalls(workspace.store).list_file_calls(path)
        write, start = write_and_start(calls, repository.hash_blob(intake.files[path] or b""))
        # Lines may be lost on disk, against HEAD, or in commits of others, against their base.
        for commit in dict.fromkeys((intake.head, intake.bases.get(path, intake.head))):
            before = text_of(repository.read(workspace.repo, commit, path)) or ""
            lost_lines = _number_lost_lines(intake, before, target, back, start)
            own = _find_own_lines(workspace, commit, path, lost_lines)
            if own and target is not None:
                rows = "\n".join(row.rstrip("\r\n") for number, row in enumerate(split(before), 1) if number in own)
                target = place_lines(before, own, target) or append_block(target, rows)
            target = before if target is None and own else target
            own_lines.update(lost_lines[number] for number in own)
            others_lines.update(line for number, line in lost_lines.items() if number not in own)
        if own_lines or back:
            items += _offer_restoration(workspace, path, (after, target), len(own_lines), back)
        if others_lines and (write or not file_roles.is_identity(path)):
            words = f"{path} lost {capture.count_lines(len(others_lines))}; to bring these back, undo that change"
            notes.append(f"{words}: clawgit log {quote_shell(path)}")
    return tuple(name for name, _ in items), (*notes, *(words for _, words in items))


def _find_loose_copy(workspace: WorkspaceBase, data: bytes | None) -> str:
    """Return the file outside of our scope that has these bytes, "" for none: a file that was moved is not lost."""
    for path in difference.list_untracked(workspace.repo).loose if data else ():
        with contextlib.suppress(OSError):  # it is gone again
            size = (workspace.root / path).lstat().st_size
            if size == len(data or b"") and read_quietly(workspace.repo, path) == data:
                return path
    return ""


def _number_lost_lines(
    intake: Taken, before: str, after: str | None, back: Collection[Row], start: ToolCall | None
) -> dict[int, str]:
    """Return the lost lines by number; none reworded by a new one that is not `back`, or had been read at `start`."""
    old_lines = lines_of(before)
    # A line in another file of this write was moved, and is not lost.
    missing = old_lines.difference(lines_of(after or ""), *(lines_of(to_text(data)) for data in intake.final.values()))
    new_lines = lines_of(_remove_entries(after or "", {row.hash for row in back})) - old_lines
    reworded = reworded_lines(missing, new_lines) if missing else ()
    missing -= {line for line in reworded if start is None or line_hashes(line) <= start.lines}
    rows = enumerate(before.removeprefix("\ufeff").split("\n"), 1)
    return {number: row.strip() for number, row in rows if row.strip() in missing}


def _find_own_lines(workspace: WorkspaceBase, commit: str | None, path: str, numbers: Collection[int]) -> set[int]:
    """Return the numbers of the lines that clawgit wrote, in an agent's or the operator's name."""
    own = set[int]()
    with contextlib.suppress(ClawgitError):  # a damaged or partial clone
        rows = history.blame(workspace.repo, path, commit, (min(numbers), max(numbers))) if numbers else ()
        commits = history.read_commits(workspace.repo, [row.commit for row in rows if row.commit])
        own |= {row.line for row in rows if row.commit and line_writers.is_clawgits(commits[row.commit])}
    return own.intersection(numbers)


def _offer_restoration(
    workspace: WorkspaceBase, path: str, texts: tuple[str | None, str | None], own_count: int, back: list[Row]
) -> Iterator[tuple[str, str]]:
    """Open an item with the file as clawgit left it, and yield a sentence; a newer item replaces an older one."""
    after, hashes = texts[0], {row.hash for row in back}
    target = None if texts[1] is None else _remove_entries(texts[1], hashes)
    returned = [entry.text for entry in entries_of(after or "") if hash_entry(entry.text) in hashes]
    words = f"{len(returned)} removed lines were written again"
    if len(returned) == 1:
        words = f"“{commit_message.shorten(commit_message.fold_spaces(returned[0]), 30)}” was written again"
    parts = [words] if returned else []
    if own_count:
        parts.append(f"{capture.count_lines(own_count)} of clawgit's {'was' if own_count == 1 else 'were'} deleted")
    title = f"{path}: {', '.join(parts)}"
    edits: dict[str, tuple[str | None, str | None]] = {path: (after, target)}
    if back:
        rows = to_text(repository.read(workspace.repo, workspace.head, entries.PATH))
        new_rows = {**entries.parse(rows), **{row.id: replace(row, status="tombstone") for row in back}}
        edits[entries.PATH] = (rows, entries.with_rows(rows, new_rows))
    from clawgit.workspace.inbox import open_restore  # noqa: PLC0415 - most writes take nothing away

    with contextlib.suppress(ClawgitError):  # a secret went: nobody is to bring it back
        reason = "Accept it to undo that edit of these lines; reject it to keep the file as it is now."
        offer = open_restore(workspace, path, edits, title, reason)
        if not offer.rejected:
            for older in workspace.store.read_items("open", kind="restore"):
                if older.id != offer.id and path in older.paths:
                    workspace.store.decide(older.id, "closed", workspace.now())
            yield offer.id, f"{title}: clawgit show {offer.id}"


def _remove_entries(text: str, hashes: Collection[str]) -> str:
    spans = [(entry.start, entry.end) for entry in entries_of(text) if hash_entry(entry.text) in hashes]
    return remove_lines(text, spans)


def _uncommitted(workspace: WorkspaceBase, paths: Iterable[str]) -> Iterator[str]:
    """Yield those of `paths` whose file on disk is not HEAD's.

    Raises ClawgitError for one outside our scope: that is for its owner to commit.
    """
    repo, head = workspace.repo, workspace.head
    for path in paths:
        file, committed = worktree_files.read_worktree_file(repo, path), repository.read(repo, head, path)
        if file is None or file.data == committed:
            continue
        if not (file_roles.is_captured(path) or (path.endswith(".md") and committed is not None)):
            words = f"{path} has changes that are not committed, and is not clawgit's to commit"
            raise file_uncommitted(words, fix=Command("git add {} && git commit -m {} {}", path, "by hand", path))
        yield path


def land_merge(workspace: WorkspaceBase, new: NewCommit, head: Oid, commit: Oid) -> tuple[Oid | None, tuple[str, ...]]:
    """Write a merge that was worked out at `head`; return its commit, None if nothing was to be written, and notes.

    Edits of others in its files are committed first and merged into them; if there are none, its commit is `commit`.
    Raises StaleChangeError if the workspace has changed since, ClawgitError if nothing can be written.
    """

    def plan(snapshot: Snapshot) -> Plan:
        if snapshot.head != head:
            raise StaleChangeError
        intake = _take(workspace, snapshot, new.files or snapshot.disk, {})
        before = capture.commit(workspace, intake, workspace.now())
        if before is None:
            return Plan((replace(new, made=commit),))
        edited = {
            path: merge_forward(path, snapshot.committed[path], intake.files[path], new.files[path])
            for path in intake.found.keys() & new.files.keys()
        }
        return Plan((before, replace(new, files={**new.files, **edited})))

    result = workspace.write(workspace.branch, tuple(new.files) or (file_roles.FORMAT,), plan)
    return (result.commits[-1] if result.commits else None), result.notes
