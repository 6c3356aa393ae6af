"""One sync: merge incoming commits, and publish ours."""

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from msgspec import Struct

from clawgit import clock, errors, file_roles
from clawgit.errors import Advice, ClawgitError, Command, identity_elsewhere, quote_shell
from clawgit.git import commit_chain, history, references, repository
from clawgit.git.commit_chain import NewCommit
from clawgit.git.git_command import git
from clawgit.git.repository import Oid
from clawgit.safety.hidden_text import conflict_markers
from clawgit.sync import machine_heads
from clawgit.sync.control_files import AUTHOR, list_names_left_out
from clawgit.sync.head_merge import HeadMerge, Landed, land_heads, own_files, work_out_here
from clawgit.sync.machine_heads import (
    APPROVED,
    BRANCH,
    HEADS,
    Exchange,
    Folder,
    OvertakenError,
    Remote,
    SharedHeads,
    make_purged_error,
    name_machine,
)
from clawgit.workspace import commit_message, correction_records, outgoing_secrets, purged_objects, records, undo
from clawgit.workspace.capture_and_enforce import Outcome, capture_all
from clawgit.workspace.change import Change, Edit, StaleChangeError
from clawgit.workspace.file_contents import find_marked, text_of
from clawgit.workspace.inbox import open_file
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.workspace_base import FORMAT_VERSION, format_number

_MOST_REFUSALS = 20
_TRIES = 5
_SECONDS = 1800.0


class Taken(Struct, frozen=True):
    """The outcome of another machine's approvals: files approved here now, and proposals of the former text."""

    paths: tuple[str, ...] = ()
    commits: tuple[Oid, ...] = ()
    waiting: tuple[str, ...] = ()
    problems: tuple[ClawgitError, ...] = ()


class Synced(Struct, frozen=True):
    """The outcome of one sync, or its preview.

    `heads` are the heads by machine; `captured` are edits of others here, `landed` the merge, `published` the commit
    that went out, None if there was nothing to do. `problems` are heads that were left out, and reasons that ours did
    not go out, `taken` the approvals of the machine that `identity_home` names.
    """

    machine: str
    place: str
    heads: dict[str, Oid]
    captured: Outcome
    landed: Landed
    published: Oid | None = None
    problems: tuple[ClawgitError, ...] = ()
    notes: tuple[str, ...] = ()
    taken: Taken = Taken()


def exchange(workspace: Workspace, remote: str | None, folder: Path | None) -> Exchange:
    """Return the shared place: a folder, a remote by its name, else the only remote. Raises ClawgitError."""
    limit = int(workspace.config.value("sync_max_mb")) * machine_heads.MEGABYTE
    renamed = records.read_new_ids(workspace.store)
    if folder is not None:
        if folder.resolve().is_relative_to(workspace.root):
            place = workspace.root.with_name(f"{workspace.root.name}-sync")
            way_out = Command("mkdir -p {} && clawgit sync --folder {}", place, place)
            raise errors.value_invalid(f"{folder} is inside the workspace", fix=way_out)
        return Folder(workspace.repo, folder, limit, renamed)
    names = git(workspace.root, "remote").decode("utf-8", "replace").split()
    name = remote or ("origin" if "origin" in names else names[0] if len(names) == 1 else "")
    if name not in names:
        problem = f"remote {name!r} not found" if name else "no remote named to sync with"
        add = Advice(f"git -C {quote_shell(workspace.root)} remote add origin URL   # or: clawgit sync --folder DIR")
        fix = Command("clawgit sync --remote {}", names[0]) if names else add
        raise errors.remote_missing(f"{problem}; remotes here: {', '.join(names) or 'none'}", fix=fix)
    return Remote(workspace.repo, name, workspace.branch, limit, renamed)


