"""Puts back what an agent's write took away unread."""

from collections.abc import Iterable
from functools import partial

from rapidfuzz import fuzz, process

from clawgit.git import history, repository
from clawgit.git.history import Commit
from clawgit.git.repository import Oid
from clawgit.git.transaction import Snapshot
from clawgit.store.calls import KnownCalls, ToolCall, line_hashes
from clawgit.text.document import clip_line
from clawgit.workspace import seen_versions
from clawgit.workspace.change import StaleWrite
from clawgit.workspace.file_contents import lines_of, text_of
from clawgit.workspace.file_merges import merge_text
from clawgit.workspace.line_writers import is_clawgits
from clawgit.workspace.workspace_base import WorkspaceBase

MAX_VERSIONS = 50
ALIKE_PERCENT = 60.0
"""From this share of equal letters on a new line is another wording of a line that is gone."""
MAX_PAIRS = 100_000


def find_stale_write(workspace: WorkspaceBase, snapshot: Snapshot, path: str) -> StaleWrite | None:
    """Return a file on disk with the changes of clawgit's that its writer had not read; None without proof.

    Proof are the agent's own calls: it wrote these bytes, and what it read or wrote of the file before that, in the
    same session, is an older version. Time proves nothing. There is no merge where a line of such a change stands in
    the file, where a new line resembles a missing one, where the file was seen like this from another writer, or where
    somebody committed the write. What others removed of a change since then stays removed.
    """
    file, committed = snapshot.disk[path], text_of(snapshot.committed[path])
    disk = text_of(file.data) if file else None
    if file is None or disk is None or committed is None or path in workspace.recorded():
        return None
    calls = KnownCalls(workspace.store).list_file_calls(path)
    write, start = write_and_start(calls, repository.hash_blob(file.data))
    base, commits = _version_read(workspace, snapshot.head, path, start) if start else (None, ())
    unread = [commit for commit in reversed(commits) if is_clawgits(commit)]
    if base is None or write is None or not unread or write.time < unread[-1].date.timestamp():
        return None  # among others, where somebody went back to bytes that the agent wrote long ago
    standing, fresh = lines_of(committed), lines_of(disk) - lines_of(base)
    merged: str | None = disk
    missing = set[str]()
    for commit in unread:
        versions = (next(iter(commit.parents), None), commit.id)
        before, after = (text_of(repository.read(workspace.repo, oid, path)) or "" for oid in versions)
        added, removed = lines_of(after) - lines_of(before), lines_of(before) - lines_of(after)
        if merged is None or added & fresh:
            return None
        if added <= standing and not removed & standing:
            found = merge_text(path, before, after, merged)
            merged, missing = None if found.conflicts else found.text, missing | added
    if merged is None or merged == disk or reworded_lines(missing, fresh):
        return None
    written = {call.blob for call in calls if call.kind == "write"}
    since = (version for version in seen_versions.versions(workspace.repo, path) if version.at > unread[0].date)
    others = (lines_of(version.text or "") for version in since if version.id not in written)
    if any(not missing <= lines or lines & fresh for lines in others):
        return None
    return StaleWrite(merged, tuple(sorted(lines_of(merged) - lines_of(disk))))


def write_and_start(calls: list[ToolCall], blob: Oid) -> tuple[ToolCall | None, ToolCall | None]:
    """Return the last write of these bytes, and the call before it by which its session knew the file."""
    number = max((number for number, call in enumerate(calls) if call.blob == blob), default=-1)
    if number < 0:
        return None, None
    earlier = (call for call in reversed(calls[:number]) if call.session == calls[number].session)
    return calls[number], next(earlier, None)


def _version_read(
    workspace: WorkspaceBase, head: Oid | None, path: str, start: ToolCall
) -> tuple[str | None, tuple[Commit, ...]]:
    """Return the version that a call saw whole, and the commits since then, newest first; None for no version."""
    newer: list[Commit] = []
    for commit in history.log(workspace.repo, path, start=head or "HEAD", limit=MAX_VERSIONS, first_parent=True):
        text = text_of(repository.read(workspace.repo, commit.id, path))
        if text is not None and line_hashes(text) == start.lines:
            return text, tuple(newer)
        newer.append(commit)
    return None, ()


def reworded_lines(missing: Iterable[str], fresh: Iterable[str]) -> set[str]:
    """Return those of the missing lines that a fresh one rewords: alike, or a new value of the same subject.

    Of very many lines all count as reworded.
    """
    gone, come = list(missing), list(fresh)
    if len(gone) * len(come) > MAX_PAIRS:
        return set(gone)
    subjects = {subject for line in come if (subject := _subject(line))}
    near = partial(process.extractOne, choices=come, scorer=fuzz.ratio, processor=clip_line, score_cutoff=ALIKE_PERCENT)
    return {line for line in gone if near(line) or _subject(line) in subjects}


def _subject(line: str) -> str:
    """Return what a line is about: its words before the first colon, equals sign or "is"; "" for another line."""
    words = line.casefold().lstrip("-*+# ").replace("**", "")
    cut = min((at for sign in (":", "=", " is ") if (at := words.find(sign)) > 0), default=0)
    return words[:cut].strip()
