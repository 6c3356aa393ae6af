"""Keeps what stale writers had written, beside the branch."""

import time

from clawgit.errors import ClawgitError, quoted
from clawgit.git import chain, references, repository
from clawgit.git.chain import NewCommit
from clawgit.git.lock import repository_lock
from clawgit.git.repository import Oid, Repository
from clawgit.workspace import message, scope
from clawgit.workspace.capture import AUTHOR
from clawgit.workspace.setting import Setting
from clawgit.workspace.taken import Taken

_PATIENCE = 10.0


def keep(setting: Setting, taken: Taken) -> tuple[str, ...]:
    """Keep each file as its stale writer wrote it, in a commit of its own; return how to see it.

    The branch gets the healed file at once, so that what was put back keeps its line in `git blame`.
    """
    written = _all_kept(setting, taken) if taken.written else ()
    before = (
        f"what {path} lacks: git diff {oid[:10]} -- {quoted(path)}"
        for path, found in taken.told.items()
        if found.missing and (oid := taken.as_of.get(path))
    )
    return (*written, *before)


def _all_kept(setting: Setting, taken: Taken) -> tuple[str, ...]:
    """Keep them now that the healed files have landed: before, a plan that is made once more would take them for older.

    Best effort: the change has landed, and the words are in git's object store in any case.
    """
    try:
        with repository_lock(setting.repo, time.monotonic() + _PATIENCE):
            return tuple(
                f"{path} as it was written: git show {quoted(f'{_kept(setting, path, data)[:10]}:{path}')}"
                for path, data in taken.written.items()
            )
    except (ClawgitError, OSError):
        return ()


def _kept(setting: Setting, path: str, data: bytes) -> Oid:
    repo: Repository = setting.repo
    tip = references.target(repo, scope.ORIGINALS)
    if tip and repository.read(repo, tip, path) == data:
        return tip
    words = message.render(message.Message(f"capture: {path} as it was written", "", (("Origin", "unknown"),)))
    (made,) = chain.build(repo, tip, [NewCommit(words, AUTHOR, setting.when, {path: data})])
    references.point(repo, scope.ORIGINALS, made)
    return made
