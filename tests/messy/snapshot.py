"""Everything that can be seen of a workspace, and how two sights differ."""

import os
import stat
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Seen:
    """One path: its kind, permissions, content (bytes of a file, target of a link), last change in ns, inode."""

    kind: str
    mode: int
    data: bytes
    changed: int
    node: int

    @property
    def itself(self) -> tuple[str, int, bytes]:
        """The fields that stay the same if the path does."""
        return self.kind, self.mode, self.data


Files = Mapping[str, Seen]


@dataclass(frozen=True)
class Snapshot:
    """The files (git's own folder left out), and git's state, by topic."""

    files: Files
    git: Mapping[str, object] = field(default_factory=dict)


def walk(root: Path, *, without: frozenset[Path] = frozenset()) -> dict[str, Seen]:
    return dict(_walk(root, root, without))


def _walk(root: Path, folder: Path, excluded: frozenset[Path]) -> Iterator[tuple[str, Seen]]:
    with os.scandir(folder) as scan:
        entries = sorted(scan, key=lambda entry: entry.name)
    for entry in entries:
        place = folder / entry.name
        if place in excluded:
            continue
        status = look(place)
        yield os.path.relpath(place, root), status
        if status.kind == "folder":
            yield from _walk(root, place, excluded)


def look(place: Path) -> Seen:
    """Return the entry of one path; a pipe is not read."""
    status = place.lstat()
    kind, data = "other", b""
    if stat.S_ISLNK(status.st_mode):
        kind, data = "link", os.fsencode(place.readlink())
    elif stat.S_ISREG(status.st_mode):
        kind, data = "file", place.read_bytes()
    elif stat.S_ISDIR(status.st_mode):
        kind = "folder"
    elif stat.S_ISFIFO(status.st_mode):
        kind = "pipe"
    # Git freshens the shared part of a split index when it reads it, and an object that it finds while it writes.
    fleeting = place.name.startswith("sharedindex.") or place.parent.parent.name == "objects"
    changed = 0 if fleeting else status.st_mtime_ns
    return Seen(kind, stat.S_IMODE(status.st_mode), data, changed, status.st_ino)


def take(root: Path) -> Snapshot:
    places = git_places(root)
    files = walk(root, without=frozenset({root / ".git"}))
    return Snapshot(files, dict(_git(root, *places)) if places else {})


def git_places(root: Path) -> tuple[Path, Path] | None:
    """Return git's folder of this working tree, and the one of all; None without a repository."""
    if not os.path.lexists(root / ".git"):
        return None
    output = ask(root, "rev-parse", "--absolute-git-dir", "--git-common-dir").decode().splitlines()
    return Path(output[0]), (root / output[1]).resolve()


def ask(root: Path, *words: str, check: bool = True, stdin: bytes = b"") -> bytes:
    """Return git's answer, for any configuration."""
    plain = (
        "--no-optional-locks",
        "-c",
        "color.ui=never",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "log.showSignature=false",
    )
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_NO_REPLACE_OBJECTS": "1"}
    result = subprocess.run(
        ["git", *plain, *words], cwd=root, input=stdin, env=environment, capture_output=True, check=False
    )
    if check and result.returncode:
        raise AssertionError(f"git {words}: {result.stderr.decode(errors='replace')}")
    return result.stdout


def _git(root: Path, own: Path, common: Path) -> Iterator[tuple[str, object]]:
    yield "HEAD", (own / "HEAD").read_bytes()
    yield "head", ask(root, "rev-parse", "-q", "--verify", "HEAD", check=False).decode().strip()
    yield "references", _references(root)
    yield "reflogs", frozenset(walk(common / "logs")) if (common / "logs").is_dir() else frozenset()
    yield "stash", _bytes(common / "logs/refs/stash")
    yield "config", _bytes(common / "config")
    yield "config.worktree", _bytes(own / "config.worktree")
    yield "hooks", {path: entry.itself for path, entry in walk(common / "hooks").items()} if _is_folder(common) else {}
    yield "info", {path: entry.itself for path, entry in walk(common / "info").items()} if _has_info(common) else {}
    yield "index", _index(root)
    yield "worktrees", _worktrees(common)
    yield "ours", frozenset(name for folder in (own, common) for name in _ours(folder))


def _is_folder(common: Path) -> bool:
    return (common / "hooks").is_dir()


def _has_info(common: Path) -> bool:
    return (common / "info").is_dir()


def _bytes(place: Path) -> bytes | None:
    return place.read_bytes() if place.exists() else None


def _references(root: Path) -> dict[str, str]:
    output = ask(root, "for-each-ref", "--format=%(objectname) %(symref) %(refname)").decode("utf-8", "surrogateescape")
    rows = (line.split(" ", 2) for line in output.splitlines())
    return {name: f"{oid} {target}" for oid, target, name in rows}


def _index(root: Path) -> dict[str, str]:
    """Return each entry: flag letter, mode, object and stage, by path (and stage, if it is not 0)."""
    output = ask(root, "ls-files", "-s", "-v", "-z").decode("utf-8", "surrogateescape")
    rows = (row.split("\t", 1) for row in output.split("\0") if row)
    return {f"{path}" if facts.endswith(" 0") else f"{path} {facts[-1]}": facts for facts, path in rows}


def _worktrees(common: Path) -> dict[str, bytes]:
    folder = common / "worktrees"
    paths = folder.glob("*/*") if folder.is_dir() else ()
    return {str(place.relative_to(folder)): place.read_bytes() for place in paths if place.name in ("HEAD", "gitdir")}


def _ours(folder: Path) -> Iterator[str]:
    """Yield our places in git's folder."""
    if (folder / "clawgit").exists():
        yield "clawgit"
    for name in ("refs/clawgit", "logs/refs/clawgit"):
        if (folder / name).exists():
            yield name


# ---- comparing


def unlike(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    keys = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
    return [f"{key}: {_short(before.get(key))} -> {_short(after.get(key))}" for key in keys]


def _short(value: object) -> str:
    if isinstance(value, Seen):
        value = (value.kind, f"{value.mode:o}", value.data[:300], value.changed)
    return "nothing" if value is None else repr(value)[:400]


def itself(files: Files) -> dict[str, tuple[str, int, bytes]]:
    """Return the files without their times."""
    return {path: entry.itself for path, entry in files.items()}
