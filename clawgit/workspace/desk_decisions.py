"""Approves proposals, and rejects them."""

import contextlib
from collections.abc import Mapping

from msgspec.structs import replace

from clawgit import errors
from clawgit.errors import Advice, ClawgitError, Command
from clawgit.git import commit_chain, commit_graph, repository
from clawgit.git.commit_chain import NewCommit
from clawgit.git.git_command import git
from clawgit.git.repository import Oid
from clawgit.git.transaction import Plan, Snapshot
from clawgit.workspace import alarm_ledger, commit_message, entries, file_roles, proposal, write_guard
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.commit_message import Message
from clawgit.workspace.entries import Row
from clawgit.workspace.proposal import Proposal, answer, find, landed, turn
from clawgit.workspace.proposal_view import View, view
from clawgit.workspace.undo import ConflictError
from clawgit.workspace.workspace import Workspace


class StandoffError(ConflictError):
    """Others have changed the place that a proposal is about; nothing was written."""

    sides = ("as it was when this was proposed", "as it stands now", "as it was proposed")


def approve(workspace: Workspace, name: str, digest: str) -> Applied:
    """Land a proposal as one commit, if it still is what was shown with this `digest`.

    What others wrote in its files is captured first. Raises ClawgitError when it is not, when it expired, was decided
    already, or has nothing left to do; StandoffError when others have changed the same place.
    """
    workspace.require_managed()
    with turn(workspace.state):
        found = _open(workspace, name)
        if found.kind == "control":
            return _accepted(workspace, view(workspace, found), digest)
        if problem := view(workspace, found).problem:
            raise problem
        before = workspace.capture(found.paths)  # what others wrote in its files
        workspace.approvals()
        shown = view(workspace, found)
        _refuse(workspace, shown, digest)
        vouched = {
            one.path: one.then
            for one in shown.files
            if file_roles.guarded(one.path) and workspace.trust.approves(one.path, one.now)
        }
        applied = workspace.apply(shown.change, wait=False)
        if applied.commit is None:
            raise _decided(workspace, found)
        notes = _vouch(workspace, shown, applied.commit, vouched)
        _drop(workspace, found)
    told = (*before.notes, *(alarm.words for alarm in before.alarms))
    return replace(applied, captured=applied.captured or before.commit, notes=(*told, *applied.notes, *notes))


def _accepted(workspace: Workspace, shown: View, digest: str) -> Applied:
    """Make control files exactly what was shown, with their bytes and modes."""
    _refuse(workspace, shown, digest)
    repo, found = workspace.repo, shown.proposal
    wanted = {one.path: one.entry for one in shown.files}
    files = {path: repository.blob(repo, entry.blob) if entry else None for path, entry in wanted.items()}
    trailers = ((commit_message.CHANGE, found.id), ("Origin", "unknown"), ("Clawgit-Approved", "operator"))
    words = commit_message.render(Message(write_guard.cleaned(found.said.subject), found.said.why, trailers))

    def decide(snapshot: Snapshot) -> Plan:
        for path, data in snapshot.committed.items():
            file = snapshot.disk[path]
            if (file.data if file else None) != data or commit_graph.entry(repo, snapshot.head, path) not in (
                found.entries[path][0],
                wanted[path],
            ):
                fix = Command("git add {} && git commit -m {} -- {}", path, "by hand", path)
                raise errors.file_uncommitted(f"{path} has changes that are not committed", fix=fix)
        return Plan((NewCommit(words, workspace.operator, workspace.now(), files, entries=wanted),))

    commit = workspace.write(workspace.branch, tuple(files), decide).commits[-1]
    _drop(workspace, found)
    return Applied(commit, found.id, tuple(files), risk=shown.risk)


def reject(workspace: Workspace, name: str, why: str) -> Proposal:
    """Take a proposal off the desk, with the reason; the same one does not return without new evidence."""
    workspace.require_managed()
    if not why.strip():
        raise errors.reason_missing("a rejection has a reason", fix=Advice("--why 'what is wrong with it'"))
    write_guard.check_words(why, "the reason")
    with turn(workspace.state):
        found = _open(workspace, name)
        words = Message(f"desk: reject: {write_guard.cleaned(found.said.subject)}", why, (("Origin", "operator"),))
        no = NewCommit(commit_message.render(words), workspace.operator, workspace.now())
        _swap(workspace, found, commit_chain.build(workspace.repo, found.commit.id, [no])[-1])
        if found.kind == "restore" and (rows := _rows_to_keep(workspace, found)):
            keep = Change(f"memory: keep: {words.subject.partition(': ')[2]}", why)
            kept = (replace(row, origin="operator", mentions=row.mentions | {keep.id}) for row in rows)
            workspace.apply(replace(keep, rows=tuple(kept)))  # a correction, too, leaves what the operator says
        return find(workspace, found.id)


