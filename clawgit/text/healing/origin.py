"""Which version a writer started from."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clawgit.text.healing.gist import Gist, Section
from clawgit.text.healing.resemble import SURELY, nearest_gone

_SEEN = 2  # what stands there from another version weighs as much as two items that do not
_AGAIN = 3  # commits that may be the writer's own, put beside what it had not seen
_MANY = 3  # items that nobody deletes by chance just as they came
_LEFT = 3  # one item in so many shows that a section still stands


@dataclass(frozen=True, slots=True)
class Origin:
    """The number of the version, and what may be younger than the writer's, for an older version is just as near.

    That stands in sections which the writer left out: nobody can tell whether it had seen it. `sure` tells that more
    speaks for this version than what is missing from a text whose writer deletes other things too.
    """

    version: int
    unsure: frozenset[str] = frozenset()
    sure: bool = True


@dataclass(frozen=True, slots=True)
class _View:
    """How a text looks from one version: what it lacks of it, what it has from others, which boxes differ.

    `left_out` counts sections of which nothing is left; what they held is not in `lost`.
    """

    whole: Counter[str]
    lost: Counter[str]
    foreign: Counter[str]
    flips: int
    left_out: int

    @property
    def rank(self) -> tuple[int, int]:
        """Return the distance."""
        return self.lost.total() + _SEEN * self.foreign.total() + self.left_out, self.flips

    def rank_without(self, own: Mapping[str, int]) -> tuple[int, int, int]:
        """Return the distance within the sections that are left, without what may be the writer's own; then theirs."""
        lost, foreign = (
            sum(number for key, number in part.items() if key not in own) for part in (self.lost, self.foreign)
        )
        return lost + _SEEN * foreign, self.flips, self.left_out


def lacks(text: Gist, other: Gist) -> bool:
    """Tell whether `text` lacks an item of `other`, or has a box in another state."""
    return bool(other.counts - text.counts) or bool(_flips(text, other))


def is_decision(disk: Gist, versions: Sequence[Gist]) -> bool:
    """Tell whether a text that only lacks lines of the first version lacks them on purpose.

    Not if it says just what an older version says, nor what one says with the newest commits beside it.
    """
    now, *older = (version.counts for version in versions)
    if disk.counts in older:
        return False
    own = [now - version for version in older[:_AGAIN]]
    rewritten = (disk.counts == version + new for at, new in enumerate(own) for version in older[at + 1 :])
    return (now - disk.counts).total() < _MANY or not any(rewritten)


def origin(disk: Gist, versions: Sequence[Gist]) -> Origin:
    """Find the version with the smallest difference from `disk`; the first is the committed one, and wins ties.

    What stands there from another version than the one looked at weighs double: nobody writes it by chance. A section
    that is gone altogether weighs no more than one item: the writer of any version may have left it out.
    """
    there = disk.counts
    words = set().union(*(version.counts for version in versions))
    known = Counter({key: number for key, number in there.items() if key in words})
    edits = _edits(there, versions, words)
    views = [_view(disk, known, version, [[key for key, _ in before] for before in edits]) for version in versions]
    sure = [[key for key, _ in before] for before in edits if before[0][1] >= SURELY]
    strict = [_view(disk, known, version, sure) for version in versions] if len(sure) < len(edits) else views
    nearest = _nearest(views)
    best = nearest or _again(views, there)
    if not known:
        return Origin(best)
    younger = views[best].whole - views[max(_last_as_near(views, best), _nearest(strict))].whole - there
    if not best:
        younger |= _doubtful(views)
        younger -= Counter({key: younger.total() for before in sure for key in before})
    return Origin(best, frozenset(younger), _is_sure(views[0], views[best], there, first=bool(nearest)))


def _nearest(views: Sequence[_View]) -> int:
    return min(range(len(views)), key=lambda at: views[at].rank)


def _last_as_near(views: Sequence[_View], best: int) -> int:
    return max(at for at, view in enumerate(views) if view.rank == views[best].rank)


def _doubtful(views: Sequence[_View]) -> Counter[str]:
    """Return what a text lacks that has older words or boxes too, though it is nearest to the committed one."""
    backwards = views[0].foreign or any(view.flips < views[0].flips for view in views)
    return views[0].lost if backwards else Counter()


def _is_sure(committed: _View, base: _View, there: Counter[str], *, first: bool) -> bool:
    """Tell whether the writer has what is gone or reworded since, or left nothing out, or lacks more than it deleted.

    Who does not write for the first time may as well have deleted a few things from the committed version.
    """
    holes = (committed.lost - base.whole).total()
    whole = not base.left_out and not base.lost
    backwards = bool(committed.foreign) or committed.flips > base.flips
    many = (committed.whole - base.whole - there).total() >= _MANY
    return backwards or ((whole or holes > _SEEN * base.lost.total()) if first else many)


def _edits(there: Counter[str], versions: Sequence[Gist], words: set[str]) -> list[list[tuple[str, float]]]:
    """Return of each text that no version has what it may have been before its writer edited it, and how alike."""
    gone = dict.fromkeys(key for version in versions for key in version.counts if key not in there)
    found = nearest_gone([key for key in there if key not in words], list(gone), [key for key in there if key in words])
    return list(found.values())


def _view(disk: Gist, known: Counter[str], version: Gist, edits: Sequence[Sequence[str]]) -> _View:
    seen = known.copy()
    for before in edits:
        seen[next((key for key in before if version.counts[key] > seen[key]), before[0])] += 1
    kept = [section for section in version.sections if _is_left(section, seen)]
    lost = Counter(key for section in kept for key in (*section.keys, section.heading) if key) - seen
    left_out = len(version.sections) - len(kept)
    return _View(version.counts, lost, seen - version.counts, _flips(disk, version), left_out)


def _is_left(section: Section, seen: Mapping[str, int]) -> bool:
    """Tell whether something of a section is left: the heading, or a part of the rest."""
    size = len(section.keys) + bool(section.heading)
    return section.heading in seen or sum(key in seen for key in section.keys) * _LEFT >= size


def _flips(disk: Gist, version: Gist) -> int:
    return sum(disk.boxes.get(key, box) != box for key, box in version.boxes.items())


def _again(views: Sequence[_View], there: Counter[str]) -> int:
    """Return the version of a writer who writes once more, with its own earlier words, which are committed by now.

    It has all of the newest commits. It also has what was deleted or reworded since its version; or it has all of
    that version, and lacks all that lies between, which is not less.
    """
    for last in range(1, min(_AGAIN + 1, len(views))):
        own = views[0].whole - views[last].whole
        if not own or own - there:
            continue
        ranks = [view.rank_without(own) for view in views]
        best = min(range(last + 1, len(views)), key=ranks.__getitem__, default=0)
        if not best or ranks[best][:2] >= ranks[0][:2]:
            continue
        between = views[0].whole - views[best].whole - there
        if views[0].foreign or (ranks[best][0] == 0 and between.total() >= min(own.total(), _MANY)):
            return best
    return 0
