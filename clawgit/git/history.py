"""Reads the log, and which commit each line came from."""

import os
from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import datetime

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, git_failed
from clawgit.git import own_commits, repository
from clawgit.git.git_command import git, git_version, records
from clawgit.git.repository import Oid, Repository

_START = b"\x01"
_FIELDS = "%x01%H%x00%P%x00%an%x00%ae%x00%aI%x00%B"
_HEAD = 6
_PATIENCE_SECONDS = 600.0


class Commit(Struct, frozen=True):
    """A commit as the log shows it; `paths` are those it touched, among the requested ones.

    `ours`: clawgit made it in this repository, and nobody has rewritten it. `as_ours`: that, or clawgit made it on
    another machine, and a sync or the clone brought it.
    """

    id: Oid
    parents: tuple[Oid, ...]
    author: str
    email: str
    date: datetime
    message: str
    paths: tuple[str, ...]
    ours: bool = False
    as_ours: bool = False

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.strip().split("\n", 1)[0]


def list_blobs(repo: Repository, path: str) -> set[Oid]:
    """Return the blobs that a file had in the history of HEAD. Raises ClawgitError."""
    words = ("log", "--raw", "--no-abbrev", "--no-renames", "--root", "-m", "--format=", "HEAD", "--", path)
    rows = git(repo.root, *words, timeout=_PATIENCE_SECONDS).decode("utf-8", "replace").splitlines()
    return {oid for row in rows if row.startswith(":") for oid in row.split(" ", 4)[2:4]}


_SINCE_AS_FILTER = (2, 37)


def walk_log(
    repo: Repository,
    *paths: str,
    start: str = "HEAD",
    limit: int | None = None,
    since: str | None = None,
    containing: str | None = None,
    named: bool = True,
    first_parent: bool = False,
    literal: bool = True,
    renames: bool = True,
    full: bool = False,
    skips_older: bool = False,
) -> Iterator[Commit]:
    """Yield commits reachable from `start`, in the order of `git log`, newest first.

    With `paths`, those that `git log -- PATHS` lists. `since` is a date; with `skips_older` an older commit, of a slow
    clock, does not end the search. `containing` is a line that the message must have. `first_parent` leaves
    out the commits that came with merges. Without `named` no commit has `paths`, which is faster. Unless `literal`,
    paths are patterns of git. Without `renames` a renamed file is listed by both names. With `full` also the commits of
    a merged branch that the merge discarded. Nothing before the first commit. Raises ClawgitError with git's words.
    """
    if start == "HEAD" and repository.unborn(repo):
        return
    options = [f"--max-count={limit}"] if limit is not None else []
    # `--since` ends the walk at the first older commit, `--since-as-filter` does not.
    has_filter = skips_older and since and git_version() >= _SINCE_AS_FILTER
    options += [f"--since{'-as-filter' if has_filter else ''}={since}"] if since else []
    options += ["--fixed-strings", f"--grep={containing}"] if containing else []
    options += ["--name-only"] if named else []
    options += ["--first-parent"] if first_parent else []
    options += [] if renames else ["--no-renames"]
    options += ["--full-history"] if full else []
    arguments = ["log", "-z", f"--format={_FIELDS}", "--encoding=UTF-8", *options, start, "--", *paths]
    yield from _parse_commits(records(repo.root, *arguments, literal=literal), own_commits.read_own_commits(repo))


def _parse_commits(parts: Iterator[bytes], own: Container[Oid]) -> Iterator[Commit]:
    fields: list[bytes] = []
    for part in parts:
        if part.startswith(_START) and fields:
            yield _commit(fields, own)
            fields = []
        fields.append(part)
    if fields:
        yield _commit(fields, own)


def _commit(fields: Sequence[bytes], own: Container[Oid]) -> Commit:
    texts = b"\0".join(fields[:_HEAD]).decode("utf-8", "replace").split("\0")
    oid, parents, author, email, date, message = texts
    paths = [os.fsdecode(name.lstrip(b"\n")) for name in fields[_HEAD:]]
    return Commit(
        oid[1:],
        tuple(parents.split()),
        author,
        email,
        datetime.fromisoformat(date),
        message.rstrip("\n"),
        tuple(filter(None, paths)),
        oid[1:] in own,
        oid[1:] in own or own_commits.BROUGHT + oid[1:] in own,
    )


