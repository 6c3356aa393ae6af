"""Puts back what an agent's write took away unread."""

from collections.abc import Iterable

from clawgit.git import history, repository
from clawgit.git.history import Commit
from clawgit.git.repository import Oid
from clawgit.git.transaction import Snapshot
from clawgit.workspace import agent_calls, commit_message, seen_versions
from clawgit.workspace.agent_calls import FileCall, line_hashes
from clawgit.workspace.change import StaleWrite
from clawgit.workspace.file_contents import lines_of, text_of
from clawgit.workspace.text_merges import merge_text
from clawgit.workspace.write_setting import Setting

MAX_VERSIONS = 50
ALIKE_PERCENT = 60.0
"""From this share of equal letters on a new line is another wording of a line that is gone."""
MAX_PAIRS = 100_000


def find_stale_write(setting: Setting, snapshot: Snapshot, path: str) -> StaleWrite | None:
    """Return the merge of a file on disk with the commits that its writer had not read; None without proof.

    Proof are the agent's own calls: it wrote these bytes, and what it read or wrote of the file before that, in the
    same session, is an older version. Time proves nothing. There is no merge where a line of such a commit stands in
    the file, where a new line resembles a missing one, where the file was seen like this from another writer, or where
    somebody committed the write.
    """
    file, committed = snapshot.disk[path], text_of(snapshot.committed[path])
    disk = text_of(file.data) if file else None
    if file is None or disk is None or committed is None or path in setting.runs or path in setting.recorded():
        return None
    calls = agent_calls.calls_of(setting.state, path)
    start = _start_of_write(calls, repository.hash_blob(file.data))
    base, commits = _version_read(setting, snapshot.head, path, start) if start else (None, ())
    unread = [commit for commit in commits if is_clawgits(commit)]
    if base is None or not unread:
        return None
    before, after = lines_of(base), lines_of(disk)
    missing, fresh = lines_of(committed) - before - after, after - before
    if any(_added_lines(setting, commit, path) & fresh for commit in unread) or reworded_lines(missing, fresh):
        return None
    written = {call.blob for call in calls if call.kind == "write"}
    if _came_from_elsewhere(setting, path, unread[-1], written, missing, fresh):
        return None
    merged = merge_text(path, base, committed, disk).text
    if merged is None or merged == disk:
        return None
    return StaleWrite(merged, tuple(sorted(lines_of(merged) - after)))


def _start_of_write(calls: list[FileCall], blob: Oid) -> FileCall | None:
    """Return the call from which the agent knew the file when it wrote these bytes last."""
    number = max((number for number, call in enumerate(calls) if call.blob == blob), default=-1)
    earlier = (call for call in reversed(calls[: max(number, 0)]) if call.session == calls[number].session)
    return next(earlier, None)


def _version_read(
    setting: Setting, head: Oid | None, path: str, start: FileCall
) -> tuple[str | None, tuple[Commit, ...]]:
    """Return the version that a call saw whole, and the commits since then, newest first; None for no version."""
    newer: list[Commit] = []
    for commit in history.log(setting.repo, path, start=head or "HEAD", limit=MAX_VERSIONS, first_parent=True):
        text = text_of(repository.read(setting.repo, commit.id, path))
        if text is not None and line_hashes(text) == start.lines:
            return text, tuple(newer)
        newer.append(commit)
    return None, ()


def is_clawgits(commit: Commit) -> bool:
    """Tell whether a commit is a change that clawgit made, on the operator's word or an agent's, and no capture."""
    message = commit_message.parse(commit.message)
    return commit.ours and bool(message.get(commit_message.CHANGE)) and message.get("Clawgit-Agent") != "capture"


def _added_lines(setting: Setting, commit: Commit, path: str) -> set[str]:
    after, *before = (
        lines_of(text_of(repository.read(setting.repo, oid, path)) or "") for oid in (commit.id, *commit.parents[:1])
    )
    return after.difference(*before)


def _came_from_elsewhere(
    setting: Setting, path: str, since: Commit, written: set[Oid], missing: set[str], fresh: set[str]
) -> bool:
    """Tell whether another writer saved the file without the missing lines, or with the fresh ones."""
    versions = (one for one in seen_versions.versions(setting.repo, path) if one.at > since.date)
    texts = (lines_of(one.text or "") for one in versions if one.id not in written)
    return any(not missing <= lines or lines & fresh for lines in texts)


def reworded_lines(missing: Iterable[str], fresh: Iterable[str]) -> set[str]:
    """Return those of the missing lines that a fresh one rewords: alike, or a new value of the same subject.

    Of very many lines all count as reworded.
    """
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - needed only where lines went

    gone, come = list(missing), list(fresh)
    if len(gone) * len(come) > MAX_PAIRS:
        return set(gone)
    subjects = {subject for line in come if (subject := _subject(line))}
    alike = (line for line in gone if process.extractOne(line, come, scorer=fuzz.ratio, score_cutoff=ALIKE_PERCENT))
    return {*alike, *(line for line in gone if _subject(line) in subjects)}


def _subject(line: str) -> str:
    """Return what a line is about: its words before the first colon, equals sign or "is"; "" for another line."""
    words = line.casefold().lstrip("-*+# ").replace("**", "")
    cut = min((at for sign in (":", "=", " is ") if (at := words.find(sign)) > 0), default=0)
    return words[:cut].strip()
