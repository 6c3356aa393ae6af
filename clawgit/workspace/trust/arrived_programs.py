"""Programs that others put where git or OpenClaw run them.

clawgit runs none of them, but git does, for whoever commits or looks here, and OpenClaw loads skills and hooks: what
came since the first look is told until the operator has seen it. Filters are told apart, since git waits for the
operator to accept them.
"""

import contextlib
import hashlib
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from clawgit.git import foreign_programs, paths, regular_file
from clawgit.git.repository import Repository
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.trust.approvals import TrustStore

FILE = "programs.json"
_LARGEST = 1 << 20
_SAMPLE = ".sample"
_SUBMODULES = ".gitmodules"
"""It names repositories that git fetches into the workspace, and what it does with them."""
_REPLACED = "refs/replace"
"""There git finds objects that it shows in the place of others."""
_ALTERNATES = "objects/info/alternates"
"""It names folders outside from which git takes objects: whoever has one can take history away."""
_EXTENSIONS = "./"
"""Begins the names of the workspace's own files, which git's hooks cannot have."""
_MARKS = (_SUBMODULES, _REPLACED, _ALTERNATES, _EXTENSIONS)
"""Every note has these; one of an older version, without them, counts as none."""
_PLACES = ("skills", ".agents/skills", "hooks", "extensions", ".openclaw/hooks", ".openclaw/extensions")
_SETTINGS = (".env", ".envrc", ".mcp.json", ".npmrc", ".claude/settings.json", ".cursorrules")
"""What programs that are started in the workspace go by."""
_DESCRIBED = ("SKILL.md", "HOOK.md", "package.json", "openclaw.plugin.json")
_SCRIPTS = (".sh", ".bash", ".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".pl", ".php", ".ps1")
_PASSED_OVER = frozenset({"node_modules", "__pycache__", ".git", ".venv"})
_MAX_DEPTH, _MAX_FILES = 3, 2_000


def come(repo: Repository, notes: TrustStore) -> dict[str, str]:
    """Return the programs that nobody has seen as they are, by name, with the fingerprint of each.

    There are none where nothing was ever noted. A name is a hook's, as "hooks/pre-commit", a key of the configuration,
    as "core.pager", a file of git's, or a file of the workspace, as "./skills/mail/SKILL.md".
    """
    known = _known(notes)
    if known is None:
        return {}
    there = sorted(_there(repo).items())
    return {name: held for name, held in there if held and known.get(name) != held}


def begin(repo: Repository, notes: TrustStore) -> None:
    """Note what is there, where nothing was noted before. Best effort: a disk that takes nothing stops nobody."""
    if _known(notes) is None:
        note(notes, _there(repo))


def note_ours(repo: Repository, notes: TrustStore, names: Collection[str]) -> None:
    """Note the programs of these names as they are; nothing where nothing was ever noted."""
    if _known(notes) is not None:
        note(notes, {name: held for name, held in _there(repo).items() if name in names})


def note(notes: TrustStore, seen: Mapping[str, str]) -> None:
    """Note these programs as seen, with their fingerprints; what is there otherwise is still to be told."""
    there = {**(_known(notes) or {}), **seen}
    notes.keep_note(FILE, there)


def list_paths(came: Collection[str]) -> tuple[str, ...]:
    """Return the names as the operator knows them: files of the workspace by their paths."""
    return tuple(name.removeprefix(_EXTENSIONS) for name in came)


def told(came: Collection[str]) -> str:
    """Return the sentence that tells of programs of these names."""
    what = "it" if len(came) == 1 else "them"
    names = list_names(list_paths(came))
    return f"{names} came since you last looked: git, OpenClaw or its agent may run {what} or go by {what}"


def _there(repo: Repository) -> dict[str, str]:
    """Return the fingerprint of each program, by name."""
    named = foreign_programs.named(repo.root).items()
    found = {
        key: _hash(value.encode("utf-8", "surrogateescape")) for key, value in named if not key.startswith("filter.")
    }
    found[_SUBMODULES] = _hash_file(repo.root / _SUBMODULES)
    found[_REPLACED] = _replaced(repo)
    found[_ALTERNATES] = _hash_file(repo.commondir / _ALTERNATES)
    found[_EXTENSIONS] = ""
    found |= {
        f"{_EXTENSIONS}{path}": _hash_file(repo.root / path) for path in filter(paths.is_text, _extensions(repo.root))
    }
    for one in regular_file.list_folder(repo.commondir / "hooks"):
        if not one.name.endswith(_SAMPLE) and os.access(one, os.X_OK) and not one.is_dir():
            found[f"hooks/{one.name}"] = _hash_file(one)
    return found


def _replaced(repo: Repository) -> str:
    """Return the fingerprint of the objects that git shows in the place of others, "" where there are none."""
    shown: list[str] = []
    with contextlib.suppress(OSError):
        packed = (repo.commondir / "packed-refs").read_text("utf-8", "replace").splitlines()
        shown += [row for row in packed if f" {_REPLACED}/" in row]
    with contextlib.suppress(OSError):
        folder = repo.commondir / _REPLACED
        loose = [(one, regular_file.read(one).decode("utf-8", "replace").strip()) for one in folder.iterdir()]
        shown += [f"{oid} {_REPLACED}/{one.name}" for one, oid in loose]
    return _hash("\n".join(sorted(set(shown))).encode()) if shown else ""


def _extensions(root: Path) -> Iterator[str]:
    """Yield the skills and scripts that there are, so many at most. A skill or hook may be a link to its folder."""
    yield from _SETTINGS
    left = _MAX_FILES
    for place in (root / place for place in _PLACES):
        for one in regular_file.list_folder(place):
            for folder, folders, names in os.walk(one) if one.is_dir() and one.name not in _PASSED_OVER else ():
                depth = len(Path(folder).relative_to(one).parts)
                folders[:] = sorted({*folders} - _PASSED_OVER) if depth < _MAX_DEPTH else []
                files = [Path(folder, name) for name in sorted(names)]
                for file in files[:left]:
                    if file.name in _DESCRIBED or file.name.endswith(_SCRIPTS) or os.access(file, os.X_OK):
                        yield file.relative_to(root).as_posix()
                left -= len(files) + 1
                if left <= 0:
                    return
            if one.is_file() and one.name.endswith(_SCRIPTS):
                yield one.relative_to(root).as_posix()


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _hash_file(place: Path) -> str:
    """Return the fingerprint of a file, "" where there is none."""
    try:
        return _hash(regular_file.read(place, _LARGEST))
    except FileNotFoundError:
        return ""
    except OSError:
        return "unreadable"


def _known(notes: TrustStore) -> Mapping[str, str] | None:
    """Return what was noted, None where nothing was; what cannot be read knows of no program."""
    known = notes.read_note(FILE, dict[str, str], {})
    return known if not known or all(mark in known for mark in _MARKS) else None
