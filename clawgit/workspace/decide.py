"""Accepts items of the inbox, and rejects them."""

import contextlib
from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from clawgit import errors
from clawgit.errors import ClawgitError, Command
from clawgit.git import regular_file, repository, worktree_files
from clawgit.git.commit_graph import Entry
from clawgit.git.repository import Oid
from clawgit.store.item import Item, State
from clawgit.workspace import commit_message, entries, file_roles, write_guard
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.commit_message import Message
from clawgit.workspace.entries import Row
from clawgit.workspace.inbox import describe_decision, find_item, find_landed, read_control_version
from clawgit.workspace.item_view import View, view
from clawgit.workspace.prepared import Prepared, land_at_once
from clawgit.workspace.undo import ConflictError
from clawgit.workspace.workspace import Workspace

PATIENCE_SECONDS = 10.0


@contextlib.contextmanager
def taking_turns(workspace: Workspace) -> Iterator[None]:
    """Hold the lock of decisions: nobody rejects what is just landing. Raises BusyError where it takes too long."""
    place, busy = workspace.store.folder / "decide.lock", errors.in_use("another decision is being made")
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(regular_file.locked(place, busy, PATIENCE_SECONDS))
        except OSError as exc:
            raise errors.unwritable(place, exc) from exc
        yield


def accept(
    workspace: Workspace, name: str, digest: str, only: Collection[int] = (), text: str | None = None
) -> Applied:
    """Land an item as one commit, if it still is what was shown with this `digest`.

    `only` are the numbers of the hunks that land, none for all; `text` is the operator's own text of its file.
    What others wrote in its files is captured first. Raises ClawgitError when it is not, when it was decided already,
    or has nothing left to do; ConflictError when others have changed the same place.
    """
    workspace.require_managed()
    with taking_turns(workspace):
        item = find_open(workspace, name)
        if item.kind == "sync":
            return _accept_control_files(workspace, view(workspace, item), digest)
        if problem := view(workspace, item).problem:
            raise problem
        before = workspace.capture(item.paths)  # what others wrote in its files
        workspace.approvals()
        shown = view(workspace, item, only, text)
        _require_unchanged(workspace, shown, digest)
        vouched = {
            target.path: target.then
            for target in shown.files
            if file_roles.guarded(target.path) and workspace.trust.approves(target.path, target.now)
        }
        said = {target.path for target in shown.files if target.now == workspace.trust.said(target.path)}
        applied = workspace.apply(shown.change, wait=False)
        if applied.commit is None:
            raise _close(workspace, item)
        notes = _vouch(workspace, shown, applied.commit, vouched, said)
        decide(workspace, item, "accepted", commit=applied.commit)
    return replace(applied, captured=applied.captured or before.commit, notes=(*before.notes, *applied.notes, *notes))


def _accept_control_files(workspace: Workspace, shown: View, digest: str) -> Applied:
    """Make control files exactly what was shown, with their bytes and modes."""
    _require_unchanged(workspace, shown, digest)
    repo, item = workspace.repo, shown.item
    edits = {edit.path: edit for edit in item.edits}
    wanted = {target.path: target.version for target in shown.files}
    files = {path: version.content if version else None for path, version in wanted.items()}
    modes = {
        path: Entry(repository.hash_blob(version.content), version.mode) if version else None
        for path, version in wanted.items()
    }
    trailers = ((commit_message.CHANGE, item.id), ("Origin", "unknown"), ("Clawgit-Approved", "operator"))
    message = Message(write_guard.cleaned(item.title), item.reason, trailers)
    for path in files:
        here, file = read_control_version(repo, workspace.head, path), worktree_files.read(repo, path)
        is_known = here in (edits[path].before, edits[path].after)
        if not is_known or (file.data if file else None) != (here.content if here else None):
            fix = Command("git add {} && git commit -m {} -- {}", path, "by hand", path)
            raise errors.file_uncommitted(f"{path} has changes that are not committed", fix=fix)
    disk = {path: repository.read(repo, workspace.head, path) for path in files}
    prepared = Prepared(message, files, workspace.operator, workspace.now(), workspace.head, disk, entries=modes)
    commit = land_at_once(workspace, prepared) or ""
    decide(workspace, item, "accepted", commit=commit)
    return Applied(commit, item.id, tuple(files), doubts=shown.doubts)


