"""Merges of two texts of one file."""

from clawgit.errors import ClawgitError
from clawgit.git.git_command import merge_keeping_both
from clawgit.text import three_way_merge as text_merge
from clawgit.workspace import entries, reading_cursors


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
