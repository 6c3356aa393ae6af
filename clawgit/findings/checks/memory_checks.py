"""Checks of the memory and of its entries."""

from collections.abc import Iterator
from datetime import datetime

from clawgit.errors import Command
from clawgit.findings.registry import Check, Finding, Ground
from clawgit.store.calls import fold
from clawgit.text import entry
from clawgit.text.entry import digest
from clawgit.workspace import entries, memory_length
from clawgit.workspace.broken_links import find_broken_links
from clawgit.workspace.commit_message import list_names
from clawgit.workspace.seen_versions import list_lost_writes


def check_links(ground: Ground) -> Iterator[Finding]:
    """Yield the links of the memory file and the index that lead nowhere."""
    for link in find_broken_links(ground.workspace, ground.texts):
        if link.known:
            yield Finding("path-submodule", link.message, link.fix, "notice")
        else:
            yield Finding("link-broken", link.message, link.fix)


def check_entries(ground: Ground) -> Iterator[Finding]:
    """Yield rows of the table of entries that cannot be read, or whose entry is gone."""
    text = ground.workspace.read(entries.PATH) or ""
    for line in entries.unreadable(text):
        yield Finding("entries-damaged", f"skipped row {entries.PATH}:{line}", Command(f"git log -p -- {entries.PATH}"))
    rows = [row for row in entries.parse(text).values() if row.status in ("live", "corrected")]
    named = {row.file for row in rows} & set(ground.texts)
    hashes = {path: {digest(one.text) for one in entry.entries(ground.texts[path])} for path in named}
    lost = [f"{row.id} ({row.file})" for row in rows if row.hash not in hashes.get(row.file, ())]
    if lost:
        words = f"entries gone from their file, or rewritten: {list_names(lost)}"
        yield Finding("entries-orphaned", words, level="notice")


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
    """Yield that a memory file is long; broken it is not."""
    for one in memory_length.too_long(ground.workspace):
        yield Finding("memory-long", one.words, one.fix, "notice", (one.path,))


def check_vectors(ground: Ground) -> Iterator[Finding]:
    """Yield what a search by meaning lacks, where one is wanted: it makes one."""
    from clawgit.search import meaning  # noqa: PLC0415 - few workspaces have vectors

    if lacking := meaning.find_lack(ground.workspace):
        yield Finding("vectors-outdated", f"vectors: {lacking}", Command("clawgit memory index"))


CHECKS = (
    Check("links", check_links, "each that the memory file and the index hold leads to a file"),
    Check("sidecar", check_entries, "every row can be read, and stands for an entry"),
    Check("the agent's writes", check_lost_writes, "no line was lost between two writes"),
    Check("memory length", check_length, f"the memory file is shorter than {memory_length.MOST_LINES} lines"),
    Check("vectors", check_vectors, "what a search by meaning needs is there, or not wanted"),
)