def sync(workspace: Workspace, place: Exchange, *, dry_run: bool = False) -> Synced:
    """Merge the commits of other machines here, and publish ours.

    Without others nothing comes in; commits that may not go out stay here, and are reported. Raises ClawgitError, with
    no file touched, if heads cannot be merged.
    """
    workspace.require_managed()
    meeting = _Meeting(workspace, place)
    machine = meeting.machine
    if dry_run:
        head = workspace.head
        merge, left_out = work_out_here(workspace, head, meeting.heads) if head else (None, ())
        problems = (*meeting.problems, *left_out, *_list_merge_problems(workspace, merge, meeting))
        return Synced(machine, place.words, dict(meeting.found.heads), Outcome(), Landed(None, merge), None, problems)
    # Edits on disk become commits first: the merge works on commits alone.
    outcome = capture_all(workspace)
    approvals = _take_approvals(workspace, machine, meeting.found)
    for tries in range(_TRIES):
        # Pushed before it lands: two machines never publish two merges of the same pair.
        push = meeting.push if tries + 1 < _TRIES else lambda _: None  # the branch is left to those who are faster
        try:
            landing = land_heads(workspace, meeting.heads, meeting.names, push)
            if workspace.head and not landing.commit:
                push(workspace.head)
            break
        except (OvertakenError, StaleChangeError):
            meeting.look()
    else:
        raise errors.keeps_changing("the workspace keeps changing")
    correction_records.note_records(workspace)  # imported records stay in force after a removal here
    published = meeting.publish(_publish_approvals(workspace, machine))
    outgoing_secrets.report_secrets(workspace.repo, workspace.store)
    notes = (*landing.notes, *meeting.notes)
    left_out = tuple(_list_merge_problems(workspace, landing.merge, meeting))
    marked_files = (file.error for file in find_marked(workspace.repo, workspace.memory_files))
    problems = (*meeting.problems, *approvals.problems, *landing.problems, *left_out, *meeting.refusals, *marked_files)
    heads = dict(meeting.found.heads)
    return Synced(machine, place.words, heads, outcome, landing, published, problems, notes, approvals)


class _Meeting:
    """One sync at a place: `heads` to merge, with their `names`, the reasons for omissions, and the published parts."""

    def __init__(self, workspace: Workspace, place: Exchange) -> None:
        self._workspace, self._place = workspace, place
        self.machine = clock.name_machine(workspace.repo)
        self.look()

    def look(self) -> None:
        """Fetch the heads of the other machines; nothing is pushed yet."""
        self._pushed: Oid | None = None
        self.refusals: list[ClawgitError] = []
        self.notes: list[str] = []
        self.found = self._place.fetch()
        self._purged = bool(self.found.purged)
        others = {name: oid for name, oid in self.found.heads.items() if name != self.machine}
        late = dict(_list_left_out(self._workspace, others))
        self.heads = tuple(oid for name, oid in others.items() if name not in late)
        branch_first = sorted(others.items(), key=lambda pair: pair[0] != BRANCH)
        self.names = {oid: name_machine(name) for name, oid in branch_first}
        old = [
            name for name in self.found.old if name not in (self.machine, BRANCH) and not name.startswith("approved-")
        ]
        self.problems = (*self.found.problems, *(make_purged_error(name, "here") for name in old), *late.values())
        if self.found.purged:
            names = ", ".join(map(name_machine, self.found.purged))
            words = f"{names}: something was purged there that is in the history here; nothing goes out or comes in"
            fix = Advice("clawgit purge --text - < FILE   # here, as there; or --path FILE")
            error = errors.purged_elsewhere(words, fix=fix)
            self.problems = (*self.problems, error)

    def push(self, head: Oid) -> None:
        """Bring the shared branch to a commit, if nothing is against that. Raises OvertakenError."""
        if not isinstance(self._place, Remote) or self._purged:
            return
        branch_tip = self.found.heads.get(BRANCH)
        if (branch_tip and repository.reaches(self._workspace.repo, branch_tip, head)) or self._refuses(head, None):
            return
        try:
            self._pushed = head if self._place.push_branch(head) else None
        except ClawgitError as exc:  # what comes in lands all the same, and a head of our own goes out
            self.notes = [f"the branch was not moved: {exc.message}"]

    def publish(self, approval: Oid | None) -> Oid | None:
        """Publish the approvals here, and the head of this machine in a folder; return the published head.

        None if nothing is new or there is an obstacle. Raises ClawgitError if the place does not take it.
        """
        meeting_heads, head = self.found, self._workspace.head
        news = meeting_heads.heads.get(self.machine) != head or isinstance(self._place, Remote)
        news |= approval not in (None, meeting_heads.approved.get(self.machine))
        news |= isinstance(self._place, Folder) and not self._place.is_whole(self.machine)
        if head is None or not news or self._refuses(head, approval) or self._purged:
            return None
        return head if self._place.publish(self.machine, head, approval) else self._pushed

    def _refuses(self, head: Oid, approval: Oid | None) -> bool:
        """Check the outgoing commits, as git's pre-push hook lists them, and note the obstacles."""
        repo, meeting_heads = self._workspace.repo, self.found
        rows = [(f"{HEADS}{self.machine}", head, meeting_heads.heads.get(self.machine))]
        rows += [(f"{APPROVED}{self.machine}", approval, meeting_heads.approved.get(self.machine))] if approval else []
        rows += [(f"refs/heads/{self._workspace.branch}", head, meeting_heads.heads.get(BRANCH))]
        # An old commit that is not here counts as none, which git's hook gets as zeros.
        present = {old_oid for _, _, old_oid in rows if old_oid and repository.resolve(repo, old_oid)}
        hook_lines = "".join(
            f"{name} {oid} {name} {old_oid if old_oid in present else '0' * 40}\n" for name, oid, old_oid in rows
        )
        obstacles = outgoing_secrets.list_obstacles(repo, self._place.words, hook_lines)
        self.refusals = list(islice(obstacles, _MOST_REFUSALS))
        return bool(self.refusals)


