"""The bytes of a file as text."""

import codecs
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import Advice, ClawgitError, file_binary, file_encoding, markers_found, quote_shell
from clawgit.git import regular_file, repository, worktree_files
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.safety.markers import conflict_markers, join_sides
from clawgit.workspace import entries

_MARKS = b"<<<<<<<", b">>>>>>>"
PLACES = ("*.md", "memory/**/*.md", "Archive/**/*.md", *file_roles.IDENTITY_GLOBS, f"{file_roles.OURS}*")
"""The globs, as git has them, of files of our scope that git does not track yet."""


def decode_file(path: str, data: bytes | None) -> str | None:
    """Return the text of a file on disk. Raises ClawgitError for bytes that are no text."""
    if data is None:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as exc:
        line = data.count(b"\n", 0, exc.start) + 1
        old = "UTF-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "WINDOWS-1252"
        name, convert = quote_shell(path), f"iconv -f {old} -t UTF-8"
        is_mixed = any(not row.isascii() and text_of(row) is not None for row in data.split(b"\n"))
        by_line = f"(head -n {line - 1} {name}; sed -n {line}p {name} | {convert}; tail -n +{line + 1} {name})"
        fix = Advice(f"{by_line if is_mixed else f'{convert} {name}'} > fixed && mv fixed {name}")
        raise file_encoding(f"{path}:{line} is not valid UTF-8 (byte 0x{data[exc.start]:02x})", fix=fix) from exc
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise file_binary(f"{path}:{line} holds a NUL byte: a binary file", fix=regular_file.rename_aside(path))
    refuse_markers(path, text)
    return text


def text_of(data: bytes | None) -> str | None:
    """Return bytes as text; None for no file and for binary data."""
    try:
        text = None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if text is None or "\0" in text else text


def to_text(data: bytes | None) -> str:
    """Return any bytes as text."""
    return (data or b"").decode("utf-8", "replace")


def refuse_markers(path: str, text: str) -> None:
    """Raise ClawgitError for git's conflict markers: such a file is in the middle of a merge."""
    line = conflict_markers(text)
    if line is not None:
        fix = Advice(f"resolve, then git add {quote_shell(path)}")
        raise markers_found(f"{path}:{line} has conflict markers", fix=fix)


def read_quietly(repo: Repository, path: str) -> bytes | None:
    """Return the bytes of a file on disk; None for no file, and for one that cannot be read."""
    with suppress(ClawgitError):
        file = worktree_files.read_worktree_file(repo, path)
        return file.data if file else None
    return None


def lines_of(text: str) -> set[str]:
    """Return the lines of a text that are not blank, without white space around them."""
    return set(tally_lines(text))


def tally_lines(text: str) -> Counter[str]:
    """Return how often each line of a text occurs that is not blank, without white space around it."""
    return Counter(filter(None, map(str.strip, text.removeprefix("\ufeff").split("\n"))))


class Unmarked(Struct, frozen=True):
    """The displayable bytes of a file with conflict markers, and a sentence on their source.

    `line` is that of the first marker, from 1.
    """

    path: str
    data: bytes
    line: int
    said: str

    @property
    def error(self) -> ClawgitError:
        """The file as a problem."""
        return markers_found(self.said, fix=Advice(f"resolve them, then git add {quote_shell(self.path)}"))


def may_have_markers(data: bytes) -> bool:
    """Return whether bytes may have conflict markers, and so are worth a look."""
    return any(mark in data for mark in _MARKS)


def read_shown_text(repo: Repository, path: str) -> tuple[str | None, str]:
    """Return the displayable text of a file, and a sentence if it differs from the file.

    Raises ClawgitError for a binary file.
    """
    file = worktree_files.read_worktree_file(repo, path)
    unmarked = remove_markers(repo, path, file.data) if file else None
    data = unmarked.data if unmarked else file.data if file else None
    return decode_file(path, data), unmarked.said if unmarked else ""


def sidecar(repo: Repository) -> str:
    """Return the text of the sidecar, "" if there is none."""
    return read_shown_text(repo, entries.PATH)[0] or ""


def find_marked(repo: Repository, extra_paths: Iterable[str] = ()) -> list[Unmarked]:
    """Return the tracked memory files, prompt files and sidecars with conflict markers now, and those of `extra_paths`.

    Git looks at its index alone: it would open a pipe in their place on disk, and wait.
    """
    paths = [*(f":(glob){place}" for place in PLACES), *(f":(literal){path}" for path in extra_paths)]
    options = ("grep", "-lz", "--cached", "--no-recurse-submodules", "-e", "^<<<<<<<", "-e", "^>>>>>>>", "--")
    try:
        output = git(repo.root, *options, *paths, literal=False)
    except ClawgitError:  # none has any
        return []
    names = filter(None, output.decode("utf-8", "surrogateescape").split("\0"))
    # That a file cannot be read is told elsewhere.
    versions = (remove_markers(repo, path, read_quietly(repo, path) or b"") for path in names)
    return [version for version in versions if version]


def remove_markers(repo: Repository, path: str, data: bytes, commit: Oid | None = None) -> Unmarked | None:
    """Return the bytes to show instead of `data` if it has conflict markers; None if it has none.

    That is the version of `commit` (HEAD) if it has no markers, else both sides of each conflict, nothing if
    they are unknown.
    """
    line = _find_markers(data)
    if line is None:
        return None
    place = f"{path}:{line} has conflict markers"
    start = commit or repository.head(repo)
    before = repository.read(repo, start, path) if start else None
    if before is not None and _find_markers(before) is None:
        return Unmarked(path, before, line, f"{place}; what it said in HEAD is served instead")
    sides = join_sides(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    if _find_markers(sides) is not None:
        return Unmarked(path, b"", line, f"{place} that clawgit cannot read; nothing of it is served")
    return Unmarked(path, sides, line, f"{place}, also where it was committed; what both sides say is served instead")


def _find_markers(data: bytes) -> int | None:
    return conflict_markers(data.decode("utf-8", "replace")) if may_have_markers(data) else None
