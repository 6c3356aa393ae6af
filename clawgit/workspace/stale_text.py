"""Gives a stale text what its writer never saw."""

import contextlib
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.git_command import merge_keeping_both
from clawgit.git.transaction import Snapshot
from clawgit.text import three_way_merge as text_merge
from clawgit.text.three_way_merge import merge
from clawgit.workspace import entries, file_roles, reading_cursors
from clawgit.workspace.file_contents import text_of
from clawgit.workspace.foreign_commits import Run
from clawgit.workspace.stale_write import Healed, heal
from clawgit.workspace.write_setting import Setting


def merge_text(path: str, base: str | None, ours: str, theirs: str) -> text_merge.Merge:
    """Merge two texts of `path`: a sidecar by id, cursors by session, anything else by entry, then line."""
    if path == reading_cursors.PATH:
        return text_merge.Merge(reading_cursors.merge(ours, theirs))
    if path == entries.PATH:
        return text_merge.Merge(entries.merge(base or "", ours, theirs))
    return text_merge.merge(base, ours, theirs)


def merge_forward(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes | None:
    """Merge where there is no way back: a version beats a deletion, and of a conflict both sides stay."""
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    try:
        texts = [None if data is None else data.decode("utf-8") for data in (base, ours, theirs)]
    except UnicodeDecodeError:
        return theirs
    merged = merge_text(path, texts[0], texts[1] or "", texts[2] or "").text
    if merged is not None:
        return merged.encode()
    try:
        return merge_keeping_both(base or b"", ours, theirs)
    except ClawgitError:
        return theirs


Rule = Literal["heal", "report", "leave"]

_REMEMBERED, _OWN = 50, 10


def healed(setting: Setting, snapshot: Snapshot, path: str, rule: Rule) -> Healed | None:
    """Return what becomes of the file at `path`; None where nothing was written from an old reading.

    "report" only tells of it, but for a journal, which only grows; "leave" does not look. Looked at are what stands on
    disk and what others committed themselves.
    """
    file, was = snapshot.disk[path], text_of(snapshot.committed[path])
    now = text_of(file.data) if file else None
    if rule == "leave" or was is None or now is None or not _watched(path):
        return None
    grows = file_roles.journal_day(path) is not None
    found = _heal(setting, path, (was, now), snapshot.head, grows=grows) if now != was else Healed(now)
    if found.back and found.text == was and now == next(_versions(setting, path, 1, file_roles.ORIGINALS), None):
        found = Healed(now, found.base, (), found.back)  # taken out again after all came back: that was meant
    journal = found.text if grows else now
    for run in setting.runs.get(path, ()):
        found = _followed(setting, path, found, run)
    if not (found.back or found.missing or found.went_back or found.doubts):
        return None
    if found.text in (now, journal) or (rule == "heal" and path not in setting.recorded()):
        return found
    return Healed(journal, found.base, (), (*found.back, *found.missing), found.went_back)


def _followed(setting: Setting, path: str, found: Healed, run: Run) -> Healed:
    """Return `found` with what a run of commits took from the file without having seen it."""
    before, after = (text_of(repository.read(setting.repo, commit, path)) for commit in (run.before, run.after))
    if before is None or after is None or not (_lines(before) - _lines(after)) - _lines(found.text):
        return found  # what it took away is there again
    one = _heal(setting, path, (before, after), run.before, grows=False)
    went_back, missing = found.went_back or one.went_back, (*found.missing, *one.missing)
    text = merge(after, found.text, one.text).text if one.back else None
    if text is None or text == found.text:
        lost = tuple(row for row in one.back if row not in found.text)
        return replace(found, missing=(*missing, *lost), went_back=went_back)
    doubts = (*found.doubts, *one.doubts)
    return replace(found, text=text, back=(*found.back, *one.back), missing=missing, went_back=went_back, doubts=doubts)


def _heal(setting: Setting, path: str, texts: tuple[str, str], start: str | None, *, grows: bool) -> Healed:
    """Return what becomes of the second of `texts`, of which the first was there before.

    Whoever keeps a file in mind for hours writes it back more than once, and knows its own words from the last time: a
    text that a stale writer wrote may be what it started from.
    """
    before, now = texts

    def older() -> Iterator[str]:
        regular = list(_versions(setting, path, _REMEMBERED, start or "HEAD"))
        own = _versions(setting, path, _OWN, file_roles.ORIGINALS)
        yield from (text for text in own if _is_own(text, now, regular))
        yield from regular

    return heal(before, now, older(), grows=grows)


def _is_own(text: str, now: str, versions: Iterable[str]) -> bool:
    """Tell whether the writer of `now` may have started from a text that was written from an old reading before.

    What it lacks of it must be older than that: of what came with that text nobody can tell whose it was.
    """
    had, lacking = _lines(text), _lines(text) - _lines(now)
    before = (lines for version in versions if not had <= (lines := _lines(version)))
    return not lacking or lacking <= set().union(*before)


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.split("\n") if line.strip()}


def _versions(setting: Setting, path: str, most: int, start: str) -> Iterator[str]:
    """Yield the texts that `path` had up to `start`, newest first."""
    with contextlib.suppress(ClawgitError):  # no such reference; a partial or damaged clone: what was read counts
        texts = map(text_of, history.versions(setting.repo, path, most, start))
        yield from (text for text in texts if text is not None)


def _watched(path: str) -> bool:
    """Tell whether old readings of `path` are looked for: not of the operator's settings, nor of our own files."""
    ours = file_roles.memory(path) or file_roles.guarded(path) or "/" not in path
    return ours and path != file_roles.CONFIG and path.endswith(".md")
