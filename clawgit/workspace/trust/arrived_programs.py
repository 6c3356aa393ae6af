"""Programs that others put into places of git or OpenClaw.

clawgit runs none of them, but git does, for any user who commits or looks here, and OpenClaw loads skills and hooks:
programs that came since the first look are reported until the operator has seen them. Filters are separate, since git
waits for the operator to accept them.
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


def list_arrived(repo: Repository, notes: TrustStore) -> dict[str, str]:
    """Return the programs that nobody has seen in this form, by name, with the fingerprint of each.

    There are none before the first record. A name is a hook's, as "hooks/pre-commit", a key of the configuration, as
    "core.pager", a file of git's, or a file of the workspace, as "./skills/mail/SKILL.md".
    """
    old_prints = _read_known(notes)
    if old_prints is None:
        return {}
    programs = sorted(_list_programs(repo).items())
    return {name: digest for name, digest in programs if digest and old_prints.get(name) != digest}


def begin(repo: Repository, notes: TrustStore) -> None:
    """Record the present programs, before the first record. Best effort: a full disk stops nobody."""
    if _read_known(notes) is None:
        note(notes, _list_programs(repo))


def note_ours(repo: Repository, notes: TrustStore, names: Collection[str]) -> None:
    """Record the programs of these names as they are; nothing before the first record."""
    if _read_known(notes) is not None:
        note(notes, {name: digest for name, digest in _list_programs(repo).items() if name in names})


def note(notes: TrustStore, seen: Mapping[str, str]) -> None:
    """Record these programs as seen, with their fingerprints; others are still to be reported."""
    all_prints = {**(_read_known(notes) or {}), **seen}
    notes.keep_note(FILE, all_prints)


def list_paths(came: Collection[str]) -> tuple[str, ...]:
    """Return the names as the operator knows them: files of the workspace by their paths."""
    return tuple(name.removeprefix(_EXTENSIONS) for name in came)


def describe_programs(came: Collection[str]) -> str:
    """Return a sentence on programs of these names."""
    pronoun = "it" if len(came) == 1 else "them"
    names = list_names(list_paths(came))
    return f"{names} came since you last looked: git, OpenClaw or its agent may run {pronoun} or go by {pronoun}"


def _list_programs(repo: Repository) -> dict[str, str]:
    """Return the fingerprint of each program, by name."""
    settings = foreign_programs.list_own_programs(repo.root).items()
    fingerprints = {
        key: _hash(value.encode("utf-8", "surrogateescape")) for key, value in settings if not key.startswith("filter.")
    }
    fingerprints[_SUBMODULES] = _hash_file(repo.root / _SUBMODULES)
    fingerprints[_REPLACED] = _fingerprint_replaced(repo)
    fingerprints[_ALTERNATES] = _hash_file(repo.commondir / _ALTERNATES)
    fingerprints[_EXTENSIONS] = ""
    fingerprints |= {
        f"{_EXTENSIONS}{path}": _hash_file(repo.root / path) for path in filter(paths.is_text, _extensions(repo.root))
    }
    for hook in regular_file.list_folder(repo.commondir / "hooks"):
        if not hook.name.endswith(_SAMPLE) and os.access(hook, os.X_OK) and not hook.is_dir():
            fingerprints[f"hooks/{hook.name}"] = _hash_file(hook)
    return fingerprints


def _fingerprint_replaced(repo: Repository) -> str:
    """Return the fingerprint of git's replacement objects, "" if there are none."""
    rows: list[str] = []
    with contextlib.suppress(OSError):
        packed = (repo.commondir / "packed-refs").read_text("utf-8", "replace").splitlines()
        rows += [row for row in packed if f" {_REPLACED}/" in row]
    with contextlib.suppress(OSError):
        folder = repo.commondir / _REPLACED
        loose = [(file, regular_file.read(file).decode("utf-8", "replace").strip()) for file in folder.iterdir()]
        rows += [f"{oid} {_REPLACED}/{file.name}" for file, oid in loose]
    return _hash("\n".join(sorted(set(rows))).encode()) if rows else ""


def _extensions(root: Path) -> Iterator[str]:
    """Yield the skills and scripts that there are, so many at most. A skill or hook may be a link to its folder."""
    yield from _SETTINGS
    left = _MAX_FILES
    for place in (root / place for place in _PLACES):
        for item in regular_file.list_folder(place):
            for folder, folders, names in os.walk(item) if item.is_dir() and item.name not in _PASSED_OVER else ():
                depth = len(Path(folder).relative_to(item).parts)
                folders[:] = sorted({*folders} - _PASSED_OVER) if depth < _MAX_DEPTH else []
                files = [Path(folder, name) for name in sorted(names)]
                for file in files[:left]:
                    if file.name in _DESCRIBED or file.name.endswith(_SCRIPTS) or os.access(file, os.X_OK):
                        yield file.relative_to(root).as_posix()
                left -= len(files) + 1
                if left <= 0:
                    return
            if item.is_file() and item.name.endswith(_SCRIPTS):
                yield item.relative_to(root).as_posix()


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _hash_file(place: Path) -> str:
    """Return the fingerprint of a file, "" if there is none."""
    try:
        return _hash(regular_file.read(place, _LARGEST))
    except FileNotFoundError:
        return ""
    except OSError:
        return "unreadable"


def _read_known(notes: TrustStore) -> Mapping[str, str] | None:
    """Return the record, None if there is none; an unreadable one is empty."""
    known = notes.read_note(FILE, dict[str, str], {})
    return known if not known or all(mark in known for mark in _MARKS) else None
