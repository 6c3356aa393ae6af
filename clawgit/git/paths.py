"""Paths that stay inside a workspace."""

from __future__ import annotations

import itertools
import os
import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from clawgit import errors
from clawgit.errors import Advice, ClawgitError, Command

# Characters that HFS+ skips when it compares names; git refuses `.git` spelt with them.
_IGNORED_BY_HFS = "[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]"
_DRIVE = r"[A-Za-z]:"
_SHORT_GIT = r"(?i)git~\d+"  # what NTFS calls `.git` in eight letters
CONTROL = r"[\x00-\x1f\x7f]"
_BYTE = "[\udc80-\udcff]"
_MAX_NAME_BYTES = 255
_FIX = Advice("name a file inside the workspace, such as memory/2026-01-20.md")


class ForeignNameError(ClawgitError):
    """A name is in an encoding of old: such a file is left alone, and is only worth knowing."""


def check(path: str) -> str:
    """Return `path` as workspace-relative with single slashes, or raise when it could lead elsewhere.

    Refused are the names that git itself refuses in a tree (`.git` in all its spellings on HFS+ and NTFS) and those
    that another system would read as a different file. Symbolic links are not looked at: that needs a disk.
    """
    if not path.strip():
        raise errors.path_invalid("the path is empty", fix=_FIX)
    if not is_text(path):
        raise ForeignNameError("path-encoding", f"the name {path!r} is not UTF-8", fix=_FIX)
    if re.search(CONTROL, path) or any("\ud800" <= c <= "\udfff" for c in path):
        raise errors.path_encoding(f"the path holds a control character or is not UTF-8: {path!r}", fix=_FIX)
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path[0] == "/" or (parts and (parts[0][0] == "\\" or re.match(_DRIVE, parts[0]))):
        raise errors.path_absolute(f"the path is absolute: {path!r}", fix=_FIX)
    if not parts:
        raise errors.path_invalid("the path is the workspace itself", fix=_FIX)
    for part in (piece for whole in parts for piece in whole.split("\\")):
        _check_part(part, path)
    return "/".join(parts)


def _check_part(part: str, path: str) -> None:
    name = re.sub(_IGNORED_BY_HFS, "", part)
    bare = name.split(":")[0].rstrip(". ").lower()  # NTFS: streams, and dots and spaces that it drops
    if part == ".." or name.strip(" ") == "..":
        raise errors.path_outside(f"the path leaves the folder with '..': {path!r}", fix=_FIX)
    if bare == ".git" or re.fullmatch(_SHORT_GIT, bare):
        raise errors.path_git(f"the path leads into git's own folder: {path!r}", fix=_FIX)
    if part.endswith((".", " ")) and part:
        raise errors.path_portable(f"a name ends in a dot or space: {path!r}", fix=Advice("drop the dot or space"))
    if len(os.fsencode(part)) > _MAX_NAME_BYTES:
        raise errors.path_invalid(f"a name is longer than {_MAX_NAME_BYTES} bytes: {part[:20]}…", fix=_FIX)


def check_name(root: Path, path: str) -> None:
    """Apply `check` to an existing file below `root`: the fix gives it a name that can be committed."""
    try:
        check(path)
    except ClawgitError as exc:
        if os.path.lexists(root / path):
            parts = list[str]()
            for part in path.split("/"):
                text = re.sub(_BYTE, lambda byte: os.fsencode(byte[0]).decode("windows-1252", "replace"), part)
                text = re.sub(rf"(?:[\\:]|{CONTROL}|{_IGNORED_BY_HFS})+", "-", text).rstrip(". ") or "_"
                is_git = re.fullmatch(rf"{_SHORT_GIT}|\.git", text)
                parts.append(text.strip(".").replace("~", "-") if is_git else text)
            exc.fix = _make_rename_command(root, path, "/".join(parts))
        elif is_text(path):
            return  # a deletion can be committed
        raise


def _make_rename_command(root: Path, path: str, new: str) -> Command:
    """Return the command that gives a file a name like `new` that is free."""
    stem, suffix = posixpath.splitext(new)
    names = (f"{stem}{f'-{n}' if n > 1 else ''}{suffix}" for n in itertools.count(1))
    free = next(name for name in names if not os.path.lexists(root / name))
    folder = posixpath.dirname(free)
    if folder == posixpath.dirname(path):
        return Command("mv -n {} {}", path, free)
    return Command("mkdir -p {} && mv -n {} {}", folder, path, free)


def is_text(path: str) -> bool:
    """Return whether a name is UTF-8, as every name that is committed."""
    return not re.search(_BYTE, path)


def find_twins(root: Path, paths: Iterable[str]) -> Iterator[ClawgitError]:
    """Yield an error for each file or folder that other disks cannot tell from an earlier one; the fix renames it."""
    originals: dict[str, str] = {}
    reported = set[str]()
    for path in paths:
        places = (path, *(path[:end] for end, letter in enumerate(path) if letter == "/"))
        place = next((place for place in places if originals.setdefault(fold_name(place), place) != place), "")
        if place and place not in reported:
            reported.add(place)
            first = originals[fold_name(place)]
            words = f"{place} and {first} are one file on other disks: they differ in capitals or accents alone"
            fix, names = _make_rename_command(root, place, place), dict.fromkeys((path, place, first))
            yield errors.names_collide(words, fix=fix, paths=tuple(names))


def fold_name(path: str) -> str:
    """Return the common form of names that are one file on other disks, such as a Mac's."""
    return unicodedata.normalize("NFC", path).casefold()


def is_inside(root: str, path: str) -> bool:
    """Return whether `path`, relative to `root` unless absolute, is `root` or below it, by its letters alone."""
    top = posixpath.normpath(root)
    full = posixpath.normpath(posixpath.join(top, path))
    return full == top or full.startswith(top.rstrip("/") + "/")
