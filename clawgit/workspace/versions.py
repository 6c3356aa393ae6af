"""The versions of an identity file."""

import os
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.text import tokens
from clawgit.workspace import scope
from clawgit.workspace.workspace import Workspace


class Version(Struct, frozen=True):
    """One version: when it came, with which commit, how many tokens it takes (estimated)."""

    date: datetime
    commit: str
    tokens: int


def versions(workspace: Workspace, path: str = scope.SOUL, *, everything: bool = False) -> tuple[Version, ...]:
    """Return the versions of a file, newest first, thinned by the retention rule unless `everything` is wanted.

    Every version of the last `soul_history_retention_days`, before that the last of each month (spec §5.5). Nothing is
    ever pruned: the commits stay.
    """
    now = workspace.now()
    limit = now - timedelta(days=min(workspace.config.soul_history_retention_days, now.toordinal() - 1))
    found = _all(workspace, path)
    wanted = found if everything else thinned(found, limit)
    return tuple(Version(date, commit, _tokens(workspace, commit, path)) for date, commit in wanted)


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
    if path != scope.SOUL or repository.resolve(workspace.repo, scope.SOUL_HISTORY) is None:
        return found
    return sorted((*found, *_since(workspace, path, scope.SOUL_HISTORY)), reverse=True)


def _since(workspace: Workspace, path: str, start: str) -> Iterator[tuple[datetime, str]]:
    for found in history.log(workspace.repo, path, start=start, named=False):
        if repository.blob_id(workspace.repo, found.id, path) is not None:
            yield found.date, found.id


def _tokens(workspace: Workspace, commit: str, path: str) -> int:
    return tokens.count((repository.read(workspace.repo, commit, path) or b"").decode("utf-8", "replace"))


def export(workspace: Workspace, found: Iterable[Version], folder: Path, path: str = scope.SOUL) -> tuple[Path, ...]:
    """Write each version as a file of its own, named by date and commit; return the files.

    Raises ClawgitError, before anything is written, when one of them exists with other content.
    """
    stem = path.removesuffix(".md").replace("/", "-")
    wanted = {
        folder / f"{stem}-{one.date:%Y-%m-%dT%H%M}-{one.commit[:10]}.md": repository.read(
            workspace.repo, one.commit, path
        )
        or b""
        for one in found
    }
    blocking = next((place for place in (folder, *folder.parents) if place.exists() and not place.is_dir()), None)
    if blocking is not None:
        raise ClawgitError(f"{blocking} is not a folder", fix="--export ANOTHER-FOLDER")
    for place, data in wanted.items():
        if os.path.lexists(place) and (not place.is_file() or place.read_bytes() != data):
            raise ClawgitError(f"{place} exists and is something else", fix="--export ANOTHER-FOLDER")
    folder.mkdir(parents=True, exist_ok=True)
    for place, data in wanted.items():
        place.write_bytes(data)
    return tuple(wanted)
