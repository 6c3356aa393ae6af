"""Imports the snapshots that others kept in SOUL_HISTORY/."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import chain, disk, references
from clawgit.git.chain import NewCommit
from clawgit.git.repository import Oid, Repository
from clawgit.workspace import message, scope, secrecy
from clawgit.workspace.capture import AUTHOR
from clawgit.workspace.contents import decoded

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
    tip = chain.build(repo, None, [commit for _, commit in found])[-1]
    if references.target(repo, scope.SOUL_HISTORY) != tip:
        references.point(repo, scope.SOUL_HISTORY, tip)
    return tip, tuple(path for path, _ in found)


def _commits(repo: Repository) -> Iterator[tuple[str, NewCommit]]:
    for one in snapshots(repo.root):
        try:
            file = disk.read(repo, one.path)
            text = decoded(one.path, file.data if file else None)
            secrecy.refuse(one.path, None, file.data if file else None)
        except ClawgitError:
            continue
        if file is not None and text:
            words = message.render(message.Message(f"soul: {one.path}", "", (("Origin", "unknown"),)))
            yield one.path, NewCommit(words, AUTHOR, one.when, {scope.SOUL: file.data})
