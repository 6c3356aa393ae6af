"""Tells without reading whether there is anything new."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from clawgit.schedule import timetable
from clawgit.schedule.place import Place
from clawgit.workspace import scope

_DIGITS = 16


def stamp(job: str, place: Place, environ: Mapping[str, str]) -> str:
    """Return what changes when a job finds something new to do, "" for one of which nobody can tell."""
    look = _LOOKS.get(job)
    if look is None:
        return ""
    digest = blake2b(digest_size=_DIGITS)
    for file in look(place, environ):
        digest.update(repr((str(file), _seen(file))).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def _seen(file: Path) -> tuple[int, ...]:
    with suppress(OSError):
        status = file.lstat()
        return status.st_ino, status.st_size, status.st_mtime_ns
    return ()


def _files(place: Place, _: Mapping[str, str]) -> Iterator[Path]:
    """Yield the files that captures are about, as far as they can be told without git, and what a commit moves."""
    yield from (place.git / "HEAD", place.git / "logs/HEAD", place.git / "index")
    yield from (one for one in _listed(place.root) if one.name.endswith(".md"))
    for name in (*scope.FOLDERS, "agents/", scope.OURS):
        for folder, below, files in os.walk(place.root / name):
            below[:] = sorted(one for one in below if not (Path(folder) / one / ".git").exists())
            yield from (Path(folder) / one for one in sorted(files))


def _conversations(place: Place, environ: Mapping[str, str]) -> Iterator[Path]:
    """Yield the transcripts and databases of the agents that work here."""
    from clawgit.sessions import find  # noqa: PLC0415 - looked for every few minutes only
    from clawgit.workspace.host.host import Host  # noqa: PLC0415

    host = Host(environ)
    for one in find.of_host(host, (agent.id for agent in host.owners(place.root))):
        yield one.path
        if one.form == "database":
            yield one.path.with_name(f"{one.path.name}-wal")
    yield host.places.config


def _inbox(place: Place, _: Mapping[str, str]) -> Iterable[Path]:
    from clawgit.messages.inbox import FILE  # noqa: PLC0415

    return (place.home / "state" / FILE,)


def _searched(place: Place, environ: Mapping[str, str]) -> Iterator[Path]:
    yield from _files(place, environ)
    yield place.home / "state" / "chat.db"


def _listed(folder: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(folder.iterdir())
    return []


_LOOKS: Mapping[str, Callable[[Place, Mapping[str, str]], Iterable[Path]]] = {
    timetable.CAPTURE: _files,
    timetable.IMPORT: _conversations,
    timetable.VALIDATOR: _inbox,
    timetable.INDEX: _searched,
}
