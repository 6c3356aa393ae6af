"""Which version a writer started from."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from clawgit.text.stale_write.item_merge import ItemCounts, Section
from clawgit.text.stale_write.resemblance import SURELY, is_joined, nearest_gone, predecessor, same_letters

_SEEN = 2  # what stands there from another version weighs as much as two items that do not
_READ = 3  # so many items from younger versions, or half of all, are proof of having read one of them
_LEFT = 3  # one item in so many shows that a section still stands
_CHANCE = 0.2  # so likely somebody who takes out much of a text takes out all that one version brought as well


class BaseVersion(Struct, frozen=True):
    """The number of the version, and what may be younger than the writer's, for an older version is just as near.

    `undecided` holds keys of the committed text: nobody can tell whether the writer took that out, or reworded it, or
    had never seen it. Its values are what may stand there in its place, "" for nothing.
    """

    number: int
    undecided: Mapping[str, str] = field(default_factory=dict)


class _View(Struct, frozen=True):
    """How a text looks from one version: what it has of it, what it lacks, what it has from others, which boxes differ.

    `left_out` counts sections of which nothing is left; what they held is not in `lost`. `by_both` counts what the
    committed text lacks as well. `read_later` tells that the writer has so much of younger versions that it must have
    read one.
    """

    whole: Counter[str]
    stands: int
    lost: Counter[str]
    foreign: Counter[str]
    flips: int
    left_out: int
    by_both: int
    read_later: bool

    @property
    def distance(self) -> tuple[bool, int, int, int]:
        """Return how far it is. That others took the same out as the writer, by chance, decides between equals."""
        return (
            self.read_later,
            self.lost.total() + _SEEN * self.foreign.total() + self.left_out,
            self.flips,
            self.by_both,
        )


def lacks(text: ItemCounts, other: ItemCounts) -> bool:
    """Tell whether `text` lacks an item of `other`, or has a box in another state."""
    return bool(other.counts - text.counts) or bool(_flips(text, other))


def base_version(disk: ItemCounts, versions: Sequence[ItemCounts]) -> BaseVersion:
    """Find the version with the smallest difference from `disk`; the first is the committed one, and wins ties.

    What stands there from another version than the one looked at weighs double: nobody writes it by chance. A section
    that is gone altogether weighs no more than one item: the writer of any version may have left it out. What every
    version has, the writer has seen. Who leaves less than half of an older version, and writes more than that
    himself, wrote the text anew.
    """
    there = disk.counts
    words = set().union(*(version.counts for version in versions))
    known = Counter({key: number for key, number in there.items() if key in words})
    edits = _edits(there, versions, words)
    if not known and not edits:
        return BaseVersion(0)
    mostly = 2 * len(edits) > len(there)  # who rewords nearly all has hardly anything new
    surely = edits if mostly else {new: before for new, before in edits.items() if before[0][1] >= SURELY}
    views = [_view(disk, known, version, versions[0], edits) for version in versions]
    strict = (
        [_view(disk, known, version, versions[0], surely) for version in versions]
        if len(surely) < len(edits)
        else views
    )
    best = _nearest(views)
    younger = views[best].whole - views[max(_last_as_near(views, best), _nearest(strict))].whole - there
    fresh = sum(number for key, number in there.items() if key not in known and key not in surely)
    if 2 * strict[best].stands < strict[best].whole.total() and fresh > strict[best].stands:
        return BaseVersion(0)
    if not best:
        younger |= _doubtful(views[0], known, versions)
        younger -= Counter({key: younger.total() for before in surely.values() for key, _ in before})
    else:
        younger |= _by_chance(views, best, there)
    younger = Counter(
        {key: number for key, number in younger.items() if not all(key in one.counts for one in versions)}
    )
    return BaseVersion(best, _with_successors(younger, versions[0].counts, there, edits))


def _with_successors(
    younger: Counter[str],
    committed: Counter[str],
    there: Counter[str],
    edits: Mapping[str, Sequence[tuple[str, float]]],
) -> dict[str, str]:
    """Return what is younger, each with the text that may be an edit of it."""
    edited = {old: new for new, before in edits.items() for old, _ in reversed(before)}
    older = [key for key in there if key not in committed and key not in edits]
    return {key: edited.get(key) or predecessor(key, older) for key in younger}


def _nearest(views: Sequence[_View]) -> int:
    return min(range(len(views)), key=lambda at: views[at].distance)


def _last_as_near(views: Sequence[_View], best: int) -> int:
    compared = None if not best else -1
    return max(at for at, view in enumerate(views) if view.distance[:compared] == views[best].distance[:compared])


def _doubtful(view: _View, known: Counter[str], versions: Sequence[ItemCounts]) -> Counter[str]:
    """Return what a text lacks that is nearest to the committed one, and has words again that are gone since.

    It may have been written from the newest version that has any of these, and what that has was seen; unless it has
    words that are younger than that.
    """
    committed = versions[0].counts
    returned = known - committed
    read = next((one.counts for one in versions if returned.keys() & one.counts.keys()), None)
    return Counter() if read is None or ((known & committed) - read).total() > 1 else view.lost - read


def _by_chance(views: Sequence[_View], best: int, there: Counter[str]) -> Counter[str]:
    """Return what a writer who takes out much may have taken out as well, of the versions after the nearest one."""
    found: Counter[str] = Counter()
    for at in range(best, 0, -1):
        base, later = views[at], views[at - 1]
        step = later.whole - base.whole - there
        share = (base.lost.total() + base.left_out) / max(base.whole.total(), 1)
        if later.foreign != base.foreign or share ** step.total() < _CHANCE:
            break
        found |= step
    return found


def _edits(there: Counter[str], versions: Sequence[ItemCounts], words: set[str]) -> dict[str, list[tuple[str, float]]]:
    """Return of each text that no version has what it may have been before its writer edited it, and how alike."""
    gone = list(dict.fromkeys(key for version in versions for key in version.counts if key not in there))
    new, standing = [key for key in there if key not in words], [key for key in there if key in words]
    same = same_letters(new, gone)
    rest = [key for key in new if key not in same]
    return {**{key: [(old, 100.0)] for key, old in same.items()}, **nearest_gone(rest, gone, standing)}


def _view(
    disk: ItemCounts,
    known: Counter[str],
    version: ItemCounts,
    committed: ItemCounts,
    edits: Mapping[str, Sequence[tuple[str, float]]],
) -> _View:
    seen = known.copy()
    for new, found in edits.items():
        for key in _before(new, [key for key, _ in found], version.counts, seen):
            seen[key] += 1
    kept = [section for section in version.sections if _is_left(section, seen)]
    lost = Counter(key for section in kept for key in (*section.keys, section.heading) if key) - seen
    left_out = len(version.sections) - len(kept)
    by_both = (lost - committed.counts).total()
    foreign = seen - version.counts
    younger = (foreign & committed.counts).total()
    later = not (seen - committed.counts) and (younger >= _READ or 2 * younger >= known.total() > 0)
    stands = (seen & version.counts).total()
    return _View(version.counts, stands, lost, foreign, _flips(disk, version), left_out, by_both, later)


def _before(new: str, likely: Sequence[str], counts: Counter[str], seen: Counter[str]) -> Sequence[str]:
    """Return of a version's texts what a new one was: several that were joined, one, or nothing more of one.

    The second half of a text that was split is of that text, whatever else it is like.
    """
    left = [key for key in likely if counts[key] > seen[key]]
    if joined := [key for key in left if is_joined(new, key)]:
        return joined
    if whole := [key for key in likely if is_joined(key, new) and counts[key]]:
        return [key for key in whole if key in left][:1]
    return left[:1] or likely[:1]


def _is_left(section: Section, seen: Mapping[str, int]) -> bool:
    """Tell whether something of a section is left: the heading, or a part of the rest."""
    size = len(section.keys) + bool(section.heading)
    return section.heading in seen or sum(key in seen for key in section.keys) * _LEFT >= size


def _flips(disk: ItemCounts, version: ItemCounts) -> int:
    return sum(disk.boxes.get(key, box) != box for key, box in version.boxes.items())
