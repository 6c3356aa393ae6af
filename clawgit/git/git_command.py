"""Runs the git command line."""

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import IO

from clawgit import errors
from clawgit.errors import FSCK, NO_FIX, Advice, ClawgitError, Command
from clawgit.git import foreign_programs

OLDEST = (2, 30)
_OWNER_ERROR = re.compile(r"dubious ownership in repository at '(.+)'")
_GIT = ("git", "--no-pager")
_NO_PROTOCOL = {"GIT_ALLOW_PROTOCOL": "none"}
INDEX_FIX = Advice(
    'index=$(git rev-parse --git-path index); mv "$index" "$index.aside"; git reset --quiet   # touches no file'
)
_MEANINGS = (
    ("must be run in a work tree", "this repository is marked as bare", Command("git config core.bare false")),
    (
        "bad object HEAD",
        "HEAD names a commit that is not here",
        Command("git reflog", note="and: git reset --soft COMMIT"),
    ),
    ("not a git repository", ".git is not whole", Command("git init", note="makes it anew, and touches no file")),
    ("ead from remote repository", "", Command("git remote -v", note="does that place answer?")),
    ("extensions? found", "", Advice("upgrade git, or see: clawgit doctor")),
    ("index file|bad signature|cache entry has null", "", INDEX_FIX),
    (
        "bad (object|revision|tree|ref)|not a tree|(ould not|unable to) read|corrupt|loose object|packed-refs",
        "",
        FSCK,
    ),
    ("config", "", Command("git config --list --show-origin", note="names the file")),
)
"""Patterns of git's words, what they mean ("" for the words themselves), and the fix."""
_PATIENCE = 60.0
_QUIET = {
    "LC_ALL": "C.UTF-8",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
}


_variables: ContextVar[Mapping[str, str]] = ContextVar("variables", default=MappingProxyType({}))


@contextmanager
def use_quarantine(variables: Mapping[str, str]) -> Iterator[None]:
    """Have git see objects that lie elsewhere, by variables of its own (git-receive-pack(1)): not let in yet."""
    token = _variables.set({**_variables.get(), **variables})
    try:
        yield
    finally:
        _variables.reset(token)


def read_quarantine() -> dict[str, str]:
    """Return the variables that point a hook at the pushed objects that are not accepted yet."""
    names = ("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH")
    return {name: os.environ[name] for name in names if name in os.environ}


@contextmanager
def forbid_fetching() -> Iterator[None]:
    """Keep git from fetching missing objects of a partial clone: a read must not change the repository."""
    with use_quarantine(_NO_PROTOCOL):
        yield


def make_git_environment(
    root: Path, extra: Mapping[str, str] = MappingProxyType({}), *, hooks: bool = False, literal: bool = True
) -> dict[str, str]:
    """Return the environment for git in `root`: ours, without variables that point at another repository.

    No program runs that the repository itself names (`git.programs`).
    """
    ours = ("GIT_CONFIG", "GIT_TRACE")
    variables = {key: value for key, value in os.environ.items() if not key.startswith("GIT_") or key.startswith(ours)}
    # A fetch of missing objects would run programs that the repository names.
    alone = _NO_PROTOCOL if foreign_programs.leads_out(root) else {}
    return (
        variables
        | foreign_programs.make_safe_environment(root, variables, hooks=hooks)
        | _QUIET
        | {"GIT_LITERAL_PATHSPECS": "1" if literal else "0"}
        | alone
        | dict(_variables.get())
        | dict(extra)
    )


