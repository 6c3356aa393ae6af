"""Keeps unapproved files of the identity."""

import contextlib
import json
import os
import shutil
import stat
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, file_unreadable
from clawgit.git import locks, regular_file, repository, worktree_files
from clawgit.git.repository import Oid, Repository
from clawgit.text.entry import is_id, new_id

_MAX_BYTES = 64 << 20
_DESCRIPTION, _CONTENT = "item.json", "content"


class QuarantinedFile(Struct, frozen=True):
    """Something that stood at `path` and was taken away at `first` (ISO 8601); it lies at `place` now."""

    id: str
    path: str
    first: str
    place: Path

    @property
    def kind(self) -> str:
        """What it is, in words; "" if another process has discarded it."""
        with contextlib.suppress(FileNotFoundError):
            mode = self.place.lstat().st_mode
            if stat.S_ISLNK(mode):
                return f"a symbolic link to {self.place.readlink()}"
            return "a folder" if stat.S_ISDIR(mode) else "a file" if stat.S_ISREG(mode) else "a device"
        return ""

    @property
    def data(self) -> bytes | None:
        """Its bytes, None for anything but a readable file."""
        with contextlib.suppress(ClawgitError):
            return content(self) if self.kind == "a file" else None
        return None

    @property
    def blob(self) -> Oid | None:
        """Git's id of its bytes, None for anything but a readable file."""
        data = self.data
        return None if data is None else repository.hash_blob(data)


def folder(repo: Repository) -> Path:
    """Return the folder of the items: in this clone alone, and never committed."""
    return repo.commondir / "clawgit" / "quarantine"


def items(repo: Repository) -> tuple[QuarantinedFile, ...]:
    """Return the kept items, oldest first; a folder that is not ours is skipped."""
    kept_items = list[QuarantinedFile]()
    for home in regular_file.list_folder(folder(repo)):
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            values, place = json.loads(regular_file.read_state(home / _DESCRIPTION)), home / _CONTENT
            if is_id(home.name) and os.path.lexists(place):
                kept_items.append(QuarantinedFile(home.name, values["path"], values["first"], place))
    return tuple(sorted(kept_items, key=lambda item: (item.first, item.id)))


def content(item: QuarantinedFile) -> bytes:
    """Return the present bytes: a process with the file open may have written on. Raises ClawgitError."""
    try:
        with os.fdopen(worktree_files.open_quietly(item.place), "rb") as file:
            return worktree_files.read_handle(file.fileno(), str(item.place), _MAX_BYTES).data
    except OSError as exc:
        raise file_unreadable(f"cannot read {item.place}: {exc.strerror}", fix=Command("ls -l {}", item.place)) from exc


def discard(repo: Repository, name: str) -> None:
    """Forget an item, if there is one of this id."""
    if is_id(name):
        shutil.rmtree(folder(repo) / name, ignore_errors=True)


def put_back(repo: Repository, path: str, data: bytes | None, mode: int, time: datetime) -> QuarantinedFile | None:
    """Put `data` (None: no file) in the place of whatever is at `path`, and keep that; return it, None for nothing.

    One exchange: a reader sees the one or the other, and a process that has the old file open goes on writing into the
    kept one. The same bytes again are the same item. Raises OSError or ClawgitError if it cannot be done.
    """
    target, home = worktree_files.locate(repo, path, nested=True), folder(repo) / new_id()
    home.mkdir(parents=True, mode=0o700)
    folder(repo).chmod(0o700)  # the mode of mkdir is for the last folder alone
    item = QuarantinedFile(home.name, path, time.isoformat(), home / _CONTENT)
    try:
        if data is not None:
            worktree_files.write_temporary(item.place, data, mode, twin=target)
        # Only now: half a file that a killed process left here is no item.
        regular_file.save_state(home / _DESCRIPTION, {"path": path, "first": item.first})
        if data is None:
            worktree_files.remove(target, item.place)
        else:
            worktree_files.exchange(item.place, target)
    except BaseException:
        # Nothing was taken away: a copy a minute would fill the disk further.
        if not os.path.lexists(item.place) or (item.kind == "a file" and content(item) == data):
            discard(repo, item.id)
        raise
    if not os.path.lexists(item.place):
        discard(repo, item.id)
        return None
    worktree_files.sync_folder(home)
    twins = [twin for twin in items(repo) if twin.path == path and twin.id != item.id and twin.blob == item.blob]
    if item.blob and twins and locks.read_closed(item.place) is not None:  # else somebody may write on into it
        discard(repo, item.id)
        return twins[0]
    return item
