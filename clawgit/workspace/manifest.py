"""Places of memories, and the files of each agent."""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import Advice, ClawgitError, agent_forbidden
from clawgit.git.paths import check
from clawgit.text import document

if TYPE_CHECKING:
    from clawgit.openclaw.openclaw_files import Ledger


Kind = Literal[
    "soul",
    "rules",
    "ritual",
    "persona",
    "prompt",
    "user",
    "memory",
    "journal",
    "corrections",
    "conflicts",
    "archive",
    "facts",
    "view",
    "other",
]
How = Literal["edit", "keep", "move", "add"]

WRITERS: Mapping[str, Mapping[Kind, How]] = {
    "memory-miner": {"memory": "edit", "journal": "add", "rules": "add"},
    "recall-validator": {"memory": "edit", "journal": "edit", "corrections": "add"},
    "conflict-detector": {"memory": "edit", "journal": "edit", "conflicts": "keep"},
    "soul-keeper": {"soul": "edit", "rules": "add", "persona": "edit"},
    "organizer": {"facts": "edit", "memory": "edit"},
    "decay-engine": {"memory": "edit", "archive": "add"},
    "lessons": {"memory": "add"},
    "memory-compactor": {"memory": "edit", "journal": "edit", "corrections": "move", "archive": "add"},
}
"""What each agent of the spec may write (spec §12); what is not here is not for it. The operator may write all."""

MAIN: Mapping[Kind, How] = {
    "soul": "edit",
    "rules": "edit",
    "ritual": "edit",
    "memory": "edit",
    "journal": "edit",
    "corrections": "add",
    "conflicts": "keep",
    "archive": "edit",
    "facts": "edit",
}
"""What the main agent may write, which is any agent that is not listed above."""

NAMED: Mapping[str, Kind] = {
    "SOUL.md": "soul",
    "IDENTITY.md": "soul",
    "USER.md": "user",
    file_roles.CONFIG: "user",
    "AGENTS.md": "rules",
    "TOOLS.md": "rules",
    "HEARTBEAT.md": "ritual",
    "BOOTSTRAP.md": "ritual",
    file_roles.MEMORY: "memory",
    "memory.md": "memory",
    file_roles.FACTS: "facts",
    file_roles.CORRECTIONS: "corrections",
    file_roles.CONFLICTS: "conflicts",
    **dict.fromkeys(("CHANGELOG.md", "SOUL_CHANGELOG.md", "COMPACTION_LOG.md"), "view"),
}
_RECORD = re.compile(r"^## (.*\S)", re.MULTILINE)
_ID = re.compile(r"\b[k-z]{10}\b")

Texts = Mapping[str, str | None]


def kind(path: str, memory_file: str = "") -> Kind:
    """Return the kind of the file at `path`; `memory_file` is the one named in CONFIG.md."""
    if path == memory_file:
        return "memory"
    if role := NAMED.get(file_roles.role_name(path)):
        return role
    if path.startswith(("Archive/", "memory/archive/")):
        return "archive"
    if file_roles.is_view_of_facts(path):
        return "facts"
    if path.startswith("memory/") and path.endswith(".md"):
        return "journal" if file_roles.journal_day(path) else "memory"
    guide: Kind = "prompt" if path.partition("/")[2].partition("/")[0] in WRITERS else "persona"
    return guide if file_roles.is_identity(path) else "other"


def check_manifest(agent: str | None, before: Texts, after: Texts, memory_file: str = "") -> None:
    """Raise ClawgitError if `agent` may not make these changes of files."""
    for path, text in after.items():
        right: How | None = "edit" if agent is None else WRITERS.get(agent, MAIN).get(kind(path, memory_file))
        was, now = before[path] or "", text or ""
        if right is None:
            raise agent_forbidden(f"{agent} may not write {path}", fix=_FIX)
        if text is None and right != "edit":
            raise agent_forbidden(f"{agent} may not delete {path}", fix=_FIX)
        if right == "add" and (loss := _tally_content_lines(was) - _tally_content_lines(now)):
            raise agent_forbidden(f"{agent} may only add to {path}; this removes “{next(iter(loss))}”", fix=_FIX)
        archive_tally = _tally_archived(before, after) if right == "move" else Counter[str]()
        if right in ("keep", "move") and (loss := _tally_ids(was) - _tally_ids(now) - archive_tally):
            raise agent_forbidden(f"{agent} may not remove a record of {path}: “{next(iter(loss))}”", fix=_FIX)


_FIX = Advice("leave it to the operator: such a change is made without an agent's name")


def _tally_content_lines(text: str) -> Counter[str]:
    return Counter(row for row in map(document.content, document.split(text)) if row.strip())


def _tally_ids(text: str) -> Counter[str]:
    """Return the records by the id in their heading, by the whole heading if it has none."""
    titles = (match[1] for match in _RECORD.finditer(text))
    return Counter(key[0] if (key := _ID.search(title)) else title for title in titles)


def _tally_archived(before: Texts, after: Texts) -> Counter[str]:
    """Return the records that come into the archive in the same change."""
    archive: Counter[str] = Counter()
    for path, text in after.items():
        if kind(path) == "archive":
            archive += _tally_ids(text or "") - _tally_ids(before[path] or "")
    return archive


_ROOT_FILES = (file_roles.MEMORY, file_roles.LOWER_MEMORY, file_roles.USER)
APART, JOURNALS_APART = "memory/long-term.md", "memory/clawgit/"


def is_shown(path: str) -> bool:
    """Return whether OpenClaw shows the file to its agent, and records its writers."""
    return file_roles.role_name(path) in _ROOT_FILES


class MemoryPlace(Struct, frozen=True):
    """The memory file, and the folder of our journals (with its slash); `apart`: they are not OpenClaw's own."""

    file: str
    journals: str
    apart: bool


def choose_memory_place(root: Path, sidecar: bytes, ledger: "Callable[[], Ledger]") -> MemoryPlace:
    """Return the place of memories if CONFIG.md does not name it.

    If OpenClaw keeps records of the writers of its files, ours are apart from them: it would drop a file that was
    edited from outside from the prompt. Once apart they stay apart, by the files of the workspace, so that a clone and
    an unreadable database lead to the same places.
    """
    was_apart = f"\t{APART}\t".encode() in sidecar or os.path.lexists(root / JOURNALS_APART)
    if was_apart or ledger().records:
        return MemoryPlace(APART, JOURNALS_APART, apart=True)
    return MemoryPlace(find_openclaw_memory(root), "memory/", apart=False)


def find_openclaw_memory(root: Path) -> str:
    """Return OpenClaw's own memory file: in lower case only if there is no other."""
    lower = os.path.lexists(root / file_roles.LOWER_MEMORY) and file_roles.MEMORY not in os.listdir(root)  # noqa: PTH208 - names
    return file_roles.LOWER_MEMORY if lower else file_roles.MEMORY


def is_memory_place(path: str) -> bool:
    """Return whether `memory_file` may name `path`: Markdown in the root or below memory/ that is nothing else."""
    try:
        place = check(path)
    except ClawgitError:
        return False
    inside = "/" not in place or place.startswith("memory/")
    return place == path and inside and path.endswith(".md") and kind(path) in ("memory", "other")
