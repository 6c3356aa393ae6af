"""Programs that others put into places of git or OpenClaw.

clawgit runs none of them, but git does, for any user who commits or looks here, and OpenClaw loads skills and hooks:
programs that came since the first look are reported until the operator has seen them. Filters are separate, since git
waits for the operator to accept them.
"""

import hashlib
import itertools
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from clawgit import file_roles
from clawgit.git import foreign_programs, paths, regular_file
from clawgit.git.git_command import git
from clawgit.git.repository import Repository
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.trust.approvals import TrustStore

FILE = "programs.json"
_LARGEST = 1 << 20
_SAMPLE = ".sample"
_SUBMODULES = ".gitmodules"
"""It names repositories that git fetches into the workspace, and what it does with them."""
_REPLACE_REFS = "refs/replace"
"""There git finds objects that it shows in the place of others."""
_ALTERNATES = "objects/info/alternates"
"""It names folders outside from which git takes objects: whoever has one can take history away."""
_EXTENSIONS = "./"
"""Begins the names of the workspace's own files, which git's hooks cannot have."""
_PLACES = ("skills", ".agents/skills", "hooks", "extensions", ".openclaw/hooks", ".openclaw/extensions")
_SETTINGS = (".env", ".envrc", ".mcp.json", ".npmrc", ".claude/settings.json", ".cursorrules")
"""What programs that are started in the workspace go by."""
_DESCRIBED = ("SKILL.md", "HOOK.md", "package.json", "openclaw.plugin.json")
_PASSED_OVER = frozenset({"node_modules", "__pycache__", ".git", ".venv"})
_MAX_DEPTH, _MAX_FILES = 3, 2_000


def list_arrived(repo: Repository, notes: TrustStore) -> dict[str, str]:
    """Return the programs that nobody has seen in this form, by name, with the fingerprint of each.

    There are none before the first record. A name is a hook's, as "hooks/pre-commit", a key of the configuration, as
    "core.pager", a file of git's, or a file of the workspace, as "./skills/mail/SKILL.md".
    """
    old_prints = _read_known_programs(notes)
    programs = sorted(_hash_programs(repo).items()) if old_prints is not None else []
    return {name: digest for name, digest in programs if digest and (old_prints or {}).get(name) != digest}


def record_first_programs(repo: Repository, notes: TrustStore) -> None:
    """Record the present programs, before the first record. Best effort: a full disk stops nobody."""
    if _read_known_programs(notes) is None:
        record_programs(notes, _hash_programs(repo))


def note_ours(repo: Repository, notes: TrustStore, names: Collection[str]) -> None:
    """Record the programs of these names as they are; nothing before the first record."""
    if _read_known_programs(notes) is not None:
        record_programs(notes, {name: digest for name, digest in _hash_programs(repo).items() if name in names})


def record_programs(notes: TrustStore, programs: Mapping[str, str]) -> None:
    """Record these programs as seen, with their fingerprints; others are still to be reported."""
    notes.keep_note(FILE, {**(_read_known_programs(notes) or {}), **programs})


def list_paths(came: Collection[str]) -> tuple[str, ...]:
    """Return the names as the operator knows them: files of the workspace by their paths."""
    return tuple(name.removeprefix(_EXTENSIONS) for name in came)


def describe_programs(came: Collection[str]) -> str:
    """Return a sentence on programs of these names."""
    pronoun = "it" if len(came) == 1 else "them"
    names = list_names(list_paths(came))
    return f"{names} came since you last looked: git, OpenClaw or its agent may run {pronoun} or go by {pronoun}"


def _hash_programs(repo: Repository) -> dict[str, str]:
    """Return the fingerprint of each program, by name."""
    settings = foreign_programs.list_own_programs(repo.root).items()
    texts = {key: value.encode("utf-8", "surrogateescape") for key, value in settings if not key.startswith("filter.")}
    # With these fields git looks for no object: one that is missing would be an error.
    fields = ("--format=%(objectname) %(refname)", "--sort=objectname")
    texts[_REPLACE_REFS] = git(repo.root, "for-each-ref", *fields, _REPLACE_REFS).strip()
    # Git runs no hook that is not executable, and its samples are not named as hooks.
    hooks = [file for file in regular_file.list_folder(repo.commondir / "hooks") if not file.name.endswith(_SAMPLE)]
    files = {f"hooks/{hook.name}": hook for hook in hooks if os.access(hook, os.X_OK) and not hook.is_dir()}
    files |= {_SUBMODULES: repo.root / _SUBMODULES, _ALTERNATES: repo.commondir / _ALTERNATES}
    files |= {f"{_EXTENSIONS}{path}": repo.root / path for path in filter(paths.is_text, _list_extensions(repo.root))}
    return {
        **{name: hashlib.sha256(text).hexdigest() for name, text in texts.items() if text},
        **{name: _hash_program_file(file) for name, file in files.items()},
    }


def _list_extensions(root: Path) -> Iterator[str]:
    """Yield the settings, skills and scripts, so many at most; a skill or hook may be a link to its folder."""
    yield from _SETTINGS
    items = itertools.chain.from_iterable(regular_file.list_folder(root / place) for place in _PLACES)
    programs = (item for item in items if item.name not in _PASSED_OVER)
    files = itertools.chain.from_iterable((item, *_list_program_files(item)) for item in programs)
    for file in itertools.islice(files, _MAX_FILES):
        # False below a folder that may not be entered, where `is_dir` raises.
        is_program = file.name in _DESCRIBED or file.name.endswith(file_roles.SCRIPTS) or os.access(file, os.X_OK)
        if is_program and not os.path.isdir(file):  # noqa: PTH112
            yield file.relative_to(root).as_posix()


def _list_program_files(item: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(item):
        is_deep = len(Path(folder).parts) - len(item.parts) >= _MAX_DEPTH
        folders[:] = [] if is_deep else sorted(name for name in folders if name not in _PASSED_OVER)
        yield from (Path(folder, name) for name in sorted(names))


def _hash_program_file(place: Path) -> str:
    """Return the fingerprint of a file, "" if there is none."""
    try:
        return hashlib.sha256(regular_file.read_regular_file(place, _LARGEST)).hexdigest()
    except FileNotFoundError:
        return ""
    except OSError:
        return "unreadable"


def _read_known_programs(notes: TrustStore) -> dict[str, str] | None:
    """Return the record, None if there is none; one that cannot be read is empty, so that all is reported."""
    return notes.read_note(FILE, dict[str, str], {})
