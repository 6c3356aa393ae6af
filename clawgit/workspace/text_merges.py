"""Merges of two texts of one file."""

from clawgit.text.merge import Merged, merge
from clawgit.workspace import table_merge


def merge_text(path: str, base: str | None, ours: str, theirs: str) -> Merged:
    """Merge two texts of `path`: a table by its rows, anything else by entry."""
    if table_merge.is_table(path):
        return Merged(table_merge.merge_table(path, base, ours, theirs))
    return merge(base, ours, theirs)


def merge_forward(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes | None:
    """Merge where there is no way back: a version beats a deletion, and of a conflict both sides stay."""
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    try:
        texts = [None if data is None else data.decode("utf-8") for data in (base, ours, theirs)]
    except UnicodeDecodeError:
        return theirs
    return merge_text(path, texts[0], texts[1] or "", texts[2] or "").text.encode()
