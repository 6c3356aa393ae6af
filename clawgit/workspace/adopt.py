"""Takes over a workspace, and gives it back."""

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import (
    Advice,
    ClawgitError,
    Command,
    eject_outdated,
    file_foreign,
    file_open,
    not_managed,
    object_missing,
)
from clawgit.git import (
    git_filters,
    git_index,
    git_state,
    landing,
    local_notes,
    locks,
    pending_work,
    recovery,
    references,
    repository,
    repository_health,
)
from clawgit.git.git_command import forbid_fetching
from clawgit.git.history import Commit
from clawgit.git.repository import Oid, Repository
from clawgit.git.transaction import Plan, Snapshot
from clawgit.safety.redaction import redacted
from clawgit.text.merge import revert
from clawgit.workspace import bootstrap, capture, changelog, commit_message, history_secrets, inbox
from clawgit.workspace.bootstrap import IGNORE, is_free
from clawgit.workspace.decide import CAPTURE
from clawgit.workspace.file_contents import read_quietly, text_of
from clawgit.workspace.merge_rules import merge_forward
from clawgit.workspace.migration import births
from clawgit.workspace.uncommitted import (
    list_different,
    list_held_back,
    list_scope_globs,
    refuse_content,
    staying_out,
)
from clawgit.workspace.workspace import Workspace, refuse_stranger

_BRANCH = "main"
Progress = Callable[[int, int], object]
SUBJECT = "workspace: adopted by clawgit"
TITLE = "# added by clawgit"


class Adopted(Struct, frozen=True):
    """The result of `adopt`, or its preview: `commit` is None for nothing to do, and in a preview.

    `workspace` is None for a folder that is not under git. `additions` are the bytes to be added, by path; only
    .gitignore may exist already, and grows. `captured` is committed as it is, `held` is not, with its error; `kept` are
    somebody else's files with the name of one of ours; `views` the files to be rendered, and not committed; `left`
    counts the files that stay out. `refusal` is the reason that it cannot be done now, `notes` are later failures.
    """

    root: Path
    branch: str
    workspace: Workspace | None = None
    additions: Mapping[str, bytes] = {}
    captured: tuple[str, ...] = ()
    held: Mapping[str, ClawgitError] = {}
    kept: tuple[str, ...] = ()
    views: tuple[str, ...] = ()
    left: int = 0
    commit: Oid | None = None
    refusal: ClawgitError | None = None
    notes: tuple[str, ...] = ()

    @property
    def managed(self) -> bool:
        """Whether clawgit may write here."""
        return self.workspace is not None and self.workspace.managed


@forbid_fetching()
def look(path: Path, *, minimal: bool = False, progress: Progress = lambda _count, _total: None) -> Adopted:
    """Return a preview of `adopt`; touches nothing. Raises ClawgitError for a folder that cannot be adopted.

    `progress` gets the number of objects of HEAD that were looked at.
    """
    refuse_stranger(path)
    root = path.resolve()
    if not os.path.lexists(root / ".git"):
        return _look_inside(Adopted(root, _BRANCH), minimal=minimal)
    workspace = Workspace(repository.find(root))
    repository.require_head(workspace.repo)
    adoption = Adopted(root, repository.branch(workspace.repo) or workspace.branch, workspace)
    if workspace.managed:
        return adoption
    _refuse_damage(workspace, progress)
    return _look_inside(adoption, minimal=minimal)


def _look_inside(look: Adopted, *, minimal: bool) -> Adopted:
    """Return the same with the changes of files by `adopt`. With `minimal` only `.clawgit/` is added."""
    root, workspace = look.root, look.workspace
    _refuse_foreign(root)
    files = bootstrap.bookkeeping() | ({} if minimal else bootstrap.records())
    refusals: dict[str, ClawgitError] = {}
    rules: str | None = None
    if workspace:
        different, left = list_different(workspace.repo, list_scope_globs(workspace))
        paths = [change.path for change in different]
        refusals = {change.path: refusal for change, refusal in list_held_back(workspace, different)}
        if not minimal:
            config = bootstrap.with_branch(workspace.repo, workspace.branch, files[file_roles.CONFIG])
            files[file_roles.CONFIG] = config
            rules = _add_rules(workspace.repo, workspace.head)
    else:
        repo = Repository(root, root / ".git", root / ".git")  # files can be read by it, and no more
        paths, left = staying_out(root)
        for path in paths:
            try:
                refuse_content(repo, path, None)
            except ClawgitError as exc:
                refusals[path] = exc
        rules = None if minimal or os.path.lexists(root / IGNORE) else _select_fitting_rules(root)
    additions = {path: text.encode() for path, text in files.items() if is_free(root, path) and path not in refusals}
    existing = tuple(path for path in files if path not in additions and not path.startswith(file_roles.OURS))
    additions |= {} if rules is None else {IGNORE: rules.encode()}
    adoption = replace(
        look,
        additions=additions,
        captured=tuple(path for path in paths if path not in refusals),
        held=refusals,
        kept=existing,
        views=() if minimal else (*filter(partial(is_free, root), changelog.NAMES[:1]), changelog.COMPACTION_LOG),
        left=left.files,
    )
    return replace(adoption, refusal=_find_commit_refusal(workspace, adoption)) if workspace else adoption


