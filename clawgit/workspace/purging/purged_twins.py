"""Holds two histories against each other that purges wrote anew."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from clawgit.git import phrase_forms, repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.workspace.purging import purged_objects

_SECONDS = 600.0
_MOST = 20
_FORM = "%x01%at %ct %(trailers:key=Clawgit-Change,valueonly,separator=%x2C)%x02%P"
_NONE = "0" * 40
_OURS = ".clawgit/"

Touch = tuple[str, Oid, Oid]
"""A file that a commit touched, with its blob before and after; zeros for no file."""
Key = tuple[str, int, int]
"""What a purge leaves alone of a commit: its times and the id of its change, its parents, and which of those it is."""


More = Mapping[str, str]
NONE: More = MappingProxyType({})


class Twin(Struct, frozen=True):
    """A file of a commit that stands in both histories, with the blob that each has; None where it has no such file."""

    path: str
    one: Oid
    other: Oid | None


def brings_back(repo: Repository, head: Oid, purged: Oid, more: More = NONE) -> int:
    """Return how many objects a head holds of what was purged from the history of another one.

    Where both purged, each its own, the objects of the one are not those that the other one names: then their commits
    are held against each other. `more` are variables of git's environment, where it reads objects from another place.
    """
    known = purged_objects.of(repo, purged, more)
    if not known:
        return 0
    held = len(purged_objects.reached(repo, [head], known, without=[purged], more=more))
    return held or sum(bool(gone(repo, pair, more)) for pair in twins(repo, head, purged, more))


def twins(repo: Repository, one: Oid, other: Oid, more: More = NONE) -> Iterator[Twin]:
    """Yield the files in which commits that only `one` reaches differ from what they are in `other`.

    A pair that differs in more than what was purged is none.
    """
    theirs = dict(_commits(repo, other, one, more))
    names = {path for touches in theirs.values() for path, _, _ in touches}
    for key, touches in _commits(repo, one, other, more):
        if key not in theirs:
            continue
        there = {path: sides for path, *sides in theirs[key]}
        found = list(_differing(touches, there, names))
        if there.keys() <= {path for path, *_ in touches} and all(_alike(repo, pair, more) for pair in found):
            yield from found


def _differing(touches: Sequence[Touch], there: dict[str, list[Oid]], names: set[str]) -> Iterator[Twin]:
    for path, *sides in touches:
        for at, oid in enumerate(sides):
            if path in there and there[path][at] != oid != _NONE:
                yield Twin(path, oid, None if there[path][at] == _NONE else there[path][at])
            elif path not in there and oid != _NONE:
                yield Twin(path, oid, None if path not in names else oid)


def _alike(repo: Repository, pair: Twin, more: More) -> bool:
    ours = pair.path.startswith(_OURS)  # hashes of words that were purged are others
    return ours or pair.other is None or pair.one == pair.other or _rows(*_blobs(repo, pair, more)) is not None


def _blobs(repo: Repository, pair: Twin, more: More) -> tuple[bytes, bytes]:
    assert pair.other is not None
    if more:
        return tuple(git(repo.root, "cat-file", "blob", one, more=more) for one in (pair.one, pair.other))  # type: ignore[return-value]
    return repository.blob(repo, pair.one), repository.blob(repo, pair.other)


def _rows(one: bytes, other: bytes) -> list[tuple[bytes, bytes]] | None:
    """Return the lines that differ by what was purged on either side; None where they differ otherwise, too."""
    pairs = [(one, other)]
    if one.count(b"\n") == other.count(b"\n"):
        pairs = list(zip(one.split(b"\n"), other.split(b"\n"), strict=True))
    found = [(mine, theirs) for mine, theirs in pairs if mine != theirs]
    return found if all(phrase_forms.GONE in mine + theirs for mine, theirs in found) else None


def gone(repo: Repository, pair: Twin, more: More = NONE) -> frozenset[bytes]:
    """Return the words that `one` still has and in whose place `other` says `[purged]`.

    Nothing where that cannot be told for sure; a line in which something was purged on both sides tells nothing.
    """
    if pair.other is None or pair.one == pair.other:
        return frozenset()
    rows = [one for one in _rows(*_blobs(repo, pair, more)) or () if phrase_forms.GONE not in one[0]]
    words = set[bytes]()
    for mine, theirs in rows:
        parts = theirs.split(phrase_forms.GONE)
        match = re.fullmatch(b"(.+?)".join(map(re.escape, parts)), mine, re.DOTALL) if len(parts) <= _MOST else None
        if match is None:
            return frozenset()
        words.update(match.groups())
    found = frozenset(word for word in words if len(word) >= phrase_forms.LEAST)
    longest = forms(found)
    told = all(phrase_forms.without(mine, longest) == theirs for mine, theirs in rows)
    return found if told else frozenset()


def words(repo: Repository, one: Oid, other: Oid, more: More = NONE) -> frozenset[bytes]:
    """Return all words that one history has and that were purged from the other, as far as can be told."""
    return frozenset().union(*(gone(repo, pair, more) for pair in twins(repo, one, other, more)))


def forms(some: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the forms of words, the longest first."""
    found = dict.fromkeys(form for one in some for form in phrase_forms.forms(one))
    return tuple(sorted(found, key=len, reverse=True))


def _commits(repo: Repository, start: Oid, without: Oid, more: More) -> Iterator[tuple[Key, list[Touch]]]:
    words = ("log", "--raw", "--no-abbrev", "--no-renames", "--root", "--reverse", "--topo-order", f"--format={_FORM}")
    told = git(repo.root, "-c", "core.quotePath=false", *words, start, f"^{without}", "--", timeout=_SECONDS, more=more)
    count = defaultdict[tuple[str, int], int](int)
    for block in told.decode("utf-8", "surrogateescape").split("\x01")[1:]:
        head, *rows = block.split("\n")
        name, _, parents = head.partition("\x02")
        key = (name, len(parents.split()))
        count[key] += 1
        cells = [row.split("\t") for row in rows if row.startswith(":") and row.count("\t") == 1]
        yield (*key, count[key]), [(path, *_ids(head)) for head, path in cells]


def _ids(head: str) -> tuple[Oid, Oid]:
    _, _, before, after, _ = head.split(" ", 4)
    return before, after