def _list_left_out(workspace: Workspace, heads: Mapping[str, Oid]) -> Iterator[tuple[str, ClawgitError]]:
    """Yield the machines whose heads are not merged, and the reason.

    Those of a newer clawgit cannot be read here. Those with objects that another one purged would bring them back for
    all with one merge of both.
    """
    repo = workspace.repo
    for name, head in heads.items():
        data = repository.read(repo, head, file_roles.FORMAT) or b""
        if (number := format_number(data.decode("utf-8", "replace")) or 0) > FORMAT_VERSION:
            words = f"{name_machine(name)} writes format {number}, this clawgit reads {FORMAT_VERSION}: "
            words += "what it wrote is not taken"
            fix = Command("pip install --upgrade clawgit", note="then: clawgit sync")
            yield name, errors.format_newer(words, fix=fix)
            continue
        others = {"here": workspace.head, **{f"on {name_machine(machine)}": oid for machine, oid in heads.items()}}
        for place, oid in others.items():
            if oid and oid != head and purged_objects.brings_back(repo, head, oid):
                yield name, make_purged_error(name, place)
                break


def _list_merge_problems(workspace: Workspace, merge: HeadMerge | None, meeting: _Meeting) -> Iterator[ClawgitError]:
    """Yield the parts that a merge left alone; what earlier ones did is a finding of the doctor."""
    for head in merge.held.ejected if merge else ():
        name = meeting.names.get(head, head[:10])
        words = f"{name} has left clawgit; this machine goes on, with what was written there"
        yield errors.sync_ejected(words, fix=Command("clawgit eject", note="only if this machine is to leave it, too"))
    if workspace.head and merge:
        yield from list_names_left_out(workspace.repo, workspace.head, meeting.heads).values()


