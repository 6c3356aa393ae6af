"""Objects of other machines, looked at before they are ours."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from clawgit.errors import Advice, ClawgitError, Command, remote_failed
from clawgit.git.git_command import git, seeing
from clawgit.git.repository import Oid, Repository
from clawgit.workspace import purged_objects

MEGABYTE = 1_000_000
_SECONDS = 900.0
_NAME = "fetch-"
_STALE = 3600.0
_WAY_OUT = Command("clawgit config sync_max_mb 1000", note="at a terminal, if that is meant")
_BLOCK = 512  # bytes, what `ulimit -f` counts in
_OPTIONS = ("--quiet", "--dry-run", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")
"""A dry run of `git fetch` brings the objects and moves no reference."""
_SETTINGS = (
    *("-c", "fetch.fsckObjects=true"),
    *("-c", "fetch.unpackLimit=1"),  # one pack, whose size is bounded while it grows
    *("-c", "transfer.unpackLimit=1"),
    *("-c", "core.bigFileThreshold=1m"),  # what is large goes through in pieces
)


class RefusedError(ClawgitError):
    """It would bring forbidden objects: too large ones, or purged ones."""


def receive(
    repo: Repository, fetch: Callable[..., object], source: str, spec: str, head: Oid, limit: int, pack: int
) -> None:
    """Fetch a head into a place beside the repository, check the objects, and take them in.

    `fetch` runs git. No object is larger than `limit` bytes, unpacked, and all of it together, packed, no larger than
    `pack`; none was purged here. Raises ClawgitError with nothing taken in, also for anything but a commit.
    """
    objects = repo.commondir / "objects"
    # git has no limit for a fetch: objects go to a place of their own, and are counted before they are ours.
    with _make_object_place(repo) as place:
        try:
            fetch(*_SETTINGS, "fetch", *_OPTIONS, source, spec, largest=pack)
        except ClawgitError as exc:
            if any(file.stat().st_size >= pack - _BLOCK for file in place.rglob("tmp_pack_*")):
                raise RefusedError("sync-too-large", f"it brings over {pack // MEGABYTE:,} MB", fix=_WAY_OUT) from exc
            raise
        output = git(repo.root, "cat-file", "--batch-check", stdin=head.encode()).decode()
        if not output.startswith(f"{head} commit"):
            raise remote_failed("what is there is no commit", fix=Command("git show {}", head[:10]))
        _require_fit(repo, head, limit)
        for suffix in (".pack", ".rev", ".idx"):  # a pack is there once its index is
            for file in sorted(place.glob(f"pack/*{suffix}")):
                (objects / "pack").mkdir(exist_ok=True)
                file.replace(objects / "pack" / file.name)


def _require_fit(repo: Repository, head: Oid, limit: int) -> None:
    if revived := purged_objects.brings_back(repo, head, "HEAD"):
        is_crossed = purged_objects.brings_back(repo, "HEAD", head)
        note = "; something was purged there, too: purge it here" if is_crossed else ""
        words = f"it would bring back {revived:,} objects that were purged here{note}"
        fix = Advice("clawgit purge --text - < FILE   # on that machine, as here")
        raise RefusedError("purge-revived", words, fix=fix)
    rows = git(repo.root, "rev-list", "--objects", head, "--not", "--all", timeout=_SECONDS).splitlines()
    names = {row[:40]: row[41:].decode("utf-8", "replace") for row in rows}
    oids = b"".join(oid + b"\n" for oid in names)
    form = "--batch-check=%(objectsize) %(objectname)"
    sizes = git(repo.root, "cat-file", form, stdin=oids, timeout=_SECONDS)
    for size, oid in (row.split() for row in sizes.splitlines() if not row.endswith(b" missing")):
        if int(size) > limit:
            name = names[oid] or "an object"
            raise RefusedError("sync-too-large", f"{name} has {int(size) / MEGABYTE:,.0f} MB", fix=_WAY_OUT)


@contextmanager
def _make_object_place(repo: Repository) -> Iterator[Path]:
    """Yield a place for objects that git writes to, and reads from beside those of the repository."""
    home = repo.commondir / "clawgit"
    home.mkdir(exist_ok=True)
    for old in home.glob(f"{_NAME}*"):
        if time.time() - old.stat().st_mtime > _STALE:  # of one who was killed
            shutil.rmtree(old, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_NAME, dir=home, ignore_cleanup_errors=True) as place:
        objects = str(repo.commondir / "objects")
        with seeing({"GIT_OBJECT_DIRECTORY": place, "GIT_ALTERNATE_OBJECT_DIRECTORIES": objects}):
            yield Path(place)