def _refuse_foreign(root: Path) -> None:
    """Raise ClawgitError if `.clawgit` belongs to another program, or to a later clawgit: its files begin unlike ours.

    An ejection may have left some of ours.
    """
    folder = root / file_roles.OURS.rstrip("/")
    heads = {root / path: text.encode().split(b"\n")[0] for path, text in bootstrap.bookkeeping().items()}
    is_ours = folder.is_dir() and not folder.is_symlink()
    for place in folder.iterdir() if is_ours else ():
        is_file = place in heads and place.is_file() and not place.is_symlink()
        is_ours &= is_file and place.read_bytes().split(b"\n")[0].rstrip(b"\r") == heads[place]
    if os.path.lexists(folder) and not is_ours:
        fix = Command("mv {} {}", folder, f"{folder}.old", note="then again")
        raise file_foreign(f"{folder.name} is there already, and not clawgit's", fix=fix)


def _add_rules(repo: Repository, head: str | None) -> str | None:
    """Return the new .gitignore, None if it stays: rules are only added to one that is committed as it is."""
    committed = repository.blob_id(repo, head, IGNORE)
    if not os.path.lexists(repo.root / IGNORE) and committed is None:
        return _select_fitting_rules(repo.root)
    text = text_of(read_quietly(repo, IGNORE))
    is_staged = git_index.index_of(repo).blob(IGNORE) != committed
    if text is None or is_staged or repository.hash_blob(text.encode()) != committed:
        return None
    after = bootstrap.add_rules(text, _select_fitting_rules(repo.root), TITLE)
    return None if after == text else after


def _select_fitting_rules(root: Path) -> str:
    """Return our rules without those that would hide a file of somebody else."""
    rules = bootstrap.ignore_rules().splitlines(keepends=True)
    foreign = {f"/{name}" for name in changelog.NAMES if not is_free(root, name)}
    return "".join(rule for rule in rules if rule.strip() not in foreign)


def _refuse_damage(workspace: Workspace, progress: Progress) -> None:
    """Raise ClawgitError if objects of HEAD are missing or unreadable: nothing is written then."""
    head = workspace.head
    damages = list(repository_health.damaged(workspace.repo, head, progress)) if head else []
    if not damages:
        return
    first, remainder = damages[0], f"; and {len(damages) - 1:,} more" if damages[1:] else ""
    raise object_missing(f"of HEAD, {first.path or 'its tree'} ({first.oid}) {first.why}{remainder}", fix=first.fix)


def adopt(path: Path, *, minimal: bool = False, attended: bool = True) -> Adopted:
    """Commit the uncommitted files, and add clawgit's own.

    No existing file is changed, but for .gitignore, which gets rules at its end; with `minimal` not even that, and
    nothing is added but `.clawgit/`. `attended`: the operator is at the terminal. Raises ClawgitError, with everything
    as it was, when it cannot be done.
    """
    refuse_stranger(path)
    root = path.resolve()
    fresh = not os.path.lexists(root / ".git")
    had_room = not fresh and (repository.find(root).commondir / "clawgit").exists()
    try:
        if fresh:
            repository.create(root, _BRANCH)
        adoption = look(root, minimal=minimal)
        if adoption.managed or adoption.workspace is None:
            return adoption
        adoption.workspace.attended = attended
        if adoption.refusal:
            raise adoption.refusal
        workspace = adoption.workspace
        commit, views, notes = bootstrap.begin(
            workspace, adoption.additions, adoption.captured, adoption.held, SUBJECT, has_views=not minimal
        )
        if commit is None:
            return look(root)  # an adoption that was interrupted has just been finished
        with contextlib.suppress(ClawgitError):
            history_secrets.scan(workspace.repo, workspace.store, history_secrets.ALL_SECONDS)
        return replace(adoption, commit=commit, views=views, notes=notes)
    except BaseException:
        if fresh:
            shutil.rmtree(root / ".git", ignore_errors=True)
        elif not had_room:
            repo = repository.find(root)
            if pending_work.announced(repo) is None and not references.ours(repo):  # else it waits to be finished
                shutil.rmtree(repo.commondir / "clawgit", ignore_errors=True)
        raise


