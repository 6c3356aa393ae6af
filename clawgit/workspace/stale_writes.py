"""Restores unread lines that an agent's write removed."""

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
from clawgit.workspace.line_writers import is_clawgits
from clawgit.workspace.merge_rules import merge_text
from clawgit.workspace.workspace_base import WorkspaceBase

MAX_VERSIONS = 50
ALIKE_PERCENT = 60.0
"""From this share of equal letters on a new line is another wording of a line that is gone."""
MAX_PAIRS = 100_000


def find_stale_write(workspace: WorkspaceBase, snapshot: Snapshot, path: str) -> StaleWrite | None:
    """Return a file on disk with clawgit's changes that its writer had not read; None without proof.

    Proof are the agent's own calls: it wrote these bytes, and the version that it read or wrote before, in the same
    session, is older. Time proves nothing. There is no merge if the file has a line of such a change, if a new line
    resembles a missing one, if the file was seen like this from another writer, or if somebody committed the write.
    Lines of a change that others removed since then stay removed.
    """
    file, committed = snapshot.disk[path], text_of(snapshot.committed[path])
    disk = text_of(file.data) if file else None
    if file is None or disk is None or committed is None or path in workspace.recorded():
        return None
    calls = KnownCalls(workspace.store).list_file_calls(path)
    write, start = write_and_start(calls, repository.hash_blob(file.data))
    base, commits = _version_read(workspace, snapshot.head, path, start) if start else (None, ())
    new_commits = [commit for commit in reversed(commits) if is_clawgits(commit)]
    if base is None or write is None or not new_commits or write.time < new_commits[-1].date.timestamp():
        return None  # among others, where somebody went back to bytes that the agent wrote long ago
    head_lines, fresh = lines_of(committed), lines_of(disk) - lines_of(base)
    result: str | None = disk
    missing = set[str]()
    for commit in new_commits:
        versions = (next(iter(commit.parents), None), commit.id)
        before, after = (text_of(repository.read(workspace.repo, oid, path)) or "" for oid in versions)
        additions, removals = lines_of(after) - lines_of(before), lines_of(before) - lines_of(after)
        if result is None or additions & fresh:
            return None
        if additions <= head_lines and not removals & head_lines:
            merge = merge_text(path, before, after, result)
            result, missing = None if merge.conflicts else merge.text, missing | additions
    if result is None or result == disk or reworded_lines(missing, fresh):
        return None
    write_blobs = {call.blob for call in calls if call.kind == "write"}
    since = (version for version in seen_versions.versions(workspace.repo, path) if version.at > new_commits[0].date)
    others = (lines_of(version.text or "") for version in since if version.id not in write_blobs)
    if any(not missing <= lines or lines & fresh for lines in others):
        return None
    return StaleWrite(result, tuple(sorted(lines_of(result) - lines_of(disk))))


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
    missing_lines, new_lines = list(missing), list(fresh)
    if len(missing_lines) * len(new_lines) > MAX_PAIRS:
        return set(missing_lines)
    subjects = {subject for line in new_lines if (subject := _subject(line))}
    is_alike = partial(
        process.extractOne, choices=new_lines, scorer=fuzz.ratio, processor=clip_line, score_cutoff=ALIKE_PERCENT
    )
    return {line for line in missing_lines if is_alike(line) or _subject(line) in subjects}


def _subject(line: str) -> str:
    """Return the subject of a line: its words before the first colon, equals sign or "is"; "" for another line."""
    words = line.casefold().lstrip("-*+# ").replace("**", "")
    cut = min((index for sign in (":", "=", " is ") if (index := words.find(sign)) > 0), default=0)
    return words[:cut].strip()
