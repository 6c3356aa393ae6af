"""Hooks, programs and submodules that others put there.

clawgit runs none of them, but git does, for whoever commits or looks here. Filters are told apart, since git waits
for the operator to accept them.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from clawgit.errors import ClawgitError
from clawgit.git import foreign_programs, regular_file
from clawgit.git.repository import Repository
from clawgit.workspace.trust.kept_notes import KeptNotes

_FILE = "programs.json"
_LARGEST = 1 << 20
_SAMPLE = ".sample"
_SUBMODULES = ".gitmodules"
"""It names repositories that git fetches into the workspace, and what it does with them."""
_REPLACED = "refs/replace"
"""There git finds objects that it shows in the place of others."""
_SINCE = (_SUBMODULES, _REPLACED)
"""What notes of older versions do not have."""
_NAMED = 6
"""So many programs a sentence names."""


def come(repo: Repository, notes: KeptNotes) -> dict[str, str]:
    """Return the programs that nobody has seen as they are, by name, with the fingerprint of each.

    There are none where nothing was ever noted. A name is a hook's, as "hooks/pre-commit", a key of the configuration,
    as "core.pager", .gitmodules, or refs/replace.
    """
    known = _known(notes)
    if known is None:
        return {}
    there = sorted(_there(repo).items())
    return {name: held for name, held in there if held and known.get(name) != held and not _is_first(name, known)}


def noted(notes: KeptNotes) -> bool:
    """Return whether anything was ever noted."""
    return _known(notes) is not None


def begin(repo: Repository, notes: KeptNotes) -> None:
    """Note what is there, where nothing was noted before. Best effort: a disk that takes nothing stops nobody."""
    with contextlib.suppress(ClawgitError):
        if not noted(notes):
            note(notes, _there(repo))
            return
        known = _known(notes) or {}
        first = [name for name in _SINCE if _is_first(name, known)]
        if first or notes.apart(_FILE) is None:
            there = _there(repo) if first else {}
            note(notes, {name: there[name] for name in first})


def note_ours(repo: Repository, notes: KeptNotes, names: Collection[str]) -> None:
    """Note the programs of these names as they are; nothing where nothing was ever noted."""
    if noted(notes):
        note(notes, {name: held for name, held in _there(repo).items() if name in names})


def note(notes: KeptNotes, seen: Mapping[str, str]) -> None:
    """Note these programs as seen, with their fingerprints; what is there otherwise is still to be told."""
    there = {**(_known(notes) or {}), **seen}
    notes.write(_FILE, json.dumps(there, sort_keys=True).encode())


def told(came: Iterable[str]) -> str:
    """Return the sentence that tells of programs of these names."""
    names = list(came)
    named = f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more" if names[_NAMED:] else ", ".join(names)
    what = "it" if len(names) == 1 else "them"
    return f"{named} came into the repository: git goes by {what} for whoever works here, clawgit never does"


def _there(repo: Repository) -> dict[str, str]:
    """Return the fingerprint of each program, by name."""
    named = foreign_programs.named(repo.root).items()
    found = {key: _hash(value.encode("utf-8", "surrogateescape")) for key, value in named if not _filter(key)}
    found[_SUBMODULES] = _submodules(repo)
    found[_REPLACED] = _replaced(repo)
    return found | dict(_hooks(repo.commondir / "hooks"))


def _submodules(repo: Repository) -> str:
    """Return the fingerprint of the list of repositories to fetch, "" where there is none."""
    try:
        return _hash(regular_file.read(repo.root / _SUBMODULES))
    except FileNotFoundError:
        return ""
    except OSError:
        return "unreadable"


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


def _is_first(name: str, known: Mapping[str, str]) -> bool:
    """Return whether notes are from before that was looked at."""
    return name in _SINCE and name not in known


def _filter(key: str) -> bool:
    return key.startswith("filter.")


def _hooks(folder: Path) -> Iterator[tuple[str, str]]:
    try:
        there = sorted(os.scandir(folder), key=lambda one: one.name)
    except OSError:
        return
    for one in there:
        if not one.name.endswith(_SAMPLE) and os.access(one.path, os.X_OK) and not one.is_dir():
            try:
                yield f"hooks/{one.name}", _hash(regular_file.read(Path(one.path), _LARGEST))
            except OSError:
                yield f"hooks/{one.name}", "unreadable"


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _known(notes: KeptNotes) -> Mapping[str, str] | None:
    """Return what was noted, None where nothing was; what cannot be read knows of no program.

    What lies beside the approvals counts, as long as there is any: whoever puts a program there could note it, too.
    """
    try:
        data = notes.known(_FILE)
        found = None if data is None else json.loads(data)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) or found is None else {}