def _find_commit_refusal(workspace: Workspace, adoption: Adopted) -> ClawgitError | None:
    """Return the obstacle to the commits, before the repository gets a folder of ours."""
    repo = workspace.repo
    paths = (*adoption.additions, *adoption.captured)
    obstacle = workspace.head and git_state.find_obstacle(repo, repository.branch(repo) or workspace.branch, paths)
    if obstacle:
        return ClawgitError(obstacle.key, obstacle.message, fix=obstacle.fix)
    for path, data in adoption.additions.items():
        try:
            git_filters.refuse(repo, path, data)
        except ClawgitError as exc:
            return exc
    return None


_PATIENCE = 10.0


class Farewell(Struct, frozen=True):
    """The removals of an eject.

    `files` get these bytes (None: no file); they are unchanged since we added them, or ours alone. `kept` are ours, but
    changed by others. `views` are rendered files, `references` ours. Other managed working trees of the repository, the
    `neighbours`, share inbox, approvals, references and hooks: these stay. `waiting` are the lines of edits that are in
    no commit, each behind its file: the commit of the eject quotes them.
    """

    files: Mapping[str, bytes | None]
    kept: tuple[str, ...]
    views: tuple[Path, ...]
    references: tuple[str, ...]
    neighbours: tuple[Path, ...] = ()
    waiting: tuple[str, ...] = ()


def farewell(workspace: Workspace) -> Farewell:
    """Return the removals of an eject; touches nothing. Raises ClawgitError for an unmanaged folder."""
    repo, head = workspace.repo, workspace.head
    neighbours = tuple(_list_neighbours(workspace))
    ours = () if neighbours else references.ours(repo)
    birth = next(births(repo), None) if workspace.managed else None
    if birth is None:
        if not ours and not (repo.commondir / "clawgit").exists():
            fix = Command("clawgit adopt {}", workspace.root, note="the way in")
            raise not_managed(f"{workspace.root} is not managed by clawgit: there is nothing to give back", fix=fix)
        return Farewell({}, (), (), ours, neighbours)  # of an ejection that was interrupted
    parent = next(iter(birth.parents), None)
    additions = [
        path
        for path in (*bootstrap.records(), *bootstrap.folders())
        if repository.blob_id(repo, head, path) and repository.blob_id(repo, birth.id, path)
        if not repository.blob_id(repo, parent, path)
    ]
    untouched = [path for path in additions if read_quietly(repo, path) == repository.read(repo, birth.id, path)]
    ours_in_head = (path for path in repository.files(repo, head or "") if path.startswith(file_roles.OURS))
    tracked = [path for path in ours_in_head if not repository.blob_id(repo, parent, path)]
    files: dict[str, bytes | None] = dict.fromkeys([file_roles.FORMAT, *tracked])
    files |= dict.fromkeys(untouched)
    files |= _remove_rules(workspace, birth, parent)
    leftovers = tuple(path for path in additions if path not in untouched)
    rendered = tuple(place for name in changelog.VIEWS if changelog.ours(place := workspace.root / name))
    return Farewell(files, leftovers, rendered, ours, neighbours, tuple(_list_waiting_lines(workspace)))


def _remove_rules(workspace: Workspace, birth: Commit, parent: Oid | None) -> dict[str, bytes | None]:
    """Return .gitignore without our rules, no file if all of it was ours; nothing if it may stay."""
    before, after = (repository.read(workspace.repo, commit, IGNORE) for commit in (parent, birth.id))
    now = read_quietly(workspace.repo, IGNORE) if before != after else None
    if now is None or after is None:
        return {}
    if now == after:
        return {IGNORE: before}
    try:
        back = revert((before or b"").decode(), after.decode(), now.decode())
    except UnicodeDecodeError:
        return {}
    return {} if back.conflicts or back.text.encode() == now else {IGNORE: back.text.encode()}


