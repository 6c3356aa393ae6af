"""The bytes of a file as text."""

from collections import Counter
from contextlib import suppress

from clawgit.errors import Advice, ClawgitError, file_binary, file_encoding, markers_found, quoted
from clawgit.git import regular_file, worktree_files
from clawgit.git.repository import Repository
from clawgit.safety.markers import conflict_markers


def decoded(path: str, data: bytes | None) -> str | None:
    """Return the text of a file on disk. Raises ClawgitError for bytes that are no text."""
    if data is None:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as exc:
        line = data.count(b"\n", 0, exc.start) + 1
        raise file_encoding(
            f"{path}:{line} is not valid UTF-8 (byte 0x{data[exc.start]:02x})",
            fix=Advice(f"iconv -f WINDOWS-1252 -t UTF-8 {quoted(path)} > fixed && mv fixed {quoted(path)}"),
        ) from exc
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise file_binary(f"{path}:{line} holds a NUL byte: a binary file", fix=regular_file.aside(path))
    refuse_markers(path, text)
    return text


def text_of(data: bytes | None) -> str | None:
    """Return what is text as such; None for no file and for other bytes."""
    try:
        text = None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if text is None or "\0" in text else text


def loosely(data: bytes | None) -> str:
    """Return whatever bytes as text."""
    return (data or b"").decode("utf-8", "replace")


def refuse_markers(path: str, text: str) -> None:
    """Raise ClawgitError for git's conflict markers: such a file is in the middle of a merge."""
    line = conflict_markers(text)
    if line is not None:
        raise markers_found(f"{path}:{line} has conflict markers", fix=Advice(f"resolve, then git add {quoted(path)}"))


def read_quietly(repo: Repository, path: str) -> bytes | None:
    """Return the bytes of a file on disk; None for no file, and for one that cannot be read."""
    with suppress(ClawgitError):
        file = worktree_files.read(repo, path)
        return file.data if file else None
    return None


def lines_of(text: str) -> set[str]:
    """Return the lines of a text that are not blank, without white space around them."""
    return set(tally_lines(text))


def tally_lines(text: str) -> Counter[str]:
    """Return how often each line of a text occurs that is not blank, without white space around it."""
    return Counter(filter(None, map(str.strip, text.removeprefix("\ufeff").split("\n"))))
