"""Contents of files, and checks before a write."""

import codecs
import re
from collections import Counter
from collections.abc import Container, Iterable
from contextlib import suppress

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import (
    Advice,
    ClawgitError,
    file_binary,
    file_encoding,
    file_too_large,
    hidden_characters,
    markers_found,
    quote_shell,
    secret_found,
    text_invalid,
)
from clawgit.git import regular_file, repository, worktree_files
from clawgit.git.git_command import git
from clawgit.git.regular_file import limit_of
from clawgit.git.repository import Oid, Repository
from clawgit.safety import hidden_text, secrets
from clawgit.safety.hidden_text import conflict_markers, join_sides
from clawgit.safety.redaction import redact
from clawgit.safety.secrets import Finding
from clawgit.text.entry import hash_entry, remove_clock
from clawgit.workspace import entries
from clawgit.workspace.commit_message import fold_spaces

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


_RETYPE = Advice("type the text again without them")


def scan_file(path: str, text: str) -> tuple[Finding, ...]:
    """Return the secrets of a file, none unless `is_scanned`."""
    return secrets.find_secrets(text) if is_scanned(path) else ()


def is_scanned(path: str) -> bool:
    """Return whether secrets count in a file: in those that gitleaks scans, and anywhere in memory and identity."""
    tails = [path.split("/", index)[-1] for index in range(path.count("/") + 1)]
    ours = any(map(file_roles.is_memory_or_settings, tails)) or any(map(file_roles.is_identity, tails))
    return ours or path.startswith(file_roles.FOLDERS) or not secrets.is_skipped(path)


_MAX_NAMED = 5


def new_secrets(path: str, before: bytes | None, after: bytes | None) -> list[Finding]:
    """Return the secrets of `after` that `before` did not have."""
    findings = scan_file(path, to_text(after))
    old_prints = {finding.fingerprint for finding in secrets.find_secrets(to_text(before))} if findings else set()
    return [finding for finding in findings if finding.fingerprint not in old_prints]


def refuse_new_secrets(path: str, before: bytes | None, after: bytes | None, leaked: Container[str] = ()) -> None:
    """Raise ClawgitError if `after` has a secret that neither `before` had nor, by its fingerprint, history has."""
    new = [finding for finding in new_secrets(path, before, after) if finding.fingerprint not in leaked]
    if new:
        raise _make_secret_error(path, *new)


def _make_secret_error(path: str, finding: Finding, *others: Finding) -> ClawgitError:
    """Return the error of a file with a secret, which names the first few of `others`."""
    fix = Advice("move it to a password store or the environment, and leave its name here")
    rows = [f"{path}:{item.line} holds a secret ({item.rule})" for item in (finding, *others[: _MAX_NAMED - 1])]
    left = [f"{len(others) + 1 - _MAX_NAMED:,} more"] if len(others) >= _MAX_NAMED else []
    return secret_found("; ".join((*rows, *left)), fix=fix)


def check_write(path: str, before: str | None, after: str | None, past_text: str = "") -> None:
    """Raise ClawgitError if the step from `before` to `after` may not be written by us.

    Text in `before`, or in `past_text` from history, may stay or come back, whatever it is; a secret is not written
    once more.
    """
    if after is None:
        return
    size = len(after) if after.isascii() else len(after.encode("utf-8", "replace"))
    if size > limit_of(path):
        fix = Advice(f"move some of {path} to files below memory/, which are searched, too")
        raise file_too_large(f"{path} would have {size:,} bytes; no more than {limit_of(path):,} are read", fix=fix)
    if path.startswith(file_roles.OURS):  # there may be very many rows, each of which stands for itself
        rows = frozenset((before or "").split("\n"))
        after = "\n".join("" if row in rows else row for row in after.split("\n"))
    old_text = f"{before or ''}\n{past_text}"
    _refuse_halves(f"{path} would hold", after)
    lines, old_lines = after.split("\n"), {*old_text.split("\n")}
    findings = secrets.find_secrets(after)
    counts = Counter(finding.fingerprint for finding in secrets.find_secrets(old_text)) if findings else Counter[str]()
    for finding in sorted(findings, key=lambda item: lines[item.line - 1] not in old_lines):
        counts[finding.fingerprint] -= 1
        if counts[finding.fingerprint] < 0:
            raise _make_secret_error(path, finding)
    refuse_markers(path, after)
    for mark in hidden_text.find_hidden_text(after):
        if lines[mark.line - 1] not in old_lines:
            raise hidden_characters(f"{path}:{mark.line} would hold hidden characters", fix=_RETYPE)


def check_words(text: str, subject: str) -> None:
    """Raise ClawgitError if words for the log contain a secret or hidden characters."""
    _refuse_halves(f"{subject} holds", text)
    for secret in secrets.find_secrets(text):
        raise secret_found(f"{subject} holds a secret ({secret.rule})", fix=Advice("say it without the secret"))
    if hidden_text.find_hidden_text(text):
        raise hidden_characters(f"{subject} holds hidden characters", fix=_RETYPE)


def clean_for_writing(text: str) -> str:
    """Return `text` with each secret named instead of shown, and without hidden characters: fit for the log."""
    text = redact(text.encode("utf-8", "replace").decode())
    for finding in reversed(hidden_text.find_hidden_text(text)):
        text = text[: finding.start] + text[finding.end :]
    return text


def hash_statement(path: str, text: str) -> str:
    """Return the hash of a side of a contradiction, as an entry and in its record: its words, without a time of day."""
    return hash_entry(remove_clock(path, clean_for_writing(fold_spaces(text))))


def _refuse_halves(lead: str, text: str) -> None:
    """Raise ClawgitError for half of a surrogate pair, as a cut message leaves it: no file can contain one."""
    if half := re.search("[\ud800-\udfff]", text):
        raise text_invalid(f"{lead} half of a character (U+{ord(half[0]):04X})", fix=Advice("type the text without it"))