def eject(workspace: Workspace, removals: Farewell, leave: Callable[[], object] = lambda: None) -> Oid | None:
    """Remove everything in `removals`, in one commit on top, and all data beside the branch; return the commit.

    Edits of others in these files are captured first. `leave` is called once that commit is made, and removes the
    additions of higher packages. Raises ClawgitError, with nothing removed, when git or somebody else is in the middle
    of something.
    """
    # This note tells an eject of ours, even a killed one, from one that came with a pull.
    local_notes.save_local_note(workspace.repo, local_notes.LEAVING, value=True)

    def plan(snapshot: Snapshot) -> Plan:  # asks nothing of CONFIG.md: whoever leaves need not put that right first
        reason = "\n".join(("Edits that waited, and are in no commit:", *removals.waiting)) if removals.waiting else ""
        message = commit_message.Message(file_roles.EJECTED, reason)
        return capture.plan_with(workspace, snapshot, snapshot.disk, removals.files, message, workspace.clock())

    commit = workspace.last_commit(plan, removals.files).commits[-1] if removals.files else None
    workspace.close()
    for view in removals.views:
        view.unlink(missing_ok=True)
    parents = {folder for path in removals.files for folder in (workspace.root / path).parents}
    folders = [folder for folder in parents if workspace.root in folder.parents]
    # The deepest come first, since rmdir takes empty folders only.
    for folder in sorted(folders, key=lambda folder: -len(folder.parts)):
        with contextlib.suppress(OSError):  # somebody else's file lies there
            folder.rmdir()
    leave()
    _forget(workspace, is_shared=bool(removals.neighbours))
    return commit


def _forget(workspace: Workspace, *, is_shared: bool) -> None:
    """Drop our references and folders once nobody's edit waits in them; of a shared repository those of this tree."""
    repo, deadline = workspace.repo, time.monotonic() + _PATIENCE
    approvals = workspace.trusted.folder  # found while the id is there by which it may be known
    with locks.repository_lock(repo, deadline):
        while any((repo.room / "displaced").glob("*")):
            recovery.recover(repo, merge_forward, deadline)
            if time.monotonic() > deadline:
                raise file_open("a replaced file is still being written", fix=Advice("clawgit eject, once more"))
            time.sleep(landing.LATE_SECONDS)
        for words, fix in pending_work.rejected(repo):
            raise eject_outdated(words, fix=Advice(f"{fix}   # then: clawgit eject, once more"))
        if is_shared:
            if repo.linked:
                _remove_watched_folder(repo.room, deadline)
            return
        references.drop_ours(repo)
        for folder in {repo.room, repo.commondir / "clawgit"}:
            _remove_watched_folder(folder, deadline)
    shutil.rmtree(approvals, ignore_errors=True)


def _list_waiting_lines(workspace: Workspace) -> Iterator[str]:
    """Yield the lines of edits that were taken off the disk and wait, each behind its file."""
    for name in [item.id for item in inbox.list_items(workspace, "identity", "quarantine")]:
        item = inbox.find_item(workspace, name)
        for path, (before, after) in item.texts.items() if item.kind == "quarantine" or item.agent == CAPTURE else ():
            old_lines = {*(before or "").splitlines()}
            lines = (line for line in (after or "").splitlines() if line.strip() and line not in old_lines)
            yield from (f"{path}: {redacted(line)}" for line in lines)


def _list_neighbours(workspace: Workspace) -> Iterator[Path]:
    """Yield the other working trees of the repository that clawgit manages."""
    for checkout in repository.list_checkouts(workspace.repo):
        is_other = checkout.root.exists() and not checkout.root.samefile(workspace.root)
        if is_other and repository.blob_id(workspace.repo, checkout.head, file_roles.FORMAT):
            yield checkout.root


def _remove_watched_folder(folder: Path, deadline: float) -> None:
    """Remove a folder in which a watcher still opens and closes its database. Raises OSError, at the deadline."""
    while folder.exists() and time.monotonic() < deadline:
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(landing.LATE_SECONDS)
    if folder.exists():
        shutil.rmtree(folder)
