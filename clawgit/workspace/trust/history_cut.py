"""History that ends sooner than at the last look.

A file of git's, `.git/shallow`, says where history ends, and so hides what came before; a branch that begins anew holds
none of it. A clone that was shallow at the first look stays so, and a rebase is no cut.
"""

import contextlib
import json

from msgspec import Struct

from clawgit.errors import quoted
from clawgit.git import history, repository
from clawgit.git.repository import Oid, Repository
from clawgit.workspace.trust.kept_notes import KeptNotes

FILE = "history.json"
_DIGITS = 10


class Cut(Struct, frozen=True):
    """What is to be told and the way back, with what there is: the commits at which history ends, and its newest."""

    words: str
    fix: str
    ends: frozenset[Oid]
    tip: Oid | None


class _Seen(Struct, frozen=True):
    ends: frozenset[Oid]
    tip: Oid | None


def find(repo: Repository, notes: KeptNotes, tip: Oid | None) -> Cut | None:
    """Return how the history of `tip` was cut since it was noted; None where it was not, or nothing was noted."""
    known = _noted(notes)
    if known is None:
        return None
    ends = history.cut_off(repo)
    new = ends - known.ends
    if new and not _longer(repo, tip, known.ends):
        place = repo.commondir / "shallow"
        path = ".git/shallow" if place.parent == repo.root / ".git" else quoted(place)
        here = all(history.has_parents(repo, one) for one in ends)
        at = f"{path} cuts history off at {min(new)[:_DIGITS]}"
        if here:
            return Cut(f"{at}: older commits are here, and no command sees them", f"rm {path}", ends, tip)
        return Cut(f"{at}: older commits are not here", "git fetch --unshallow", ends, tip)
    if known.tip and known.tip != tip and not history.related(repo, tip, known.tip):
        short = known.tip[:_DIGITS]
        words = f"history no longer holds commit {short}, where it stood at the last look"
        if repository.resolve(repo, known.tip) is None:
            return Cut(f"{words}, and the repository neither", "clawgit trust", ends, tip)
        return Cut(words, f"git branch before-the-cut {short}", ends, tip)
    return None


def follow(repo: Repository, notes: KeptNotes, tip: Oid | None) -> None:
    """Note how far history reaches, unless it was cut: that stays to be told. Best effort."""
    known = _noted(notes)
    if known is None or (known != _Seen(history.cut_off(repo), tip) and find(repo, notes, tip) is None):
        with contextlib.suppress(OSError):
            _note(notes, _Seen(history.cut_off(repo), tip))


def answer(notes: KeptNotes, seen: Cut) -> None:
    """Note that the operator has seen a cut and wants it so."""
    _note(notes, _Seen(seen.ends, seen.tip))


def _longer(repo: Repository, tip: Oid | None, ends: frozenset[Oid]) -> bool:
    """Tell whether history reaches past all the commits at which it ended: more of it was fetched."""
    return bool(ends) and all(repository.reaches(repo, tip, one) for one in ends)


def _note(notes: KeptNotes, seen: _Seen) -> None:
    notes.write(FILE, json.dumps({"ends": sorted(seen.ends), "tip": seen.tip}).encode())


def _noted(notes: KeptNotes) -> _Seen | None:
    """Return what was noted, None where nothing was; what cannot be read knows of no end."""
    try:
        data = notes.known(FILE)
        if data is None:
            return None
        found = json.loads(data)
        return _Seen(frozenset(map(str, found["ends"])), found["tip"] and str(found["tip"]))
    except (OSError, ValueError, KeyError, TypeError):
        return _Seen(frozenset(), None)
