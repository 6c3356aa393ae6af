"""The role of each file: identity, memory, journal, ours."""

import os
import re
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from functools import lru_cache
from pathlib import Path

SOUL = "SOUL.md"
USER = "USER.md"
AGENTS = "AGENTS.md"
TOOLS = "TOOLS.md"
MEMORY = "MEMORY.md"
LOWER_MEMORY = "memory.md"
CONFIG = "CONFIG.md"
CORRECTIONS = "CORRECTIONS.md"
CONFLICTS = "CONFLICTS.md"
FORMAT = ".clawgit/format"
OURS = ".clawgit/"
EJECTED = "workspace: given back by clawgit"  # the subject; any other commit deletes FORMAT by accident
FOLDERS = ("memory/", "Archive/")
RECORDS = (CORRECTIONS, CONFLICTS, "memory/archive/", "Archive/")
"""Files that clawgit fills by itself, however much comes together."""
FORGOTTEN = "memory/archive/memories/"
"""The folder of memories that were forgotten or have expired."""
FACTS = ".clawgit/facts.tsv"
TAINTED = ".clawgit/tainted.tsv"
PURGED = ".clawgit/purged.tsv"
STRUCTURED = "memory/structured/"
"""Where the organizer shows the facts of a class; they stand in memories, too."""
INDEX = "memory/INDEX.md"

MAY_GO = frozenset({"BOOTSTRAP.md", "HEARTBEAT.md"})
"""OpenClaw itself removes them when it is done with them."""

IDENTITY = ("SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md")

_INSTRUCTIONS = ("AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md")
_USER = re.compile(r"users/[^/]+/USER\.md")
_SELF = ("SOUL.md", "IDENTITY.md")

IDENTITY_GLOBS = ("agents/*/SOUL.md", "users/*/USER.md")
"""The rest of the identity."""
IDENTITY_PATHS = (*IDENTITY, *(f":(glob){glob}" for glob in IDENTITY_GLOBS))
"""All of the identity, as git matches paths."""

