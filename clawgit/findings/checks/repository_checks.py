"""Checks of the repository behind a workspace, and of writing."""

import os
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from itertools import islice
from pathlib import Path

from clawgit import clock, file_roles
from clawgit.errors import (
    Advice,
    ClawgitError,
    Command,
    file_unwritable,
    history_rewritten,
    index_missing,
    quote_shell,
    repository_elsewhere,
)
from clawgit.findings.registry import Check, CheckInput, Finding, Level
from clawgit.git import (
    difference,
    git_state,
    history,
    locks,
    pending_work,
    recovery,
    references,
    regular_file,
    repository,
    repository_health,
    worktree_files,
)
from clawgit.git.repository import Repository
from clawgit.sync.control_files import list_names_left_out
from clawgit.workspace import entries, trust_review, workspace_base
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.file_contents import PLACES
from clawgit.workspace.merge_rules import merge_forward

_LOSS_REPORTED = timedelta(days=14)
MAX_FOREIGN_FILES = 20


def check_git(_ground: CheckInput | None = None) -> Iterator[Finding]:
    """Yield the version of git. Raises ClawgitError if there is none, or one too old."""
    yield Finding("git-version", f"version {repository_health.require_git()}", level="notice")


def check_clock(ground: CheckInput) -> Iterator[Finding]:
    """Yield that the clock of this machine may be wrong."""
    doubt = (
        clock.find_clock_fault(ground.workspace.repo, ground.workspace.clock()) if ground.workspace.managed else None
    )
    if doubt:
        yield Finding(doubt.key, doubt.message, doubt.fix)


def check_repository(ground: CheckInput) -> Iterator[Finding]:
    """Yield the place of the repository, and the damaged objects of HEAD."""
    workspace, repo = ground.workspace, ground.workspace.repo
    head = repository.head(repo)  # opens it
    for damage in repository_health.list_damaged(repo, head, lambda _count, _total: None) if head else ():
        words = f"{damage.path or 'the tree of HEAD'} ({damage.oid}) {damage.why}"
        if damage.path.endswith("/") or not damage.path:
            raise repository_elsewhere(words, fix=damage.fix)
        yield Finding("object-missing", words, damage.fix)
    kind = "a linked working tree" if repo.linked else "a repository"
    place = f"{workspace.root} is {kind}, {'at ' + head[:10] if head else 'without a commit'}"
    yield Finding("repository-found", place, level="notice")


def check_state(ground: CheckInput) -> Iterator[Finding]:
    """Yield that state.db was lost lately, and the restored part."""
    loss = ground.workspace.store.read_loss()
    if loss is None or ground.workspace.now() - loss.moment > _LOSS_REPORTED:
        return
    rest = "what decisions.log has of the inbox is back; runs, recalls and conversations are not"
    if not loss.log:
        rest = "decisions.log was gone as well: what waited in the inbox, and what was decided, is not known"
    words = f"state.db was lost or damaged, and made anew at {loss.moment:%Y-%m-%d %H:%M} UTC: {rest}"
    advice = "clawgit state import FILE   # if there is a file of clawgit state export"
    yield Finding("state-rebuilt", words, Advice(f"{advice}; clawgit session import reads conversations again"))


def check_index(ground: CheckInput) -> Iterator[Finding]:
    """Yield entries of git's index that are older than HEAD: a commit would take the newer version back."""
    repo = ground.workspace.repo
    if not (repo.gitdir / "index").exists() and ground.workspace.head is not None:
        raise index_missing("no git index", fix=Command("git reset", note="makes it anew, and touches no file"))
    stale = git_state.stale_entries(repo)
    for path in stale:
        yield Finding(
            "index-outdated",
            f"{path}: git's index holds an older version than HEAD; the next commit would take the newer one back",
            paths=(path,),
            repair=lambda: git_state.put_right(repo, stale),
        )


def check_cuts(ground: CheckInput) -> Iterator[Finding]:
    """Yield histories of other machines that were written anew, and one that was begun anew, or cut off, here."""
    workspace = ground.workspace
    since = (workspace.clock() - _LOSS_REPORTED).timestamp()
    if cut := workspace_base.find_cut(workspace.repo, workspace.store, since):
        words = f"HEAD does not go on from {cut[:10]}, where it was: history was begun anew, or its end cut off"
        fix = Command("git branch before-the-cut {}", cut, note=f"keeps it; first: git log HEAD..{cut}")
        yield Finding(history_rewritten.name, words, fix)
    for rewrite in trust_review.find_rewritten(ground.workspace.repo):
        yield Finding(rewrite.key, rewrite.message, rewrite.fix)


