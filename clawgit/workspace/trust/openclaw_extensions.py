"""Skills, hooks and settings in the workspace, which OpenClaw loads.

A skill is read by the agent, a script of a skill or the handler of a hook is run, and what programs are to go by may
lead them elsewhere: what came since the first look is told until the operator has seen it.
"""

import contextlib
import os
from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from msgspec.json import decode, encode
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import paths, regular_file
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.trust.kept_notes import KeptNotes

FILE = "extensions.json"
PLACES = ("skills", ".agents/skills", "hooks", "extensions", ".openclaw/hooks", ".openclaw/extensions")
_SETTINGS = (".env", ".envrc", ".mcp.json", ".npmrc", ".claude/settings.json", ".cursorrules")
"""What programs that are started in the workspace go by."""
_SKILL = "SKILL.md"
_SCRIPTS = (".sh", ".bash", ".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".pl", ".php", ".ps1")
_PASSED_OVER = frozenset({"node_modules", "__pycache__", ".git", ".venv"})
_DEEP = 3
_MOST = 2_000
_NEW = "script"
_EDITION = "/2"
"""Stands in the notes since more than skills and hooks is looked at."""
_DESCRIBED = (_SKILL, "HOOK.md", "package.json", "openclaw.plugin.json")


class Found(Struct, frozen=True):
    """A file as it was seen: size and times, the SHA-256 of its bytes, and what is to be told of it, "" for nothing."""

    stands: tuple[int, int, int]
    hash: str
    told: str = ""


class Come(Struct, frozen=True):
    """The `scripts` that came and nobody has answered, which are run or gone by, with their `hashes`."""

    scripts: tuple[str, ...]
    hashes: Mapping[str, str]

    def __bool__(self) -> bool:
        return bool(self.hashes)

    @property
    def told(self) -> tuple[str, ...]:
        """The sentence that tells of them."""
        return (scripts_told(self.scripts),) if self.scripts else ()


def scripts_told(paths: Collection[str]) -> str:
    """Return the sentence that tells of what is run or gone by."""
    what = "it" if len(paths) == 1 else "them"
    return f"{list_names(paths)} came into the workspace: OpenClaw or its agent may run {what}, or go by {what}"


def come(root: Path, notes: KeptNotes) -> Come:
    """Return what the last look found and still stands as it was found."""
    new = {path: one for path, one in (_noted(notes) or {}).items() if one.told == _NEW}
    there = {path: one for path, one in new.items() if _stands(root / path) == one.stands}
    return Come(tuple(there), {path: one.hash for path, one in there.items()})


def look(root: Path, notes: KeptNotes) -> None:
    """Note what is there and what of it is new; at the first look nothing is. Best effort."""
    with contextlib.suppress(OSError, ClawgitError):
        known = _noted(notes)
        now = dict(_looked(root, known))
        if now != known:
            _note(notes, now)


def answer(notes: KeptNotes, seen: Mapping[str, str]) -> None:
    """Note that the operator has seen files with these hashes."""
    known = _noted(notes) or {}
    answered = {path: Found(one.stands, one.hash) for path, one in known.items() if seen.get(path) == one.hash}
    _note(notes, {**known, **answered})


def _looked(root: Path, known: Mapping[str, Found] | None) -> Iterator[tuple[str, Found]]:
    yield _EDITION, Found((0, 0, 0), "")
    for path in filter(paths.is_text, _paths(root)):
        stands, before = _stands(root / path), (known or {}).get(path)
        if stands is None:
            continue
        if before and before.stands == stands:
            yield path, before
            continue
        try:
            data = regular_file.read(root / path)
        except OSError:
            continue
        held = sha256(data).hexdigest()
        if known is None or (before and before.hash == held) or (before is None and _is_first(path, known)):
            yield path, replace(before or Found(stands, held), stands=stands, hash=held)
        else:
            yield path, Found(stands, held, _NEW)


def _is_first(path: str, known: Mapping[str, Found]) -> bool:
    """Return whether notes are from before such files were looked at."""
    looked = path.startswith(("skills/", ".agents/skills/", "hooks/")) and not path.endswith(_DESCRIBED[1:])
    return _EDITION not in known and not looked


def _paths(root: Path) -> Iterator[str]:
    """Yield the skills and scripts that there are, so many at most. A skill or hook may be a link to its folder."""
    yield from _SETTINGS
    left, folders_left = _MOST, _MOST
    for place in PLACES:
        yield from (f"{place}/{file.name}" for file in _files(root / place) if file.name.endswith(_SCRIPTS))
    for one in (one for place in PLACES for one in _inside(root / place)):
        for folder, folders, names in os.walk(one):
            within = Path(folder).relative_to(one).parts
            folders[:] = sorted(set(folders) - _PASSED_OVER) if len(within) < _DEEP else []
            folders_left -= 1
            for path in (Path(folder, name) for name in sorted(names)):
                if path.name in _DESCRIBED or path.name.endswith(_SCRIPTS) or os.access(path, os.X_OK):
                    left -= 1
                    yield path.relative_to(root).as_posix()
            if min(left, folders_left) <= 0:
                return


def _files(place: Path) -> list[Path]:
    try:
        return sorted(one for one in place.iterdir() if one.is_file())
    except OSError:
        return []


def _inside(place: Path) -> list[Path]:
    try:
        return sorted(one for one in place.iterdir() if one.is_dir() and one.name not in _PASSED_OVER)
    except OSError:
        return []


def _stands(place: Path) -> tuple[int, int, int] | None:
    """Return by what an unchanged file is known without reading it; the time of its last change is nobody's to set."""
    try:
        found = place.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _note(notes: KeptNotes, found: Mapping[str, Found]) -> None:
    notes.write(FILE, encode(found))


def _noted(notes: KeptNotes) -> dict[str, Found] | None:
    """Return what was noted, None where nothing was; what cannot be read knows of no file."""
    try:
        data = notes.known(FILE)
        return None if data is None else decode(data, type=dict[str, Found])
    except (OSError, ValueError):
        return {}