def commit(repo: Repository, oid: Oid) -> Commit:
    """Return one commit. Raises ClawgitError when it is not here."""
    return next(walk_log(repo, start=oid, limit=1))


def read_commits(repo: Repository, oids: Iterable[Oid]) -> dict[Oid, Commit]:
    """Return commits by id, without the paths that they touched, in one call of git."""
    names = "".join(f"{oid}\n" for oid in dict.fromkeys(oids))
    if not names:
        return {}
    arguments = ("log", "-z", f"--format={_FIELDS}", "--encoding=UTF-8", "--no-walk=unsorted", "--stdin")
    output = git(repo.root, *arguments, stdin=names.encode())
    return {entry.id: entry for entry in _parse_commits(iter(output.split(b"\0")), own_commits.read_own_commits(repo))}


def read_diff(repo: Repository, oid: Oid) -> str:
    """Return the changes of a commit, as `git show` prints them, without its message."""
    options = ("--format=", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames")
    return git(repo.root, "show", *options, oid, "--").decode("utf-8", "replace")


def find_commit_at(repo: Repository, moment: datetime, start: str = "HEAD") -> Oid | None:
    """Return the newest commit on the first-parent line of `start` that is not younger than `moment`."""
    seconds = int(moment.timestamp())
    try:
        output = git(repo.root, "rev-list", "-1", "--first-parent", f"--before={seconds}", start, "--")
    except ClawgitError:
        return None
    return output.decode().strip() or None


def renames(repo: Repository, oid: Oid) -> dict[str, str]:
    """Return the files that a commit gave another name: the old names by the new ones."""
    arguments = ("show", "-z", "-M", "--first-parent", "--diff-filter=R", "--name-status", "--format=", oid, "--")
    fields = git(repo.root, *arguments).decode("utf-8", "surrogateescape").strip("\n\0").split("\0")
    return dict(zip(fields[2::3], fields[1::3], strict=False))


def cut_off(repo: Repository) -> frozenset[Oid]:
    """Return the commits at which a shallow clone ends; none in a whole one."""
    place = repo.commondir / "shallow"
    return frozenset(place.read_text("ascii", "replace").split()) if place.exists() else frozenset()


def roots(repo: Repository) -> tuple[Oid, ...]:
    """Return the commits that history begins with, those of HEAD; none before the first commit."""
    try:
        return tuple(git(repo.root, "rev-list", "--max-parents=0", "HEAD").decode().split())
    except ClawgitError:
        return ()


_NOWHERE = "0" * 40
# Without -M: git takes a copy of a line for a move of it.
_OPTIONS = ("--porcelain", "--no-textconv", "-w", "--ignore-revs-file=")


class Blamed(Struct, frozen=True):
    """One line; `commit` is None for a line that is only on disk, `path` the file there. `line` counts from 1."""

    line: int
    text: str
    commit: Oid | None
    path: str = ""


def blame(
    repo: Repository, path: str, start: Oid | None = None, span: tuple[int, int] | None = None
) -> tuple[Blamed, ...]:
    """Return the lines of `path` with their commits, as it is on disk or in the commit `start`.

    `span` are the first and last line wanted. Re-indented lines keep their commit, moved ones do not. Raises
    ClawgitError for a file that is not tracked, and for lines that it does not have.
    """
    lines = [f"-L{span[0]},{span[1]}"] if span else []
    revision = [start] if start else []
    try:
        output = git(repo.root, "blame", *_OPTIONS, *lines, *revision, "--", path)
    except ClawgitError as exc:
        raise git_failed(
            f"{path}: {exc.message.removeprefix('git blame: fatal: ')}", fix=exc.fix or Command("git log -- {}", path)
        ) from exc
    result, oid, number, paths = list[Blamed](), "", 0, dict[Oid, str]()
    for row in output.split(b"\n"):
        if row.startswith(b"\t"):
            commit_id = None if oid == _NOWHERE else oid
            result.append(Blamed(number, row[1:].decode("utf-8", "replace"), commit_id, paths.get(oid, path)))
        elif row.startswith(b"filename "):  # once for a commit, or before each of its lines
            paths[oid] = os.fsdecode(row.removeprefix(b"filename "))
        elif len(parts := row.split(b" ")) in (3, 4) and len(parts[0]) == len(_NOWHERE):
            oid, number = parts[0].decode(), int(parts[2])
    return tuple(result)
