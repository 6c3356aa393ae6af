"""Checks of the repository behind a workspace."""

import time
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from functools import partial

from clawgit.errors import Advice, ClawgitError, Command, index_missing, quoted, repository_elsewhere
from clawgit.git import (
    difference,
    foreign_programs,
    git_leftovers,
    git_state,
    history,
    locks,
    pending_work,
    recovery,
    repository,
    repository_health,
)
from clawgit.workspace import clock, file_roles
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.doctor_runner import Check, Finding
from clawgit.workspace.text_merges import merge_forward
from clawgit.workspace.trust import history_cut
from clawgit.workspace.workspace import Workspace

_PATIENCE = 10.0
_LOSS_REPORTED = timedelta(days=14)


def git() -> Check:
    """Return the check that needs no workspace: whether git is there, and not too old."""
    return Check("git", lambda: [Finding("git-version", f"version {repository_health.require_git()}", ok=True)], "")


def missing(error: ClawgitError) -> Check:
    """Return the check of a folder that is no repository, for this reason."""
    return Check("repository", lambda: [Finding(error.key, error.message, error.fix)], "")


def checks(workspace: Workspace) -> tuple[Check, ...]:
    """Return the checks, those first that others build upon."""

    def check(name: str, look: Callable[[Workspace], Iterable[Finding]], fine: str) -> Check:
        return Check(name, lambda: look(workspace), fine, "" if look is _opens else "repository")

    return (
        check("repository", _opens, ""),
        check("managed", _managed, "every change is clawgit's to write"),
        check("branch", _branch, "HEAD is where changes go, and no operation of git is under way"),
        check("interrupted writes", _interrupted, "none"),
        check("state", _state, "nothing of it was lost in the last two weeks"),
        check("index", _index, "it agrees with HEAD"),
        check("history", _history, "all of it is here"),
        check("identity", _identity, ""),
        check("clock", _clock, "it agrees with the newest commit, and did not jump"),
        check("nested repositories", _nested, "none"),
        check("programs", _programs, "the repository's own configuration names none"),
    )


def _clock(workspace: Workspace) -> Iterator[Finding]:
    found = clock.doubt(workspace) if workspace.managed else None
    if found:
        yield Finding(found.key, found.message, found.fix)


def _opens(workspace: Workspace) -> Iterator[Finding]:
    repo = workspace.repo
    head = repository.head(repo)  # opens it
    for one in repository_health.damaged(repo, head, lambda _done, _of: None) if head else ():
        words = f"{one.path or 'the tree of HEAD'} ({one.oid}) {one.why}"
        if one.path.endswith("/") or not one.path:
            raise repository_elsewhere(words, fix=one.fix)
        yield Finding("object-missing", words, one.fix)
    kind = "a linked working tree" if repo.linked else "a repository"
    yield Finding(
        "repository-found", f"{workspace.root} is {kind}, {'at ' + head[:10] if head else 'without a commit'}", ok=True
    )


def _managed(workspace: Workspace) -> Iterator[Finding]:
    workspace.require_managed()
    yield from ()


def _branch(workspace: Workspace) -> Iterator[Finding]:
    branch = workspace.branch
    obstacle = git_state.standing_obstacle(workspace.repo, branch)
    if obstacle and obstacle.lock:
        place = obstacle.lock
        yield Finding(obstacle.key, obstacle.message, repair=lambda: git_leftovers.remove_left(workspace.repo, place))
    elif obstacle:
        yield Finding(obstacle.key, obstacle.message, obstacle.fix)


def _interrupted(workspace: Workspace) -> Iterator[Finding]:
    def finish() -> None:
        deadline = time.monotonic() + _PATIENCE
        with locks.repository_lock(workspace.repo, deadline):
            recovery.recover(workspace.repo, merge_forward, deadline)

    for words, fix in pending_work.rejected(workspace.repo):
        yield Finding("redo-log-rejected", words, fix)
    if repository_health.interrupted(workspace.repo):
        yield Finding("write-interrupted", "a write was interrupted; nothing of it is lost", repair=finish)
    for place in (workspace.repo.commondir / "refs/clawgit").rglob("*.lock"):
        since = git_leftovers.modified(place)
        if since is not None and time.time() - since > git_leftovers.LEFT_SECONDS:
            yield Finding(
                "leftover", f"{place} was left behind", repair=partial(git_leftovers.remove_left, workspace.repo, place)
            )


