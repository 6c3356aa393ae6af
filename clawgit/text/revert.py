"""Takes one change back and keeps later ones."""

from clawgit.text.edit import kept_apart
from clawgit.text.merge import Merged, merge


def revert(before: str, after: str, now: str) -> Merged:
    """Undo the change from `before` to `after` in `now`, or tell the conflicts with what came later.

    With nothing left to undo the text is `now`; with nothing changed since, it is `before`.
    """
    undone = merge(after, now, before)
    return undone if undone.conflicts else Merged(kept_apart(before, now, undone.text))