def reject(workspace: Workspace, name: str, why: str = "") -> Item:
    """Close an item, with or without a reason; the same change does not return without new evidence."""
    workspace.require_managed()
    if why:
        write_guard.check_words(why, "the reason")
    with taking_turns(workspace):
        item = find_open(workspace, name)
        if not decide(workspace, item, "rejected", why.strip()):
            raise decision_error(find_item(workspace, item.id))
        if item.kind == "restore" and (rows := _rows_to_keep(workspace, item)):
            keep = Change(f"memory: keep: {item.title.partition(': ')[2]}", why)
            kept = (replace(row, origin="operator", mentions=row.mentions | {keep.id}) for row in rows)
            workspace.apply(replace(keep, rows=tuple(kept)))  # a correction, too, leaves what the operator says
        return find_item(workspace, item.id)


def decide(workspace: Workspace, item: Item, state: State, answer: str = "", commit: Oid = "") -> bool:
    """Note what was decided on an item; return False where somebody was faster."""
    return workspace.store.decide(item.id, state, workspace.now(), answer, commit)


def find_open(workspace: Workspace, name: str) -> Item:
    """Return an item that waits. Raises ClawgitError for one that was decided."""
    item = find_item(workspace, name)
    if item.state != "open":
        raise decision_error(item)
    return item


def _rows_to_keep(workspace: Workspace, item: Item) -> tuple[Row, ...]:
    """Return the rows, in force again, of lines that were to be removed once more and that the operator keeps."""
    if entries.PATH not in item.paths:
        return ()
    removed = entries.parse(item.texts[entries.PATH][1] or "")
    return tuple(
        replace(row, status="live", by="")
        for key, row in workspace.rows().items()
        if row.status == "superseded" and key in removed and removed[key].status == "tombstone"
    )


def _require_unchanged(workspace: Workspace, shown: View, digest: str) -> None:
    """Raise ClawgitError for an item that cannot land as it was shown."""
    item = shown.item
    if shown.problem:
        raise shown.problem
    if shown.done:
        raise _close(workspace, item)
    path = next((target.path for target in shown.files if target.conflicts), None)
    if path:
        is_gone = all(target.now is None for target in shown.files if target.path == path)
        words = f"{path} is gone" if is_gone else f"{path} was changed since in the place that {item.id} is about"
        raise ConflictError(path, shown.conflicts, item.id, words=words, fix=Command("clawgit show {}", item.id))
    if digest != shown.digest:
        raise errors.preview_outdated(f"{item.id} has changed since", fix=Command("clawgit show {}", item.id))


def decision_error(item: Item) -> ClawgitError:
    """Return the error that an item was decided already."""
    fix = Command("git show {}", item.commit[:10]) if item.commit else Command("clawgit show {}", item.id)
    return errors.already_decided(f"{item.id} {describe_decision(item)}", fix=fix)


def _close(workspace: Workspace, item: Item) -> ClawgitError:
    """Close an item that has nothing left to do, and return the error that says so."""
    commit = find_landed(workspace, item.id)
    decide(workspace, item, "accepted" if commit else "closed", commit=commit or "")
    if commit:
        words = f"{item.id} was accepted already in {commit[:10]}"
        return errors.already_decided(words, fix=Command("git show {}", commit[:10]))
    words = f"nothing of {item.id} is left to do: the files say so already; it is closed"
    return errors.item_outdated(words, fix=Command("clawgit log"))


def _vouch(
    workspace: Workspace, shown: View, commit: Oid, texts: Mapping[str, str | None], said: Collection[str]
) -> tuple[str, ...]:
    """Let what was approved count as the operator's own words in the files that held nothing but these, `said`.

    Elsewhere it is approved, what it takes out is missed no more, and what others wrote in the file goes on being told.
    Where somebody wrote to the file in
    between it may stand, and is not approved.
    """
    repo, now = workspace.repo, {file.path: file.now for file in shown.files}
    parent = repository.resolve(repo, f"{commit}^")
    same = {
        path: text
        for path, text in texts.items()
        if _holds(workspace, parent, path, now[path]) and _holds(workspace, commit, path, text)
    }
    if not same:
        return ()
    try:
        workspace.trusted.approve({path: text for path, text in same.items() if path in said})
        workspace.trusted.follow({path: text for path, text in same.items() if path not in said}, now)
    except ClawgitError as exc:
        return (f"{exc.message}; what you approved is not kept as approved: clawgit trust",)
    workspace.approvals()
    return ()


def _holds(workspace: Workspace, commit: Oid | None, path: str, text: str | None) -> bool:
    return repository.read(workspace.repo, commit, path) == (None if text is None else text.encode())