def git(
    root: Path,
    *arguments: str,
    stdin: bytes | None = None,
    timeout: float = _PATIENCE,
    index: Path | None = None,
    literal: bool = True,
    hooks: bool = False,
    largest: int = 0,
) -> bytes:
    """Run `git ARGUMENTS` in `root` and return its output; `index` replaces the index.

    Paths are taken letter by letter; `literal` False is for the commands that refuse that option. `hooks` is for
    commands that ask for the place of hooks: for all others there are none. No file that git writes gets larger than
    `largest` bytes, 0 for any.

    Raises ClawgitError with git's own words when git fails, is missing or takes longer than `timeout` seconds.
    """
    extra = {"GIT_INDEX_FILE": str(index)} if index else {}
    environ = make_git_environment(root, extra, hooks=hooks, literal=literal)
    stdin_mode = subprocess.DEVNULL if stdin is None else subprocess.PIPE
    # The shell counts in 512 bytes.
    bounded = ("sh", "-c", 'ulimit -f "$1" && shift && exec "$@"', "sh", str(largest // 512)) if largest else ()
    command = next(filter(re.compile("[a-z][a-z-]*").fullmatch, arguments), "")  # behind git's own options
    with _running(root, arguments, environ, stdin_mode, bounded) as process:
        try:
            output, stderr = process.communicate(stdin, timeout)
        except subprocess.TimeoutExpired as exc:
            words = (
                f"git {command} took longer than {timeout:.0f} seconds: the machine is busy, or git waits for a pipe"
            )
            fix = Command("find . -name {} -type p", ".git*", note="such a file must go; if there is none, try again")
            raise errors.git_damaged(words, fix=fix) from exc
        if process.returncode:
            raise _failed(command, stderr, process.returncode)
        return output


@contextmanager
def _running(
    root: Path,
    arguments: tuple[str, ...],
    environ: Mapping[str, str],
    stdin: int | IO[bytes],
    before: tuple[str, ...] = (),
) -> Iterator[subprocess.Popen[bytes]]:
    """Start git, with the words `before` it; leaving it ends git, if it has not ended."""
    command = [*before, *_GIT, *foreign_programs.disable_programs(arguments)]
    output = subprocess.PIPE
    try:
        process = subprocess.Popen(command, cwd=root, env=environ, stdin=stdin, stdout=output, stderr=output)
    except FileNotFoundError as exc:
        fix = Command("apt-get install git")
        raise errors.git_missing("git is not installed, or not on PATH", fix=fix) from exc
    with process:
        try:
            yield process
        finally:
            process.kill()


def decode_lines(output: bytes) -> list[str]:
    """Return the lines of git's output: names with any bytes, and with letters that end a line elsewhere (U+2028)."""
    return [row.decode("utf-8", "surrogateescape") for row in output.splitlines()]


def blobs(root: Path, oids: Sequence[str]) -> dict[str, bytes]:
    """Return the bytes of each blob, in one call of git. Raises ClawgitError for one that is not here."""
    return {oid: data for oid, (_, data) in objects(root, oids).items()}


def objects(root: Path, oids: Sequence[str]) -> dict[str, tuple[str, bytes]]:
    """Return the type and bytes of each object, in one call of git. Raises ClawgitError for one that is not here."""
    request = "".join(f"{oid}\n" for oid in oids).encode()
    output = git(root, "cat-file", "--batch", stdin=request) if oids else b""
    result: dict[str, tuple[str, bytes]] = {}
    offset = 0
    for oid in oids:
        end = output.index(b"\n", offset)
        *_, kind, size = output[offset:end].split()
        if not size.isdigit():
            raise errors.git_damaged(f"git lacks {oid}", fix=Command("git fsck"))
        result[oid] = kind.decode(), output[end + 1 : end + 1 + int(size)]
        # `git cat-file --batch` puts a line end behind each object.
        offset = end + 2 + int(size)
    return result


def records(root: Path, *arguments: str, stdin: IO[bytes] | None = None, literal: bool = True) -> Iterator[bytes]:
    """Yield the output of `git ARGUMENTS`, divided by NUL, record by record while git still runs.

    Stops git when the caller stops reading. Raises ClawgitError with git's words when it fails.
    """
    environ = make_git_environment(root, literal=literal)
    with _running(root, arguments, environ, stdin or subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        rest = b""
        while piece := process.stdout.read(1 << 16):
            *whole, rest = (rest + piece).split(b"\0")
            yield from whole
        if rest:
            yield rest
        if process.wait():
            raise _failed(arguments[0], process.stderr.read(), process.returncode)


def _failed(command: str, stderr: bytes, code: int) -> ClawgitError:
    words = stderr.decode("utf-8", "replace").strip() or f"exit code {code}"
    if re.search(r"promisor|missing blob|unable to read [0-9a-f]{40}|cannot read blob|[0-9a-f]{40}: bad file", words):
        return errors.object_missing(
            "history needs an object that is not here, and cannot be fetched: a partial or damaged clone",
            fix=Command("git fetch --refetch origin"),
        )
    if errors.find_disk_error(words):
        return errors.disk_full(f"git {command}: the disk is full", fix=Command("df -h ."))
    if match := _OWNER_ERROR.search(words):
        fix = Command("git config --global --add safe.directory {}", match[1])
        return errors.repository_owner(f"{match[1]} belongs to another user", fix=fix)
    for pattern, meaning, remedy in _MEANINGS:
        if re.search(pattern, words):
            return errors.git_failed(f"git {command}: {meaning or words}", fix=remedy)
    return errors.git_failed(f"git {command}: {words}", fix=NO_FIX)


def git_version() -> tuple[int, ...]:
    """Return git's version, as in (2, 39, 5)."""
    words = git(Path.cwd(), "version").decode().split()
    return tuple(int(part) for part in words[2].split(".")[:3] if part.isdigit())


def merge_file(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Merge three versions line by line, as git does.

    Raises ClawgitError for binary content, and if both sides changed the same lines.
    """
    import tempfile  # noqa: PLC0415 - 3 ms for what is rare

    with tempfile.TemporaryDirectory(prefix="clawgit-") as folder:
        names = ["ours", "base", "theirs"]
        for name, data in zip(names, (ours, base, theirs), strict=True):
            (Path(folder) / name).write_bytes(data)
        return git(Path(folder), "merge-file", "--stdout", "--quiet", *names)
