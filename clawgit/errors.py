"""Errors that people can act on."""

from enum import IntEnum
from errno import EDQUOT, ENOSPC
from pathlib import Path

_OID_DIGITS = 40
FSCK = "git fsck"


class Exit(IntEnum):
    """Exit codes of the command line; every error carries one."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    FOUND = 3
    BUG = 70
    BUSY = 75
    INTERRUPTED = 130


class ClawgitError(Exception):
    """An expected failure: a sentence that says what is wrong, and a way out.

    `fix` is a command to paste or an act to take; `code` is the exit code, `paths` the names in it.
    """

    code = Exit.FAILED

    def __init__(self, message: str, *, fix: str = "", paths: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix
        self.paths = paths


class UsageError(ClawgitError):
    """What the caller typed cannot be meant."""

    code = Exit.USAGE


class BusyError(ClawgitError):
    """Somebody else holds what is needed; trying again later will do."""

    code = Exit.BUSY


class DiskError(ClawgitError):
    """A disk has no room: whatever is tried next would fail, too."""


_NO_ROOM = ("no space left", "quota exceeded", "disk is full", "out of diskspace")


def no_room(exc: object, place: object = "") -> DiskError | None:
    """Return what the system, git, libgit2 or SQLite says of a full disk as an error; None for anything else."""
    if getattr(exc, "errno", 0) not in (ENOSPC, EDQUOT) and not any(words in str(exc).lower() for words in _NO_ROOM):
        return None
    name = str(getattr(exc, "filename", None) or place)
    near = quoted(next(one for one in (Path(name), *Path(name).parents) if one.exists()))
    words = filter(None, ("the disk is full", name, getattr(exc, "strerror", None) or str(exc)))
    return DiskError(": ".join(words), fix=f"df -h {near}; df -i {near}")


def damage(exc: Exception) -> ClawgitError | None:
    """Return what libgit2 says of a repository, or an object that is not here, as an error; None for anything else."""
    words = str(exc.args[0]) if exc.args else type(exc).__name__
    missing = isinstance(exc, KeyError) and len(words) == _OID_DIGITS and set(words) <= set("0123456789abcdef")
    if not missing and "pygit2" not in type(exc).__module__:
        return None
    words = f"{words} is not here" if missing else words
    return ClawgitError(f"git's objects or references are damaged: {words}", fix=FSCK)


def explained(exc: Exception) -> ClawgitError:
    """Return what is told of a failure in one part of an answer: a line, never a value that stood in a file."""
    if error := exc if isinstance(exc, ClawgitError) else no_room(exc) or damage(exc):
        return ClawgitError(error.message.split("\n")[0], fix=error.fix)
    if isinstance(exc, OSError):
        return ClawgitError(f"{exc.filename}: {exc.strerror}" if exc.filename else str(exc), fix="ls -l")
    trace = exc.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f" ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})" if trace else ""
    return ClawgitError(f"{type(exc).__name__} in clawgit{place}", fix="report this, with the sentence above")


def quoted(name: object) -> str:
    """Return a name as any shell takes it, whatever is in it: for commands to paste. One with a dash is no option."""
    text = str(name)
    return shell_word(f"./{text}" if text.startswith("-") else text)


def shell_word(text: str) -> str:
    """Return a word as any shell takes it; what does not print is written by its octal number."""
    if text.isprintable():
        return "'" + text.replace("'", "'\\''") + "'"
    plain = {"%": "%%", "\\": "\\\\", "'": "\\047"}
    return "\"$(printf '" + "".join(plain.get(one) or _octal(one) for one in text) + "')\""


def _octal(letter: str) -> str:
    if letter.isprintable():
        return letter
    return "".join(f"\\{byte:03o}" for byte in letter.encode("utf-8", "surrogateescape"))