def check_history(ground: CheckInput) -> Iterator[Finding]:
    """Yield the missing parts of history, and of the files that git knows."""
    repo = ground.workspace.repo
    repository.head(repo)
    if history.cut_off(repo):
        words = "the clone is shallow: what happened before is not known here"
        yield Finding("repository-shallow", words, Command("git fetch --unshallow"))
    for remote in repository_health.promisors(repo):
        message = f"the clone is partial: old contents are fetched from {remote} when they are asked for"
        yield Finding("repository-partial", message, Command("git fetch --refetch --no-filter {}", remote))
    ours = [path for path in repository_health.list_left_out(repo) if file_roles.is_captured(path)]
    if ours:
        yield Finding("sparse-checkout", f"not checked out: {list_names(ours)}", Command("git sparse-checkout disable"))


def check_programs(ground: CheckInput) -> Iterator[Finding]:
    """Yield the unknowns while filters are off."""
    if unsure := difference.list_unknown(ground.workspace.repo):
        words = f"whether {list_names(unsure)} changed is unknown: a filter of the repository's own is off"
        yield Finding("git-filter", words, Command("clawgit status", note="names the filter, and its way out"))


def check_nested(ground: CheckInput) -> Iterator[Finding]:
    """Yield repositories inside the workspace: nothing in them is kept here."""
    inside = repository_health.list_nested_repositories(ground.workspace.repo)
    for path in (path for path in inside if file_roles.is_captured(f"{path}/x.md")):
        fix = Advice(f"move its files out of it, then: rm -r {quote_shell(f'{path}/.git')}")
        yield Finding("path-submodule", f"{path} is a repository of its own: nothing in it is kept here", fix)


def check_machines(ground: CheckInput) -> Iterator[Finding]:
    """Yield machines that do not share the branch, and files of theirs that are left out for their names."""
    repo, head = ground.workspace.repo, ground.workspace.head
    mirrored = (
        references.target(repo, name)
        for name in references.list_our_references(repo)
        if name.startswith(trust_review.MIRROR)
    )
    for error in list_names_left_out(repo, head, filter(None, mirrored)).values() if head else ():
        yield _to_finding(error, "warning")


GIT = Check("git", check_git)
REPOSITORY = Check("repository", check_repository)
CHECKS = (
    Check("state", check_state, "nothing of it was lost in the last two weeks", "repository"),
    Check("index", check_index, "it agrees with HEAD", "repository"),
    Check("history cuts", check_cuts, "it goes on from the last look", "repository", quick=True),
    Check("history", check_history, "all of it is here", "repository"),
    Check("clock", check_clock, "it agrees with the newest commit, and did not jump", "repository"),
    Check("nested repositories", check_nested, "none", "repository"),
    Check("programs", check_programs, "no file is unknown for want of a filter", "repository", quick=True),
    Check("other machines", check_machines, "all share the branch", "repository"),
)


_PATIENCE_SECONDS, _REPAIR_SECONDS = 2.0, 10.0


def _to_finding(error: ClawgitError, level: Level = "alarm") -> Finding:
    return Finding(error.key, error.message, error.fix, level, error.paths)


def _alarm_on_error(act: Callable[[], object]) -> Iterator[Finding]:
    """Yield the error of an act as an alarm."""
    try:
        act()
    except ClawgitError as exc:
        yield _to_finding(exc)


def check_managed(ground: CheckInput) -> Iterator[Finding]:
    """Yield that nothing is written here, as the folder is not managed."""
    yield from _alarm_on_error(ground.workspace.require_managed)


def check_branch(ground: CheckInput) -> Iterator[Finding]:
    """Yield git's present operation: nothing is written meanwhile."""
    repo, branch = ground.workspace.repo, ground.workspace.branch
    obstacle = git_state.find_write_obstacle(repo, branch)
    if obstacle:
        repair = partial(git_state.remove_left, repo, obstacle.lock) if obstacle.lock else None
        yield Finding(obstacle.key, obstacle.message, obstacle.fix, "alarm", repair=repair)
    else:
        find_lock = partial(git_state.find_live_lock, repo, branch)
        yield from _alarm_on_error(partial(git_state.wait_for_rest, find_lock, time.monotonic() + _PATIENCE_SECONDS))


