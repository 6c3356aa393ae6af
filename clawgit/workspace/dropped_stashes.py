"""Keeps what a stash held that was dropped."""

import contextlib
import time
from collections.abc import Iterable

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import regular_file, repository, stashes
from clawgit.git.repository import Oid, Repository
from clawgit.workspace import file_roles
from clawgit.workspace.workspace import Workspace

_MARK = "stashes.json"
_SLACK_SECONDS = 2.0  # of file systems that round times


class _Look(Struct, frozen=True):
    """When it was looked: the seconds since 1970, the time of change of `refs`, and what was in the list."""

    at: float
    refs: int
    listed: frozenset[Oid]


def look(workspace: Workspace) -> None:
    """Keep the versions of our files in stashes that were dropped since the last look, the first time none.

    A stash comes and goes in `refs`, so its time of change tells whether there is anything to look for. Best effort:
    what cannot be read is passed over, and not looked at again.
    """
    repo, mark = workspace.repo, workspace.state / _MARK
    with contextlib.suppress(OSError, ValueError, ClawgitError):
        refs = (repo.commondir / "refs").stat().st_mtime_ns
        before = regular_file.parse_state(mark, _Look)
        if before and before.refs == refs:
            return
        now = _Look(time.time(), refs, stashes.listed(repo))
        regular_file.save_state(mark, now)
        if before:
            dropped = {*(before.listed - now.listed)}
            dropped |= {one for one in stashes.born(repo, before.at - _SLACK_SECONDS) if one not in now.listed}
            _keep(repo, sorted(dropped), workspace.config.captured_globs)


def _keep(repo: Repository, dropped: Iterable[Oid], globs: Iterable[str]) -> None:
    from clawgit.workspace.seen_versions import Keeper  # noqa: PLC0415 - loads sqlite3; nobody drops one as a rule

    keeper = Keeper(repo)
    try:
        for stash in dropped:
            for path, commit in stashes.files(repo, stash):
                data = repository.read(repo, commit, path) if file_roles.captured(path, globs) else None
                if data is not None:
                    keeper.keep(path, data, time.time())
    finally:
        keeper.close()
