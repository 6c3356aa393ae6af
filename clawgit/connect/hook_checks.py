"""Checks of the additions of a commit or a push."""

import os
import time
from collections.abc import Container, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, Fix
from clawgit.git import churn, history, repository, worktree_files
from clawgit.git.churn import Touch
from clawgit.git.git_command import git
from clawgit.git.git_state import operation_under_way
from clawgit.git.repository import Oid, Repository
from clawgit.store.database import StateStore
from clawgit.workspace import outgoing_secrets, settings
from clawgit.workspace.approvals import TrustStore
from clawgit.workspace.outgoing_secrets import Leaked, additions


class Problem(Struct, frozen=True):
    """Something that is better not committed, and a fix; a `refused` one stops the commit."""

    message: str
    fix: Fix
    refused: bool = False


def problems(repo: Repository, index: Path | None) -> Iterator[Problem]:
    """Yield the problems of the Markdown that `index` (None: git's own) adds to HEAD.

    A secret in history, or an allowed one, is no problem; any other stops the commit, since history cannot be changed
    without rewriting it. A change to the identity against soul_policy is refused, unless git is in the middle of
    something: then it is reverted afterwards.
    """
    staged = tuple(churn.staged(repo, index, "*.md"))
    identity = [touch for touch in staged if file_roles.is_identity(touch.path)]
    if identity:
        yield from staged_problems(repo, identity)
    brought = [(pairs, tuple(pairs.secrets())) for pairs in map(additions, staged)]
    fingerprints: tuple[Container[str], ...] = ()
    if any(leaks for _, leaks in brought):  # those that are allowed, or in history already, are no news
        fingerprints = outgoing_secrets.fingerprints(repo), Leaked(repo, StateStore(repo.commondir / "clawgit"))
    for addition, leaks in brought:
        for number, leak in leaks:
            if not any(leak.fingerprint in names for names in fingerprints):
                words = f"{addition.path}:{number} holds a secret ({leak.rule}, {leak.fingerprint})"
                other = "if it is none; else take it out, and git add again"
                allow = Command("clawgit hooks allow {}", leak.fingerprint, note=other)
                yield Problem(words, allow, refused=True)


_POLICY = "soul_policy"


def staged_problems(repo: Repository, staged: Sequence[Touch]) -> Iterator[Problem]:
    """Yield the staged identity files that soul_policy refuses.

    They are not graded: the message would go to the author of the commit, which is the agent as a rule; the next
    capture informs the operator. Every commit to the identity waits for this, so libgit2 is not loaded, and without a
    policy in the settings, neither is its reader.
    """
    pinned = TrustStore(repo.commondir, os.environ).folder / "trust.json"
    is_named = settings.may_contain(pinned, f'"{_POLICY}"')  # its texts have no bare quotes
    if settings.is_unset(repo.root, _POLICY) and not is_named:
        return
    from clawgit.git.git_command import blobs  # noqa: PLC0415
    from clawgit.workspace import identity_policy  # noqa: PLC0415
    from clawgit.workspace.workspace_base import WorkspaceBase  # noqa: PLC0415

    workspace = WorkspaceBase(repo)
    policy = workspace.config.soul_policy
    if policy == "evolve":  # the next capture knows whose edit it is
        return
    texts = blobs(repo.root, [oid for touch in staged for oid in (touch.before, touch.after) if oid])
    before = {touch.path: texts[touch.before] if touch.before else None for touch in staged}
    after = {touch.path: texts[touch.after] if touch.after else None for touch in staged}
    is_refused = operation_under_way(repo) is None
    fix = Command("clawgit trust", note="and commit again; or: git commit --no-verify")
    for path in identity_policy.list_refused(workspace, after, before):
        words = f"{path} is not as it was approved, and soul_policy is {policy}"
        yield Problem(words, fix, is_refused)


_WATCHED = (":(top)*.md", ":(top).clawgit/*")
_TRIES, _PAUSE = 40, 0.025


def put_right(repo: Repository, index: Path) -> tuple[str, ...]:
    """Put the entries of `index` right that git read before a commit of ours; return their paths.

    For `git commit` that is git's own index, which is not locked while the hook runs; for `git commit -a` it is the
    lock itself, which git reads once more after the hook. Meant for the hook: nothing else may be under way.
    """
    differing = []
    for path, staged in _differing(repo, index):
        last = next(history.walk_log(repo, path, limit=1, named=False), None)
        if last and (last.ours or "\nClawgit-Change: " in last.message):  # else somebody has decided about it since
            differing.append((path, staged))
    if not differing or operation_under_way(repo) is not None:
        return ()
    from clawgit.git import git_state  # noqa: PLC0415 - loads libgit2
    from clawgit.git.git_index import set_entries  # noqa: PLC0415

    head = repository.head(repo)
    stale = [path for path, staged in differing if head and git_state.is_stale(repo, head, path, staged)]
    blobs = {path: repository.blob_id(repo, head, path) for path in stale}
    for attempt in range(_TRIES if blobs else 0):
        try:
            set_entries(repo, index, blobs)
            break
        except ClawgitError:
            if attempt == _TRIES - 1:
                raise
            time.sleep(_PAUSE)  # somebody holds the lock
    return tuple(stale)


def _differing(repo: Repository, index: Path) -> Iterator[tuple[str, Oid | None]]:
    """Yield the files whose entry is neither HEAD's nor that on disk, with the staged blob."""
    arguments = ("diff", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--", *_WATCHED)
    fields = git(repo.root, *arguments, index=index, literal=False).split(b"\0")
    for about, name in zip(fields[::2], fields[1::2], strict=False):
        path, oid = os.fsdecode(name), about.split()[3].decode()
        try:
            file = worktree_files.read_worktree_file(repo, path)
        except ClawgitError:
            continue
        staged = oid if oid.strip("0") else None
        if staged != (repository.hash_blob(file.data) if file else None):
            yield path, staged