def _rows_to_keep(workspace: Workspace, found: Proposal) -> tuple[Row, ...]:
    """Return the rows, in force again, of lines that were to be removed once more and that the operator keeps."""
    if entries.PATH not in found.paths:
        return ()
    removed = entries.parse(found.texts[entries.PATH][1] or "")
    return tuple(
        replace(row, status="live", by="")
        for key, row in workspace.rows().items()
        if row.status == "superseded" and key in removed and removed[key].status == "tombstone"
    )


def _open(workspace: Workspace, name: str) -> Proposal:
    """Return a proposal that waits. Raises ClawgitError for one that was decided."""
    found = find(workspace, name)
    if found.rejection:
        raise errors.already_decided(f"{found.id} {answer(found)}", fix=Command("clawgit soul review {}", found.id))
    return found


def _refuse(workspace: Workspace, shown: View, digest: str) -> None:
    """Raise ClawgitError for a proposal that cannot land as it was shown."""
    found = shown.proposal
    if shown.problem:
        raise shown.problem
    if shown.done:
        raise _decided(workspace, found)
    if shown.expired:
        raise errors.item_expired(f"{found.id} expired on {found.expires:%Y-%m-%d}", fix=_whole(found, found.paths))
    path = next((one.path for one in shown.files if one.conflicts), None)
    if path:
        words = f"{path} was changed since in the place that {found.id} is about"
        raise StandoffError(path, shown.conflicts, found.id, words=words, fix=_whole(found, (path,)))
    if digest != shown.digest:
        raise errors.preview_outdated(f"{found.id} has changed since", fix=Command("clawgit soul review {}", found.id))


def _whole(found: Proposal, paths: tuple[str, ...]) -> Command:
    """Return the command that brings the first of these files as it was proposed, whatever came since."""
    path = next((path for path in paths if path != entries.PATH and found.texts[path][1] is not None), None)
    if path is None:
        return Command("clawgit soul review {}", found.id)
    whole = "the whole file, as it was proposed"
    return Command("clawgit restore {} --as-of {}", path, found.commit.id[:10], note=whole)


def _decided(workspace: Workspace, found: Proposal) -> ClawgitError:
    """Take a proposal that has nothing left to do off the desk, and return the error that says so."""
    _drop(workspace, found)
    commit = landed(workspace, found.id)
    if commit:
        return errors.already_decided(
            f"{found.id} was approved already in {commit[:10]}", fix=Command("git show {}", commit[:10])
        )
    words = f"nothing of {found.id} is left to do: the files say so already; it is off the desk"
    return errors.item_outdated(words, fix=Command("clawgit log"))


def _vouch(workspace: Workspace, shown: View, commit: Oid, texts: Mapping[str, str | None]) -> tuple[str, ...]:
    """Let what was approved count as the operator's own words, where it landed on what was approved before.

    Where somebody wrote to the file in between it may stand, and is not approved.
    """
    repo, now = workspace.repo, {one.path: one.now for one in shown.files}
    parent = repository.resolve(repo, f"{commit}^")
    same = {
        path: text
        for path, text in texts.items()
        if _holds(workspace, parent, path, now[path]) and _holds(workspace, commit, path, text)
    }
    if not same:
        return ()
    try:
        workspace.trusted.approve(same)
    except ClawgitError as exc:
        return (f"{exc.message}; what you approved is not kept as approved: clawgit trust",)
    workspace.approvals()
    return ()


def _holds(workspace: Workspace, commit: Oid | None, path: str, text: str | None) -> bool:
    return repository.read(workspace.repo, commit, path) == (None if text is None else text.encode())


def _drop(workspace: Workspace, found: Proposal) -> None:
    """Take a proposal off the desk, unless another one has taken its place or somebody was faster."""
    with contextlib.suppress(ClawgitError):
        git(workspace.repo.root, "update-ref", "-d", proposal.OPEN + found.id, found.commit.id)
        alarm_ledger.drop_proposal(workspace.notes, found.id)


def _swap(workspace: Workspace, found: Proposal, made: Oid) -> None:
    """Put the rejection where the proposal was, as one step."""
    lines = (
        "start",
        f"delete {proposal.OPEN}{found.id} {found.commit.id}",
        f"create {proposal.REJECTED}{found.id} {made}",
        "commit",
    )
    try:
        git(workspace.repo.root, "update-ref", "--stdin", stdin="".join(f"{line}\n" for line in lines).encode())
    except ClawgitError:
        again = find(workspace, found.id)  # tells who was faster
        raise errors.already_decided(
            f"{again.id} {answer(again) or 'cannot be rejected now: its reference is locked'}",
            fix=Command("clawgit soul review {}", again.id),
        ) from None
    alarm_ledger.drop_proposal(workspace.notes, found.id)