_LOADED = frozenset({"skills", "hooks", "extensions"})
"""Folders of a workspace out of which OpenClaw runs what it finds."""
_HIDDEN = frozenset({".agents", ".openclaw", ".claude"})
_HIDDEN_CONTENT = frozenset({".gitignore", ".gitkeep"})
SCRIPTS = (".sh", ".bash", ".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".pl", ".php", ".ps1")
"""Endings of the names of programs, whatever their mode."""

_AGENT_SOUL = re.compile(r"agents/[^/]+/SOUL\.md")
_SPELLED = re.compile(r"(?:(agents)|users)/([^/]+)/(?(1)SOUL|USER)\.md", re.IGNORECASE)
_DREAMS = re.compile(r"memory/\.?dream(?:ing|s)/.*|(?:DREAMS|dreams)\.md")
_COPY = re.compile(
    r"(.*?[^/])(?:\.(?:sync-)?conflict(?:\d*|-\d[^./]*)|_conflict-\d[^./]*|_[^_./]+_[^_./]*\d{4}_conflict"
    r"| [(\[][^][()/]*(?:conflicted|case conflict|[ck]onfli[ck]?t[^][()/]*\d)[^][()/]*[)\]])(\.[^./]+)?",
    re.IGNORECASE,
)
"""Names of copies: the word at their end, with a number or a date, or in brackets; others may be an owner's."""
_NUMBERED_COPY = re.compile(
    r"((?:.*/)?(?:[A-Z]{4,}|\d{4}-\d\d-\d\d)) (?:\(\d\d?\)|[2-9]|\([^()/]+ \d{4}-\d\d-\d\d[^()/]*\))(\.md)"
)
"""Names of copies without that word, of a file with a fixed name: one of another name may be a file."""
_WILDCARD = re.compile(r"(\*\*/|\*\*|\*|\?)")
_JOURNAL = re.compile(r"memory/(?!dreaming/)(?:.*/)?(\d{4}-\d{2}-\d{2})[^/]*\.md")


def is_identity(path: str) -> bool:
    """Return whether `path` belongs to the identity, with its policy, alarms and approval."""
    return role_name(path) in IDENTITY or bool(_AGENT_SOUL.fullmatch(path))


def role_name(path: str) -> str:
    """Return the path of the file that has the role of `path`: USER.md for one below `users/`, else itself."""
    return USER if _USER.fullmatch(path) else path


def identity_files(root: Path) -> Iterator[str]:
    """Yield the existing identity files of a workspace, in any form."""
    yield from (name for name in IDENTITY if os.path.lexists(root / name))
    for glob in IDENTITY_GLOBS:
        yield from sorted(place.relative_to(root).as_posix() for place in root.glob(glob))


def find_identity_name(path: str) -> str:
    """Return the identity file that `path` names with other capitals, else `path`: on some disks it is that file."""
    if match := _SPELLED.fullmatch(path):
        return f"agents/{match[2]}/{SOUL}" if match[1] else f"users/{match[2]}/{USER}"
    return next((name for name in IDENTITY if name.casefold() == path.casefold()), path)


def self_description(path: str) -> bool:
    """Return whether `path` describes an agent itself, its highest memory tier: not its operator, work or tools."""
    return path in _SELF or bool(_AGENT_SOUL.fullmatch(path))


def is_control_file(path: str) -> bool:
    """Return whether a program runs `path`, or goes by it: a skill, a hook, an extension, a script, a hidden setting.

    That is so in any capitals: on some disks it is the same file. Markdown may be hidden, and so may dreams.
    """
    *folders, name = path.casefold().split("/")
    own = folders[2:] if folders[:1] == ["agents"] else folders
    first = (*own, name)[0]
    if first in _LOADED or not _HIDDEN.isdisjoint((*folders, name)) or name.endswith(SCRIPTS):
        return True
    is_hidden = any(part.startswith(".") for part in (*folders, name)) and name not in _HIDDEN_CONTENT
    return is_hidden and not (name.endswith(".md") or is_dreaming_output(path) or path.casefold().startswith(OURS))


def is_memory_or_settings(path: str) -> bool:
    """Return whether `path` is part of the memory, or of its settings."""
    is_named = path in (MEMORY, LOWER_MEMORY, CONFIG, CORRECTIONS, CONFLICTS)
    return is_named or (path.startswith(FOLDERS) and path.endswith(".md") and not copied_from(path))


def is_captured(path: str, globs: Iterable[str] = (), *, tracked: bool = False) -> bool:
    """Return whether `path` is ours to commit when others wrote it.

    That is identity, memory, Markdown in the root, Markdown that is `tracked` already, and additions by `globs`
    (`capture` of CONFIG.md). Untracked Markdown elsewhere is somebody else's: it may be a library's, or a build's.
    """
    if path.startswith(".git/") or copied_from(path):
        return False
    is_in_place = "/" not in path or path.startswith(FOLDERS) or is_identity(path) or tracked
    return (is_in_place and path.endswith(".md")) or any(_matches_glob(glob, path) for glob in globs)


def _matches_glob(glob: str, path: str) -> bool:
    """Return whether a `glob` in the grammar of .gitignore names `path`: `**/` is any folders, or none.

    Each part of it is tried once at each letter: no glob takes long.
    """
    starts, letters = {0}, range(len(path) + 1)
    for part in _WILDCARD.split(glob):
        if part in ("*", "**", "**/"):
            ends = set[int]()
            for place in letters[min(starts, default=len(path)) :]:
                if place in starts or (place - 1 in ends and (part != "*" or path[place - 1] != "/")):
                    ends.add(place)
            starts = starts | {place for place in ends if path[:place].endswith("/")} if part == "**/" else ends
        elif part == "?":
            starts = {start + 1 for start in starts if path[start : start + 1] not in ("", "/")}
        else:
            starts = {start + len(part) for start in starts if path.startswith(part, start)}
    return len(path) in starts


def widen(glob: str) -> str:
    """Return a glob with two wildcards for git, which tries every way of more; it names no fewer files."""
    first, *parts = _WILDCARD.split(glob)
    return f"{first[: first.rfind('/') + 1]}**/*{parts[-1]}" if parts[2:] else glob


def is_view_of_facts(path: str) -> bool:
    """Return whether `path` is a view of facts in other memories: a file of a class, or the index."""
    return path.startswith(STRUCTURED) or path == INDEX


def is_dreaming_output(path: str) -> bool:
    """Return whether OpenClaw's dreaming writes `path`: questions and guesses word for word, no memories."""
    return _DREAMS.fullmatch(path) is not None


def copied_from(path: str) -> str:
    """Return the file that `path` is a copy of, which a program that syncs folders left; "" for no copy."""
    match = _COPY.fullmatch(path) if "onfli" in path.casefold() else _NUMBERED_COPY.fullmatch(path)
    return f"{match[1]}{match[2] or ''}" if match else ""


def journal_day(path: str) -> date | None:
    """Return the day that a journal's path names, None for another file, and for a copy of one."""
    match = None if copied_from(path) else _JOURNAL.fullmatch(path)
    try:
        return date.fromisoformat(match[1]) if match else None
    except ValueError:
        return None


def entry_role(path: str, memory_files: Collection[str] = ()) -> str | None:
    """Return the role of the entries of `path`: memory, journal, identity or instruction; None for other files."""
    if path in memory_files:
        return "memory"
    if is_view_of_facts(path) or is_dreaming_output(path) or copied_from(path):
        return None
    if path in _INSTRUCTIONS:
        return "instruction"
    if is_identity(path):
        return "identity"
    if journal_day(path):
        return "journal"
    topic = path.startswith("memory/") and path.endswith(".md")
    return "memory" if topic or path in (MEMORY, LOWER_MEMORY) else None


def name_area(path: str) -> str:
    """Return the word that opens the subject of a commit about `path`."""
    if path == SOUL or _AGENT_SOUL.fullmatch(path):
        return "soul"
    if is_identity(path):
        return role_name(path).removesuffix(".md").lower()
    if path == CONFIG:
        return "config"
    return "journal" if journal_day(path) else "memory"


DUMP_HEAD_BYTES = 400
"""Bytes of a file in which it says what it is."""
_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*# Session:[^\n]*\n\s*- \*\*Session Key\*\*:")
_SESSION = re.compile(rb"^- \*\*Session ID\*\*:[ \t]*(\S+)", re.MULTILINE)
_NAMED = re.compile(r"(?:.*/)?\d{4}-\d{2}-\d{2}-[^/]+\.md")


@lru_cache(1 << 16)  # asked for each journal at each search
def may_be_dump(path: str) -> bool:
    """Return whether a file is named like those of OpenClaw's session-memory hook: a day, then an hour or a word."""
    return journal_day(path) is not None and _NAMED.fullmatch(path) is not None


def is_dump(path: str, data: bytes) -> bool:
    """Return whether a file is a conversation word for word, as `/new` and `/reset` leave it: no memory by itself."""
    return may_be_dump(path) and begins_dump(data)


def read_dump_session(data: bytes) -> str:
    """Return the session id in such a file, "" if it has none."""
    match = _SESSION.search(data)
    return match[1].decode("utf-8", "replace") if match else ""


def begins_dump(data: bytes) -> bool:
    """Return whether bytes begin as such a file does."""
    return _BEGINS.match(data) is not None
