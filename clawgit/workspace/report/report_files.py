"""The files of a workspace, each read once."""

import errno
import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct, field

from clawgit.errors import ClawgitError
from clawgit.git import regular_file, worktree_files
from clawgit.git.paths import check, find_twins
from clawgit.safety import secrets
from clawgit.safety.markers import conflict_markers
from clawgit.text.entry import saying
from clawgit.workspace import commit_message, file_roles, write_guard

_PASSED_OVER = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__"})


class Oddity(Struct, frozen=True):
    """Something about a file that stands in the way, or is only worth knowing; `line` counts from 1."""

    kind: str
    path: str
    why: str = ""
    line: int | None = None


def places(root: Path, tracked: Collection[str] = ()) -> Iterator[Oddity]:
    """Yield what matters below `root`, sorted in each folder; links are not followed, repositories not entered.

    A "file" is ours; Markdown outside the scope is "elsewhere", and what cannot be listed "closed".
    """
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            found = sorted(os.scandir(root / folder), key=lambda one: one.name)
        except OSError as exc:
            yield Oddity("closed", folder or ".", exc.strerror or str(exc))
            continue
        inner = []
        for one in found:
            path = folder + one.name
            if not one.is_dir(follow_symlinks=False):
                yield from _file(one, path, path in tracked)
            elif os.path.lexists(os.path.join(one.path, ".git")):  # noqa: PTH118 - asked of every folder
                yield Oddity("repository", path)
            elif one.name not in _PASSED_OVER:
                if file_roles.captured(path):
                    yield Oddity("special", path, "a folder")
                inner.append(f"{path}/")
        waiting += reversed(inner)


def _file(one: "os.DirEntry[str]", path: str, tracked: bool) -> Iterator[Oddity]:  # noqa: FBT001
    ours = file_roles.captured(path, tracked=tracked)
    if one.is_symlink():
        if ours or _leads_in(path):
            yield Oddity("link", path, f"a link to {os.readlink(one.path)}")  # noqa: PTH115 - the text as it stands
        return
    if not path.endswith(".md"):
        return
    status = one.stat(follow_symlinks=False)
    if not ours:
        yield Oddity("elsewhere", path)
    elif stat.S_ISREG(status.st_mode):
        yield Oddity("file", path)
    else:
        yield Oddity("special", path, _SPECIAL.get(stat.S_IFMT(status.st_mode), "a device"))


_SPECIAL = {stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}


def _leads_in(path: str) -> bool:
    """Return whether files below `path`, if it were a folder, would be ours."""
    return file_roles.captured(f"{path}/x.md") or file_roles.captured(f"{path}/SOUL.md") or path in ("agents", "memory")


_LONGEST = 60
_MARKER = re.compile(r"[ \t>|]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+)?(?:\[[ xX]\][ \t]+)?")


def masked(text: str, found: Iterable[secrets.Finding] | None = None) -> str:
    """Return `text` with each secret named instead of shown; every line stays the line it was."""
    hits = secrets.scan(text) if found is None else tuple(found)
    for hit in reversed(hits):
        inside = text[hit.start : hit.end].count("\n")
        text = f"{text[: hit.start]}[{hit.rule}]" + "\n" * inside + text[hit.end :]
    return text


def shown(line: str) -> str:
    """Return a line as it can be quoted: short, without marker, secrets or hidden characters.

    Take it from a text that was `masked` as a whole: half of a secret is not known for one.
    """
    return commit_message.shorten(
        commit_message.one_line(write_guard.cleaned(_MARKER.sub("", line, count=1))), _LONGEST
    )


_UNREAD = ("closed", "link", "special", "repository")
_MOST = 32 << 20  # bytes of one file; what is larger is no Markdown that anybody wrote


class Files(Struct, frozen=True):
    """The texts of our files by path, also of what is no clean text; and what is odd about files and names.

    `said` holds what each line of a memory says, without its secrets; `hits` are these, of all files.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    said: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hits: Mapping[str, tuple[secrets.Finding, ...]] = field(default_factory=dict)
    odd: tuple[Oddity, ...] = ()

    def readable(self, path: str) -> bool:
        """Return whether a file at `path` would have been read: nothing closed or linked lies there or above."""
        return not any(one.kind in _UNREAD and f"{path}/".startswith(f"{one.path}/") for one in self.odd)

    @property
    def memory(self) -> list[str]:
        """The paths of what is remembered."""
        return [path for path in self.texts if remembers(path)]


def remembers(path: str) -> bool:
    """Return whether what stands at `path` is memory: a journal, a note, the memory file, the archive."""
    return file_roles.memory(path) and path != file_roles.CONFIG


def read(root: Path, tracked: Collection[str] = ()) -> Files:
    """Read every file of the scope below `root`; `tracked` are the paths that git knows."""
    texts: dict[str, str] = {}
    odd: list[Oddity] = []
    for place in places(root, tracked):
        odd += _named(place)
        if place.kind != "file":
            odd.append(place)
            continue
        try:
            data = _data(root / place.path)
        except OSError as exc:
            odd.append(Oddity("closed", place.path, exc.strerror or str(exc)))
            continue
        odd += _content(place.path, data)
        texts[place.path] = data.decode("utf-8", "replace")
    odd += (Oddity("twin", twin.paths[0], twin.message) for twin in find_twins(root, texts))
    found = {path: known for path, text in texts.items() if (known := write_guard.scan_file(path, text))}
    clean = {path: masked(text, found.get(path, ())) for path, text in texts.items() if remembers(path)}
    said = {path: tuple(map(saying, text.split("\n"))) for path, text in clean.items()}
    return Files(texts, said, found, tuple(odd))


def _data(place: Path) -> bytes:
    with os.fdopen(worktree_files.open_quietly(place), "rb", buffering=0) as file:
        if os.fstat(file.fileno()).st_size > _MOST:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        return file.read() or b""


def _named(place: Oddity) -> Iterator[Oddity]:
    """Yield what is wrong with a name: such a file is never written to, and some systems cannot have it."""
    if place.kind == "elsewhere":
        return
    try:
        check(place.path)
    except ClawgitError as exc:
        yield Oddity("name", place.path, exc.message.partition(": ")[0].replace("the path ", "its name "))


def _content(path: str, data: bytes) -> Iterator[Oddity]:
    if len(data) > regular_file.LARGEST:
        yield Oddity("large", path, f"{len(data):,} bytes; OpenClaw reads no more than {regular_file.LARGEST:,}")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as exc:
        yield Oddity("encoding", path, f"byte 0x{data[exc.start]:02x} is not UTF-8", _line(data, exc.start))
    if b"\0" in data:
        yield Oddity("binary", path, "a NUL byte", _line(data, data.index(b"\0")))
    if b"<<<<<<<" in data and (line := conflict_markers(data.decode("utf-8", "replace"))):
        yield Oddity("conflict", path, "conflict markers", line)
    if b"\r\n" in data:
        yield Oddity("line-ends", path)
    if data.startswith(b"\xef\xbb\xbf"):
        yield Oddity("byte-order-mark", path)


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1