def _state(workspace: Workspace) -> Iterator[Finding]:
    lost = workspace.store.read_loss()
    if lost is None or workspace.now() - lost.moment > _LOSS_REPORTED:
        return
    if lost.gaps is None:
        rest = "decisions.log was gone as well: what waited in the inbox, and what was decided, is not known"
    elif lost.gaps:
        rest = f"the inbox came back from decisions.log, which has gaps: {lost.gaps:,}"
    else:
        rest = "the inbox and every decision are back; runs, recalls and conversations are not"
    words = f"state.db was lost or damaged, and made anew at {lost.moment:%Y-%m-%d %H:%M} UTC: {rest}"
    advice = "clawgit state import FILE   # if there is a file of clawgit state export"
    yield Finding("state-rebuilt", words, Advice(f"{advice}; clawgit session import reads conversations again"))


def _index(workspace: Workspace) -> Iterator[Finding]:
    if not (workspace.repo.gitdir / "index").exists() and workspace.head is not None:
        raise index_missing("no git index", fix=Command("git reset", note="makes it anew, and touches no file"))
    stale = git_state.stale_entries(workspace.repo)
    for path in stale:
        yield Finding(
            "index-outdated",
            f"{path}: git's index holds an older version than HEAD; the next commit would take the newer one back",
            repair=lambda: git_state.put_right(workspace.repo, stale),
        )


def _history(workspace: Workspace) -> Iterator[Finding]:
    repo = workspace.repo
    repository.head(repo)
    if history.cut_off(repo):
        words = "the clone is shallow: what happened before is not known here"
        yield Finding("repository-shallow", words, Command("git fetch --unshallow"))
    yield from (Finding(one.key, one.message, one.fix) for one in history_cut.find_rewritten(repo))
    for remote in repository_health.promisors(repo):
        message = f"the clone is partial: old contents are fetched from {remote} when they are asked for"
        yield Finding("repository-partial", message, Command("git fetch --refetch --no-filter {}", remote))
    hidden = repository_health.left_out(repo)
    ours = [path for path in hidden if file_roles.captured(path)]
    if ours:
        yield Finding("sparse-checkout", f"not checked out: {list_names(ours)}", Command("git sparse-checkout disable"))
    elif hidden:
        yield Finding("sparse-checkout", f"not checked out: {len(hidden)} files, none of the workspace's own", ok=True)


def _identity(workspace: Workspace) -> Iterator[Finding]:
    known = repository.identity(workspace.repo)
    said = f"{known[0]} <{known[1]}>" if known else "git has none for you, and needs none: you are “operator”"
    yield Finding("git-identity", said, ok=True)


_OURS = "merge.clawgit.driver"
"""That is clawgit itself, for others' merges."""


def _programs(workspace: Workspace) -> Iterator[Finding]:
    unsure = difference.unknown(workspace.repo)
    for name in sorted(foreign_programs.filters_off(workspace.root)):
        told = f"; whether {list_names(unsure)} changed is unknown" if unsure else ""
        yield Finding("git-filter", f"filter.{name} is set by the repository, and off{told}", Command("clawgit trust"))
    if never := [key for key in foreign_programs.never_run(workspace.root) if key != _OURS]:
        yield Finding("git-filter", f"never run for clawgit, whatever they say: {list_names(never)}", ok=True)


def _nested(workspace: Workspace) -> Iterator[Finding]:
    inside = list(repository_health.nested(workspace.repo))
    for path in (path for path in inside if file_roles.captured(f"{path}/x.md")):
        fix = Advice(f"move its files out of it, then: rm -r {quoted(f'{path}/.git')}")
        yield Finding("path-submodule", f"{path} is a repository of its own: nothing in it is kept here", fix)
    others = [path for path in inside if not file_roles.captured(f"{path}/x.md")]
    if others:
        yield Finding("path-submodule", f"{list_names(others)}: left alone", ok=True)
