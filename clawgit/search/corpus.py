"""The files that a search is about."""

import os
import re
import stat
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit import file_roles
from clawgit.git.regular_file import LARGEST_SEARCHED
from clawgit.workspace.changelog import MARKER

if TYPE_CHECKING:
    from clawgit.workspace.line_writers import Copy

SESSIONS = "sessions/"
"""What the paths of conversations begin with."""
_TEMPLATES = "templates"
_ODD_BYTE = re.compile("[\udc80-\udcff]")
"""In a name that is no UTF-8: it can be stored nowhere, and `clawgit doctor` tells it."""
DREAMS = ("memory/dreaming", "DREAMS.md")
"""What OpenClaw's dreaming writes for people, searched where `sources` has `dreaming`."""
_DREAMS = "memory/dreaming/"
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

_YOUNG = 100_000_000
"""Nanoseconds within which a file may change again in the same tick of the clock."""


class Sources(Struct, frozen=True):
    """Readable files by path, each with its stamp: while a stamp stays, so do the bytes; of "" nothing is known.

    `read` returns the bytes of a file with the stamp that they had, None when it has gone meanwhile.
    """

    stamps: Mapping[str, str]
    read: Callable[[str], "tuple[bytes, str] | None"]


def is_searched(path: str, extra: Iterable[str] = ()) -> bool:
    """Return whether a file of the workspace is searched: what is remembered, and the operator's profile.

    `extra` are other memory files. Configuration, records of conflicts, views, templates, OpenClaw's dreams and what is
    hidden are left out.
    """
    parts = path.split("/")
    if (
        path in (file_roles.CONFIG, file_roles.CONFLICTS, file_roles.INDEX)
        or file_roles.is_dreaming_output(path)
        or not path.endswith(".md")
        or any(part.startswith(".") for part in parts)
    ):
        return False
    return path in (file_roles.USER, *extra) or (file_roles.is_memory_or_settings(path) and _TEMPLATES not in parts)


def sources(root: Path, extra: Iterable[str] = ()) -> Sources:
    """Return the files in scope as they are on disk, links and nested repositories left out."""
    others, base, now = tuple(extra), f"{root}/", time.time_ns()
    stamps = {path: stamp for path, stamp in _stamp_files(_list_folder(base), "", now) if is_searched(path, others)}
    folders = [folder for folder in file_roles.FOLDERS if not (root / folder.rstrip("/")).is_symlink()]
    _add_below(stamps, base, folders, now)
    return Sources(stamps, lambda path: read_searched_bytes(f"{base}{path}"))


def list_extra_stamps(root: Path, names: Iterable[str], extra: Iterable[str] = ()) -> dict[str, str]:
    """Return the stamps of Markdown in further files and folders, by its path in the workspace, else by its full path.

    Files in scope anyway are left out, and a folder that contains the workspace.
    """
    others, stamps, now = tuple(extra), dict[str, str](), time.time_ns()
    for name in names:
        place = Path(os.path.normpath(root / Path(name).expanduser()))
        if root.is_relative_to(place):
            continue
        base = f"{root}/" if place.is_relative_to(root) else ""
        path = place.as_posix().removeprefix(base)
        new_stamps = dict[str, str]()
        if place.is_dir():
            _add_below(new_stamps, base, [f"{path}/"], now, repositories=True)
        else:
            entries = [entry for entry in _list_folder(f"{place.parent}/") if entry.name == place.name]
            new_stamps.update(_stamp_files(entries, path[: len(path) - len(place.name)], now))
        stamps |= {path: stamp for path, stamp in new_stamps.items() if not (base and is_searched(path, others))}
    return stamps


def blank_lines(data: bytes, copies: "frozenset[Copy]", *, withheld: bool) -> bytes:
    """Return a text in which only its withheld lines are left, or only the others, each in its place."""
    from clawgit.store.calls import hash_line  # noqa: PLC0415 - nobody else writes in most workspaces
    from clawgit.text import document  # noqa: PLC0415

    counts, rows = Counter[str](), list[str]()
    for row in document.split(read_plain_text(data)):
        name = hash_line(row) if row.strip() else ""
        counts[name] += 1
        rows.append(row if ((name, counts[name]) in copies) == withheld else "\n")
    return "".join(rows).encode()


def _add_below(stamps: dict[str, str], base: str, waiting: list[str], now: int, *, repositories: bool = False) -> None:
    """Add the files below folders; a repository is left out, unless it is one of the folders themselves."""
    first = frozenset(waiting if repositories else ())
    while waiting:
        prefix = waiting.pop()
        if prefix == _DREAMS and not repositories:
            continue
        entries = _list_folder(f"{base}{prefix}")
        if prefix not in first and any(entry.name == ".git" for entry in entries):
            continue
        entries = [entry for entry in entries if entry.name[0] != "." and entry.name != _TEMPLATES]
        stamps.update(_stamp_files(entries, prefix, now))
        folders = (entry for entry in entries if entry.name[-3:] != ".md" and entry.is_dir(follow_symlinks=False))
        waiting += [f"{prefix}{entry.name}/" for entry in folders]


def _list_folder(place: str) -> "list[os.DirEntry[str]]":
    """Return the entries of a folder, without names that are no UTF-8; none of an unreadable one."""
    try:
        with os.scandir(place) as listing:
            return [entry for entry in listing if entry.name.isascii() or not _ODD_BYTE.search(entry.name)]
    except OSError:
        return []


def _stamp_files(entries: "Iterable[os.DirEntry[str]]", prefix: str, now: int) -> Iterator[tuple[str, str]]:
    """Yield the path and stamp of each Markdown file, without copies made by a sync program."""
    for entry in entries:
        name = entry.name
        if name[-3:] != ".md" or name[0] == "." or file_roles.copied_from(name) or prefix + name == file_roles.INDEX:
            continue
        try:
            # A link may lead out of the workspace.
            status = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST_SEARCHED:
            yield prefix + name, _stamp(status, now)


def _stamp(status: os.stat_result, now: int) -> str:
    """Return size, inode and the time that nobody can set back; "" for a file that may change in the same tick."""
    is_young = now - status.st_ctime_ns < _YOUNG
    return "" if is_young else f"{status.st_size} {status.st_ctime_ns} {status.st_ino}"


def read_searched_bytes(place: str) -> tuple[bytes, str] | None:
    """Return the bytes of a file with their stamp, None for an unreadable one."""
    with suppress(OSError), open(os.open(place, _FLAGS), "rb", buffering=0) as file:  # noqa: PTH123 - a handle
        stamp = _stamp(os.fstat(file.fileno()), time.time_ns())  # before: a later change is noticed by it
        return file.read()[:LARGEST_SEARCHED], stamp
    return None


def text(data: bytes) -> str:
    """Return the text of a file, whatever its bytes; nothing of a rendered view, and each secret by name only.

    So no index contains one, whether of a file or of its history, and no answer shows one. Every line stays on its
    line.
    """
    from clawgit.safety.redaction import redact  # noqa: PLC0415 - most searches read no file

    return redact(read_plain_text(data))


def read_plain_text(data: bytes) -> str:
    """Return the present text of a file; nothing of a rendered view."""
    content = data.decode("utf-8", "replace")
    return "" if content.startswith(MARKER) else content
