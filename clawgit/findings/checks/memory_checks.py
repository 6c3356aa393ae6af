"""Checks of the memory and of its entries."""

import posixpath
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath
from urllib.parse import unquote

from clawgit.errors import Advice, Command
from clawgit.findings.registry import Check, Finding, Ground
from clawgit.git import history, repository_health
from clawgit.store.calls import fold
from clawgit.text import document
from clawgit.workspace import entries, file_roles
from clawgit.workspace.openclaw_limits import MAX_MEMORY_LINES
from clawgit.workspace.seen_versions import list_lost_writes

_LINK = re.compile(r"\]\((?![a-z]+:|[#/])([^)\s#\0]+\.md)(?:#[^)]*)?\)")
_SUBMODULE = re.compile(r"^[ \t]*path[ \t]*=[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)


def check_links(ground: Ground) -> Iterator[Finding]:
    """Yield the links of the memory file and the index that lead nowhere; each cause is one."""
    workspace = ground.workspace
    root, repo = workspace.root, workspace.repo
    broken = [link for link in _links(ground) if not any((root / place).is_file() for place in link[1:])]
    modes = repository_health.index(repo) if broken else {}
    absent = [path for path in modes if modes[path] == repository_health.LINK and not (root / path / ".git").exists()]
    causes: dict[str, list[tuple[str, str, str]]] = {}
    for one in broken:
        outside = [path for path in absent if any(place.startswith(f"{path}/") for place in one[1:])]
        way = [*reversed(PurePosixPath(one[2]).parents), PurePosixPath(one[2])]
        missing = [str(place) for place in way if not (root / place).exists()]
        causes.setdefault((outside or missing or one[2:])[0], []).append(one)
    asked = [path for path in causes if not path.startswith("../")]
    past = {path for commit in history.log(repo, *asked, renames=False) for path in commit.paths} if asked else set()
    declared = _SUBMODULE.findall(workspace.read_loosely(".gitmodules"))
    for cause, some in causes.items():
        place, target, near = some[0]
        if cause in absent:
            words = f"{cause} is a repository that is not checked out; unknown links: {len(some)}"
            look = "git submodule update --init -- {}" if cause in declared else "git ls-files --stage -- {}"
            yield Finding("path-submodule", words, Command(look, cause), "notice")
            continue
        was = any(f"{path}/".startswith(f"{cause}/") for path in past)
        fix = Command("clawgit log {}", cause) if was else Advice(f"correct {place}, or write {near}")
        words = f"{place} leads to {target}, which is not there"
        yield Finding("link-broken", f"{words}; links to {cause} in all: {len(some):,}" if some[1:] else words, fix)


def _links(ground: Ground) -> Iterator[tuple[str, str, str]]:
    """Yield for each link where it stands, and the two files that it may mean: from the root, and from there."""
    for path in dict.fromkeys((*ground.workspace.memory_files, file_roles.INDEX)):
        for number, row in enumerate(ground.texts.get(path, "").splitlines(), 1):
            for target in dict.fromkeys(map(unquote, _LINK.findall(row))):
                yield f"{path}:{number}", target, posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def check_entries(ground: Ground) -> Iterator[Finding]:
    """Yield rows of the table of entries that cannot be read."""
    text = ground.workspace.read(entries.PATH) or ""
    for line in entries.unreadable(text):
        yield Finding("entries-damaged", f"skipped row {entries.PATH}:{line}", Command(f"git log -p -- {entries.PATH}"))


def check_lost_writes(ground: Ground) -> Iterator[Finding]:
    """Yield the agent's writes that another write overtook."""
    workspace = ground.workspace
    for lost, text in list_lost_writes(workspace):
        present = set(fold(workspace.read_loosely(lost.path)).splitlines())
        if any(line not in present for line in fold(text).splitlines()):
            when = f"{datetime.fromisoformat(lost.time):%Y-%m-%d %H:%M}"
            words = f"{lost.path}: lines that {lost.tool} wrote on {when} are gone, and no call removed them"
            fix = Command("clawgit restore {} --seen {}", lost.path, lost.version[:10])
            yield Finding("write-lost", f"{words} (session {lost.session[:8]})", fix, paths=(lost.path,))


def check_length(ground: Ground) -> Iterator[Finding]:
    """Yield the memory files that are too long for every prompt; broken they are not."""
    for path in ground.workspace.memory_files:
        count = len(document.split(ground.workspace.read(path) or ""))
        if count >= MAX_MEMORY_LINES:
            words = f"{path} has {count:,} lines, and goes into every prompt; below {MAX_MEMORY_LINES} is well"
            more = "or move lines that belong together to a file below memory/"
            yield Finding("memory-long", words, Command("clawgit run memory-compactor", note=more), "notice", (path,))


def check_vectors(ground: Ground) -> Iterator[Finding]:
    """Yield what a search by meaning lacks, where one is wanted: it makes one."""
    from clawgit.search import meaning  # noqa: PLC0415 - few workspaces have vectors

    if lacking := meaning.find_lack(ground.workspace):
        yield Finding("vectors-outdated", f"vectors: {lacking}", Command("clawgit memory index"))


CHECKS = (
    Check("links", check_links, "each that the memory file and the index hold leads to a file"),
    Check("sidecar", check_entries, "every row can be read"),
    Check("the agent's writes", check_lost_writes, "no line was lost between two writes"),
    Check("memory length", check_length, f"the memory file is shorter than {MAX_MEMORY_LINES} lines"),
    Check("vectors", check_vectors, "what a search by meaning needs is there, or not wanted"),
)
