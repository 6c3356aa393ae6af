"""The versions of an identity file."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.text import tokens
from clawgit.workspace import scope
from clawgit.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Version:
    """One version: when it came, with which commit, how many tokens it takes (estimated)."""

    date: datetime
    commit: str
    tokens: int


def versions(workspace: Workspace, path: str = scope.SOUL, *, everything: bool = False) -> tuple[Version, ...]:
    """Return the versions of a file, newest first, thinned by the retention rule unless `everything` is wanted.

    Every version of the last `soul_history_retention_days`, before that the last of each month (spec §5.5). Nothing is
    ever pruned: the commits stay.
    """
    found = list(_all(workspace, path))
    if everything:
        return tuple(found)
    limit = workspace.now() - timedelta(days=workspace.config.soul_history_retention_days)
    return tuple(thinned(found, limit))


def thinned(found: Iterable[Version], limit: datetime) -> Iterator[Version]:
    """Yield the versions not older than `limit`, and of the others the newest of each month."""
    months: set[tuple[int, int]] = set()
    for version in found:
        month = (version.date.year, version.date.month)
        if version.date >= limit or month not in months:
            yield version
        if version.date < limit:
            months.add(month)


def _all(workspace: Workspace, path: str) -> Iterator[Version]:
    for found in history.log(workspace.repo, path):
        data = repository.read(workspace.repo, found.id, path)
        if data is not None:
            yield Version(found.date, found.id, tokens.count(data.decode("utf-8", "replace")))


def export(workspace: Workspace, found: Iterable[Version], folder: Path, path: str = scope.SOUL) -> tuple[Path, ...]:
    """Write each version as a file of its own, named by date and commit; return the files.

    Raises ClawgitError, before anything is written, when one of them exists with other content.
    """
    stem = Path(path).stem
    wanted = {
        folder / f"{stem}-{one.date:%Y-%m-%dT%H%M}-{one.commit[:10]}.md": repository.read(
            workspace.repo, one.commit, path
        )
        or b""
        for one in found
    }
    for place, data in wanted.items():
        if os.path.lexists(place) and (not place.is_file() or place.read_bytes() != data):
            raise ClawgitError(f"{place} exists and is something else", fix="--export ANOTHER-FOLDER")
    folder.mkdir(parents=True, exist_ok=True)
    for place, data in wanted.items():
        place.write_bytes(data)
    return tuple(wanted)