def clone(source: str, target: Path) -> Workspace:
    """Clone the workspace at an address, or out of a folder of bundles, into a new folder.

    Raises ClawgitError, with nothing left behind, if there is no managed workspace.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise errors.file_exists(f"{target} is there already", fix=Command("ls -la {}", target))
    target.parent.mkdir(parents=True, exist_ok=True)
    # The folder gets its name once it is whole, so that a failed clone leaves nothing there.
    fresh = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        if bundles := list(Path(source).expanduser().glob("*.bundle")):
            _begin_from_bundles(bundles, fresh)
        else:
            git(target.parent, "clone", "--quiet", "--no-recurse-submodules", source, str(fresh), timeout=_SECONDS)
            if repository.head(repository.find(fresh)) is None:  # the remote's HEAD is a branch that it has not
                branches = git(fresh, "branch", "--remotes", "--format=%(refname:lstrip=3)").decode().split()
                for branch in sorted(branches, key=lambda name: name != "main")[:1]:
                    git(fresh, "checkout", "--quiet", branch)
        if not Workspace(repository.find(fresh)).managed:
            clone = f"git clone {quote_shell(source)}"
            raise errors.not_managed(
                f"what lies at {source} is no workspace that clawgit manages",
                fix=Advice(f"clawgit adopt WORKSPACE   # on the first machine, then push it; or: {clone}"),
            )
        fresh.replace(target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return Workspace(repository.find(target))


def _begin_from_bundles(bundles: Iterable[Path], target: Path) -> None:
    """Begin with the newest whole bundle; the others are looked at with the first sync."""
    git(target.parent, "init", "--quiet", "--initial-branch=main", str(target))
    problem: ClawgitError | None = None
    for bundle in sorted(bundles, key=lambda place: -place.stat().st_mtime):
        try:
            git(target, "fetch", "--quiet", "--no-tags", str(bundle.absolute()), f"{HEADS}{bundle.stem}")
        except ClawgitError as exc:
            problem = exc
        else:
            git(target, "reset", "--quiet", "--hard", "FETCH_HEAD")
            return
    if problem:
        raise problem


def _publish_approvals(workspace: Workspace, machine: str) -> Oid | None:
    """Return the commit with the approvals here, None if this is not the machine that others follow."""
    if workspace.config.value("identity_home") != machine:
        return None
    name = f"{APPROVED}{machine}"
    approvals = workspace.approvals().files.items()
    files = {path: approval.said.encode() for path, approval in approvals if approval.said is not None}
    last = references.target(workspace.repo, name)
    paths = repository.files(workspace.repo, last) if last else []
    before = {path: repository.read(workspace.repo, last, path) for path in paths}
    if not files or before == files:
        return last
    changed: Mapping[str, bytes | None] = {path: files.get(path) for path in {**before, **files}}
    words = commit_message.render(commit_message.Message("what is approved here", "", (("Origin", "operator"),)))
    (commit,) = commit_chain.build(workspace.repo, last, [NewCommit(words, AUTHOR, workspace.now(), changed)])
    references.set_reference(workspace.repo, name, commit)
    return commit


def _take_approvals(workspace: Workspace, machine: str, meeting_heads: SharedHeads) -> Taken:
    """Take over the new approvals of the machine that `identity_home` names.

    Local text that machine never had goes to the inbox.
    """
    home = str(workspace.config.value("identity_home"))
    now, head = meeting_heads.approved.get(home), meeting_heads.heads.get(home, meeting_heads.heads.get(BRANCH))
    if not home or home == machine or now is None:
        return Taken()
    repo, name = workspace.repo, f"refs/clawgit/taken/{home}"
    last = references.target(repo, name)
    if last == now:
        return Taken()
    if last and not repository.reaches(repo, now, last):
        words = f"what machine {home} approved does not go on from what was taken of it; nothing is taken"
        fix = Command("git log {}...{}", last[:10], now[:10], note="then: clawgit trust")
        return Taken(problems=(identity_elsewhere(words, fix=fix),))
    own = own_files(workspace)
    paths = [path for path in repository.files(repo, now) if file_roles.is_identity(path) and own(path)]
    news = [path for path in paths if repository.read(repo, last, path) != repository.read(repo, now, path)]
    commits, waiting = list[Oid](), list[str]()
    for path in news:
        text = text_of(repository.read(repo, now, path))
        if text is None or conflict_markers(text) is not None:
            continue
        if (before := workspace.read(path)) != text:
            waiting += _offer_local_text(workspace, path, text, before, head)
            subject = f"{file_roles.name_area(path)}: {path} as machine {home} approved it"
            edits = (Edit(path, before, text),)
            applied = workspace.apply(Change(subject, edits=edits, agent=undo.SYNC, approved=True), wait=False)
            commits += [applied.commit] if applied.commit else []
        workspace.trusted.approve({path: text})
        workspace.trusted.note_unattended(f"{path} as machine {home} approved it", workspace.now())
    workspace.approvals()
    references.set_reference(repo, name, now)
    return Taken(tuple(news), tuple(commits), tuple(waiting))


def _offer_local_text(
    workspace: Workspace, path: str, text: str, before: str | None, head: Oid | None
) -> Iterator[str]:
    """Open inbox items for local text that the other machine never had."""
    if before is None:
        return
    repo = workspace.repo
    blob = repository.hash_blob(before.encode())
    if head and any(
        repository.blob_id(repo, commit.id, path) == blob
        for commit in history.walk_log(repo, path, start=head, named=False)
    ):
        return
    words = f"{path} as it stood here before"
    offer = open_file(workspace, {path: (text, before)}, words, undo.SYNC)
    if not offer.rejected:
        yield offer.id
