"""Objects of other machines, looked at before they are ours."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from clawgit.errors import Advice, ClawgitError, Command
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.workspace import purged_objects

MEGABYTE = 1_000_000
_SECONDS = 900.0
_NAME = "fetch-"
_STALE = 3600.0
_WAY_OUT = Command("clawgit config sync_max_mb 1000", note="at a terminal, if that is meant")
_BLOCK = 512  # bytes, what `ulimit -f` counts in
OPTIONS = ("--quiet", "--dry-run", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")
"""A dry run of `git fetch` brings the objects and moves no reference."""
SETTINGS = (
    *("-c", "fetch.fsckObjects=true"),
    *("-c", "fetch.unpackLimit=1"),  # one pack, whose size is bounded while it grows
    *("-c", "transfer.unpackLimit=1"),
    *("-c", "core.bigFileThreshold=1m"),  # what is large goes through in pieces
)


class RefusedError(ClawgitError):
    """It would bring what may not come in: too much, or what was purged here."""


Fetch = Callable[[Mapping[str, str], int], object]
"""Fetches with an environment of its own; no file that git writes may be larger than so many bytes."""


def received(repo: Repository, fetch: Fetch, heads: Sequence[Oid], limit: int, pack: int) -> frozenset[Oid]:
    """Fetch into a place beside the repository, look at what came, and take it in; return the heads that are here now.

    Nothing is larger than `limit` bytes, unpacked, and all of it together, packed, no larger than `pack`; nothing of it
    was purged here. Raises RefusedError with nothing taken in, and what `fetch` raises.
    """
    objects = repo.commondir / "objects"
    with _beside(repo) as place:
        more = {"GIT_OBJECT_DIRECTORY": str(place), "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(objects)}
        try:
            fetch(more, pack)
        except ClawgitError as exc:
            if any(one.stat().st_size >= pack - _BLOCK for one in place.rglob("tmp_pack_*")):
                raise RefusedError("sync-too-large", f"it brings over {pack // MEGABYTE:,} MB", fix=_WAY_OUT) from exc
            raise
        asked = "".join(f"{head}\n" for head in heads).encode()
        told = git(repo.root, "cat-file", "--batch-check", stdin=asked, more=more).decode().splitlines()
        here = [head for head, row in zip(heads, told, strict=True) if row.startswith(f"{head} commit")]
        _require_fit(repo, here, limit, more)
        for suffix in (".pack", ".rev", ".idx"):  # a pack is there once its index is
            for one in sorted(place.glob(f"pack/*{suffix}")):
                (objects / "pack").mkdir(exist_ok=True)
                one.replace(objects / "pack" / one.name)
    return frozenset(here)


def _require_fit(repo: Repository, heads: Sequence[Oid], limit: int, more: Mapping[str, str]) -> None:
    words = ("rev-list", "--objects", *heads, "--not", "--all")
    listed = git(repo.root, *words, more=more, timeout=_SECONDS).splitlines() if heads else []
    if revived := sum(purged_objects.brings_back(repo, head, "HEAD", more) for head in heads):
        crossed = any(purged_objects.brings_back(repo, "HEAD", head, more) for head in heads)
        also = "; something was purged there, too: purge it here" if crossed else ""
        raise RefusedError(
            "purge-revived",
            f"it would bring back {revived:,} objects that were purged here{also}",
            fix=Advice("clawgit purge --text - < FILE   # on that machine, as here"),
        )
    names = {row[:40]: row[41:].decode("utf-8", "replace") for row in listed}
    oids = b"".join(oid + b"\n" for oid in names)
    form = "--batch-check=%(objectsize) %(objectname)"
    told = git(repo.root, "cat-file", form, stdin=oids, more=more, timeout=_SECONDS) if oids else b""
    for size, oid in (row.split() for row in told.splitlines() if not row.endswith(b" missing")):
        if int(size) > limit:
            what = names[oid] or "an object"
            raise RefusedError("sync-too-large", f"{what} has {int(size) / MEGABYTE:,.0f} MB", fix=_WAY_OUT)


def size(repo: Repository) -> int:
    """Return how many bytes the objects of a repository take."""
    told = git(repo.root, "count-objects", "-v").decode().splitlines()
    found = dict(row.split(": ", 1) for row in told if ": " in row)
    return 1024 * (int(found.get("size", "0")) + int(found.get("size-pack", "0")))


@contextmanager
def _beside(repo: Repository) -> Iterator[Path]:
    home = repo.commondir / "clawgit"
    home.mkdir(exist_ok=True)
    for old in home.glob(f"{_NAME}*"):
        if time.time() - old.stat().st_mtime > _STALE:  # of one who was killed
            shutil.rmtree(old, ignore_errors=True)
    place = Path(tempfile.mkdtemp(prefix=_NAME, dir=home))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
