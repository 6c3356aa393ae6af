"""Which git processes are at work in a working tree."""

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from clawgit.git.repository import Repository

_PROC = Path("/proc")
_LONGEST = 60  # letters of a command line that are told
_STARTED = 19  # of the fields of /proc/PID/stat that follow the program's name


class Process(Struct, frozen=True):
    """A process: its number, and what it was called with (nothing where that may not be read)."""

    number: int
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = " ".join(("git", *self.arguments[1:]))
        return f"process {self.number} ({said if len(said) <= _LONGEST else said[:_LONGEST] + '…'})"


def at_work(repo: Repository, *commands: str) -> tuple[Process, ...] | None:
    """Return the git processes that run in this working tree (only these `commands`); None where nobody can tell.

    One whose folder we may not see, since it is another user's, counts as one of them.
    """
    if not (_PROC / "self/stat").exists():
        return None
    return tuple(found for found in _gits(repo) if not commands or not _known(found, commands))


def holders(place: Path) -> tuple[Process, ...]:
    """Return the processes that have the file at `place` open, as far as we may see."""
    try:
        wanted = place.stat()
    except OSError:
        return ()
    return tuple(Process(number, _arguments(number)) for number in _numbers() if _has_open(number, wanted))


def running_seconds(found: Process) -> float:
    """Return for how long a process has run; 0 where that cannot be told."""
    try:
        uptime = float((_PROC / "uptime").read_text().split()[0])
        fields = (_PROC / str(found.number) / "stat").read_bytes().rpartition(b")")[2].split()
        return uptime - int(fields[_STARTED]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def _known(found: Process, commands: tuple[str, ...]) -> bool:
    """Tell whether a process is known to do something else than one of `commands`."""
    return bool(found.arguments) and not set(commands) & {Path(word).name for word in found.arguments}


def _gits(repo: Repository) -> Iterator[Process]:
    places = tuple(f"{place}" for place in dict.fromkeys((repo.root, repo.gitdir, repo.commondir)))
    for number in _numbers():
        try:
            stat = (_PROC / str(number) / "stat").read_bytes()
            name, fields = stat[stat.index(b"(") + 1 : stat.rindex(b")")], stat[stat.rindex(b")") + 1 :].split()
            if not (name == b"git" or name.startswith(b"git-")) or fields[0] == b"Z":
                continue
            arguments = _arguments(number)
        except (OSError, ValueError, IndexError):
            continue
        if _inside(number, places, arguments):
            yield Process(number, arguments)


def _inside(number: int, places: tuple[str, ...], arguments: tuple[str, ...]) -> bool:
    try:
        folder = os.readlink(_PROC / str(number) / "cwd")  # noqa: PTH115 - it may say that the folder is gone
    except PermissionError:
        return True
    except OSError:
        return False
    named = [os.path.normpath(Path(folder, word.split("=", 1)[-1])) for word in arguments]
    return any(one == place or one.startswith(f"{place}/") for one in (folder, *named) for place in places)


def _arguments(number: int) -> tuple[str, ...]:
    try:
        said = (_PROC / str(number) / "cmdline").read_bytes()
    except OSError:
        return ()
    return tuple(os.fsdecode(word) for word in said.split(b"\0")[:-1])


def _numbers() -> Iterator[int]:
    for name in os.listdir(_PROC) if _PROC.is_dir() else ():  # noqa: PTH208 - names are all it takes
        if name.isdecimal() and int(name) != os.getpid():
            yield int(name)


def _has_open(number: int, wanted: os.stat_result) -> bool:
    folder = _PROC / str(number) / "fd"
    try:
        handles = list(folder.iterdir())
    except OSError:
        return False
    for handle in handles:
        try:
            if os.path.samestat(handle.stat(), wanted):
                return True
        except OSError:
            continue
    return False
