"""The versions of an identity file."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import commit_chain, history, references, repository, worktree_files
from clawgit.git.commit_chain import NewCommit
from clawgit.git.repository import Oid, Repository
from clawgit.text import tokens
from clawgit.workspace import commit_message, file_roles, write_guard
from clawgit.workspace.capture import AUTHOR
from clawgit.workspace.file_contents import decoded
from clawgit.workspace.workspace import Workspace


class Version(Struct, frozen=True):
    """One version: when it came, with which commit, how many tokens it takes (estimated)."""

    date: datetime
    commit: str
    tokens: int


def versions(workspace: Workspace, path: str = file_roles.SOUL, *, everything: bool = False) -> tuple[Version, ...]:
    """Return the versions of a file, newest first, thinned by the retention rule unless `everything` is wanted.

    Every version of the last `soul_history_retention_days`, before that the last of each month (spec §5.5). Nothing is
    ever pruned: the commits stay.
    """
    found = _all(workspace, path)
    wanted = found if everything else thinned(found, _limit(workspace))
    return tuple(Version(date, commit, _tokens(workspace, commit, path)) for date, commit in wanted)


def left_out(workspace: Workspace, path: str = file_roles.SOUL) -> int:
    """Return how many versions of a file the retention rule leaves out."""
    found = list(_all(workspace, path))
    return len(found) - len(list(thinned(found, _limit(workspace))))


def _limit(workspace: Workspace) -> datetime:
    now = workspace.now()
    return now - timedelta(days=min(workspace.config.value("soul_history_retention_days"), now.toordinal() - 1))


def thinned(found: Iterable[tuple[datetime, str]], limit: datetime) -> Iterator[tuple[datetime, str]]:
    """Yield the commits not older than `limit`, and of the others those that are the last of their month.

    They come newest first. Months are those of `limit`'s time zone.
    """
    months: set[tuple[int, int]] = set()
    for date, commit in found:
        local = date.astimezone(limit.tzinfo)
        month = (local.year, local.month)
        if date >= limit or month not in months:
            yield date, commit
        months.add(month)


def _all(workspace: Workspace, path: str) -> Iterable[tuple[datetime, str]]:
    """Return when each version of a file came, and with which commit, newest first; imported snapshots among them."""
    found = _since(workspace, path, "HEAD")
    if path != file_roles.SOUL or repository.resolve(workspace.repo, file_roles.SOUL_HISTORY) is None:
        return found
    return sorted((*found, *_since(workspace, path, file_roles.SOUL_HISTORY)), reverse=True)


def _since(workspace: Workspace, path: str, start: str) -> Iterator[tuple[datetime, str]]:
    for found in history.log(workspace.repo, path, start=start, named=False):
        if repository.blob_id(workspace.repo, found.id, path) is not None:
            yield found.date, found.id


def _tokens(workspace: Workspace, commit: str, path: str) -> int:
    return tokens.count((repository.read(workspace.repo, commit, path) or b"").decode("utf-8", "replace"))


FOLDER = "SOUL_HISTORY"

_DAY = re.compile(r"(?<!\d)(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?!\d)")
_CLOCK = re.compile(r"[T_ -]+(\d{2})[-:.h]?(\d{2})(?:[-:.]?(\d{2}))?(?!\d)")


class Snapshot(Struct, frozen=True):
    """One file of SOUL_HISTORY/, and the moment that its name tells (UTC, midnight where it tells no time)."""

    path: str
    when: datetime


def snapshots(root: Path) -> tuple[Snapshot, ...]:
    """Return the snapshots whose names tell their day, oldest first; the others cannot be put in order."""
    folder = root / FOLDER
    if not folder.is_dir() or folder.is_symlink():
        return ()
    found = (
        Snapshot(place.relative_to(root).as_posix(), when)
        for place in folder.rglob("*.md")
        if (when := moment(place.stem)) is not None
    )
    return tuple(sorted(found, key=lambda one: (one.when, one.path)))


def moment(name: str) -> datetime | None:
    """Return the moment that a name such as `SOUL-2026-02-01T0230` tells, None for none."""
    day = _DAY.search(name)
    if day is None:
        return None
    clock = _CLOCK.match(name, day.end())
    told = "{}-{}-{}".format(*day.groups())
    return _utc(f"{told}T{':'.join(clock.groups('00'))}" if clock else told) or _utc(told)


def _utc(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError:
        return None


def bring_in(repo: Repository) -> tuple[Oid | None, tuple[str, ...]]:
    """Keep the snapshots as commits under a reference of ours, beside the branch; return its tip and the files.

    The same files make the same commits. What is no text, or holds a secret, is left out.
    """
    found = list(_commits(repo))
    if not found:
        return None, ()
    tip = commit_chain.build(repo, None, [commit for _, commit in found])[-1]
    if references.target(repo, file_roles.SOUL_HISTORY) != tip:
        references.point(repo, file_roles.SOUL_HISTORY, tip)
    return tip, tuple(path for path, _ in found)


def _commits(repo: Repository) -> Iterator[tuple[str, NewCommit]]:
    for one in snapshots(repo.root):
        try:
            file = worktree_files.read(repo, one.path)
            text = decoded(one.path, file.data if file else None)
            write_guard.refuse(one.path, None, file.data if file else None)
        except ClawgitError:
            continue
        if file is not None and text:
            words = commit_message.render(commit_message.Message(f"soul: {one.path}", "", (("Origin", "unknown"),)))
            yield one.path, NewCommit(words, AUTHOR, one.when, {file_roles.SOUL: file.data})
