"""Says which commit each line of a file came from."""

from collections.abc import Iterator

from msgspec import Struct

from clawgit.errors import ClawgitError, quoted
from clawgit.git.command import git
from clawgit.git.repository import Oid, Repository

_NOWHERE = "0" * 40
_OPTIONS = ("--porcelain", "--no-textconv", "-w", "-M", "--ignore-revs-file=")


class Blamed(Struct, frozen=True):
    """One line; `commit` is None while it stands only on disk. `line` counts from 1."""

    line: int
    text: str
    commit: Oid | None


def blame(
    repo: Repository, path: str, start: Oid | None = None, span: tuple[int, int] | None = None
) -> tuple[Blamed, ...]:
    """Return the lines of `path` with their commits, as it is on disk or in the commit `start`.

    `span` are the first and last line wanted. Moved and re-indented lines keep their commit. Raises ClawgitError for a
    file that is not tracked, and for lines that it does not have.
    """
    lines = [f"-L{span[0]},{span[1]}"] if span else []
    revision = [start] if start else []
    try:
        listed = git(repo.root, "blame", *_OPTIONS, *lines, *revision, "--", path)
    except ClawgitError as exc:
        raise ClawgitError(
            f"{path}: {exc.message.removeprefix('git blame: fatal: ')}", fix=exc.fix or f"git log -- {quoted(path)}"
        ) from exc
    return tuple(_lines(listed))


def _lines(listed: bytes) -> Iterator[Blamed]:
    oid, number = "", 0
    for row in listed.split(b"\n"):
        if row.startswith(b"\t"):
            yield Blamed(number, row[1:].decode("utf-8", "replace"), None if oid == _NOWHERE else oid)
        elif len(parts := row.split(b" ")) in (3, 4) and len(parts[0]) == len(_NOWHERE):
            oid, number = parts[0].decode(), int(parts[2])