def check_interrupted(ground: CheckInput) -> Iterator[Finding]:
    """Yield writes that were interrupted, and the obstacles to finishing them."""
    repo = ground.workspace.repo
    rejects = list(pending_work.list_rejected(repo))
    yield from (Finding("redo-log-rejected", words, fix, "alarm") for words, fix in rejects)
    if repository_health.has_interrupted_write(repo):
        words = "a write was interrupted; nothing of it is lost"
        yield Finding("write-interrupted", words, level="alarm", repair=partial(_finish_write, repo))
    yield from _alarm_on_error(partial(locks.require_whole_purge, repo))
    for place in (repo.commondir / "refs/clawgit").rglob("*.lock"):
        since = git_state.modified(place)
        if since is not None and time.time() - since > git_state.LEFT_SECONDS:
            repair = partial(git_state.remove_left, repo, place)
            yield Finding("leftover", f"{place} was left behind", repair=repair)


def _finish_write(repo: Repository) -> None:
    deadline = time.monotonic() + _REPAIR_SECONDS
    with locks.repository_lock(repo, deadline):
        recovery.recover(repo, merge_forward, deadline)


def check_permissions(ground: CheckInput) -> Iterator[Finding]:
    """Yield the folders and files that clawgit may not write to, as far as it can be seen without touching anything."""
    workspace, repo = ground.workspace, ground.workspace.repo
    if workspace.head is None:
        return
    yield from _alarm_on_error(partial(locks.require_free, repo, time.monotonic() + _PATIENCE_SECONDS))
    names = ("", "objects", "refs", "refs/heads", "clawgit", "clawgit/displaced", "clawgit/state")
    for place in filter(Path.exists, (repo.commondir / name for name in names)):
        yield from _alarm_on_error(partial(_refuse_folder, place))
    yield from _alarm_on_error(partial(recovery.refuse_fixed_files, repo, workspace.branch))
    rewritten = (workspace.memory_file, entries.PATH)
    for path in rewritten:
        yield from _alarm_on_error(partial(worktree_files.refuse_protected, repo, path, replacing=True))
    for place in (place for pattern in PLACES for place in repo.root.glob(pattern)):
        path = place.relative_to(repo.root).as_posix()
        if path not in rewritten and not (os.access(place, os.W_OK) and os.access(place.parent, os.W_OK)):
            yield from _alarm_on_error(partial(worktree_files.refuse_protected, repo, path, replacing=False))
        if place.lstat().st_size > regular_file.limit_of(path):
            yield from _alarm_on_error(partial(worktree_files.read_worktree_file, repo, path))


def _refuse_folder(place: Path) -> None:
    """Raise ClawgitError for a folder that may not be written to, or is on a full disk."""
    if not (place.is_dir() and os.access(place, os.W_OK)):
        way_out = worktree_files.way_to_write(place) if place.is_dir() else regular_file.rename_aside(place)
        raise file_unwritable(f"{place} cannot be written", fix=way_out)
    worktree_files.refuse_full(place)


def check_ownership(ground: CheckInput) -> Iterator[Finding]:
    """Yield files of root in the repository of another user, and memory there with write access for root alone."""
    commondir, root = ground.workspace.repo.commondir, ground.workspace.root
    owned = [
        (place, commondir, folder_status)
        for place, _, folder_status in islice(regular_file.list_owned_by_root(commondir), 1)
    ]
    files = [root / path for path in ground.paths if file_roles.is_memory_or_settings(path)]
    for place in sorted({place for file in files for place in (file, *file.parents) if root in place.parents}):
        status, folder_status = place.lstat(), place.parent.stat()
        if status.st_uid == 0 and folder_status.st_uid and not status.st_mode & 0o022:
            owned.append((place, place, folder_status))
    for place, top, folder_status in owned[:MAX_FOREIGN_FILES]:
        owner = f"{folder_status.st_uid}:{folder_status.st_gid}"
        fix = Command(f"chown -R --from=root {owner} {{}}", top, note="as root")
        yield Finding("file-foreign", f"{place} is root's: whose folder it is in cannot write there", fix)


WRITING = (
    Check("managed", check_managed, "every change is clawgit's to write", "repository", quick=True),
    Check(
        "branch",
        check_branch,
        "HEAD is where changes go, and no operation of git is under way",
        "repository",
        quick=True,
    ),
    Check("interrupted writes", check_interrupted, "none", "repository", quick=True),
    Check("permissions", check_permissions, "every file and folder can be written to", "managed", quick=True),
)
OWNERSHIP = Check("ownership", check_ownership, "every file of the repository is yours", "managed")
