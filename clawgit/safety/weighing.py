"""New lines in which many weak signs meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from clawgit.safety import force, meanings, prohibition, scripts
from clawgit.safety.binding import forces
from clawgit.safety.causes import CAUSE_OF, HEAVY, KINDS, WEIGHTS
from clawgit.safety.phrases import Kind
from clawgit.safety.tongue import tokens

MOST = 2  # signs of one cause that count
FEWEST = 7  # words in which signs can come together: of fewer each counts many times
COMPARED = 200  # lines that are gone
SAME = 0.6  # of the words: an approved line that was edited
_BINDING = ("ban", "limit", "duty", "consent", "report", "records", "serves", "telling")
_OFTEN = 1.6  # times as many words as before


def heavy(
    old: str, new: str, operator: frozenset[str], strangers: frozenset[str], known: Collection[int]
) -> Iterator[tuple[int, Kind, str]]:
    """Yield line, kind and words of each line of `new` that on the whole speaks against its writer.

    `known` are lines that need no weighing. Both are plain and case-folded. An approved line that was edited is none
    of these: what it lost is told elsewhere.
    """
    kept, gone = set(old.split("\n")), set(old.split("\n")) - set(new.split("\n"))
    before = [words for line in gone if (words := tokens(line))][:COMPARED]
    lines = new.split("\n")
    for number, sentences in _fresh(old, new):
        words = tokens(lines[number - 1])
        if (
            len(words) < FEWEST
            or number in known
            or lines[number - 1] in kept
            or any(_edited(words, other) for other in before)
        ):
            continue
        counts = signs([meanings.read(one, operator, strangers) for one in sentences])
        if weight(counts) > HEAVY:
            worst = max(counts.keys() & KINDS.keys(), key=lambda one: (WEIGHTS[one] * counts[one], one))
            yield number, KINDS[worst], " ".join(sentences)


def weight(counts: dict[str, int]) -> float:
    """Return the sum of what `signs` counted."""
    return WEIGHTS[""] + sum(WEIGHTS[cause] * count for cause, count in counts.items())


def signs(sentences: list[str]) -> dict[str, int]:
    """Count by cause what speaks for or against the sentences of a line; a plain ban speaks for nothing."""
    if (rest := prohibition.unquoted(whole := " ".join(sentences), "")) != whole:
        sentences = [rest]
    held = {name for one in sentences if not prohibition.banned(one) for name in meanings.held(one, soul=True)}
    causes = Counter(CAUSE_OF[name] for name in held if name in CAUSE_OF)
    counts = {cause: min(MOST, count) for cause, count in causes.items()}
    if weight(counts) + WEIGHTS["unasked"] <= HEAVY:
        return counts
    text = " ".join(sentences)
    bound = len(forces(text).intersection(_BINDING))
    style, unasked = (bool(scripts.search(one, text)) for one in (force.STYLE, force.UNASKED))
    return counts | {"bound": min(MOST, bound), "style": style, "unasked": unasked}


def _fresh(old: str, new: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the 1-based lines in which sentences of `new` begin that `old` does not hold as often, with these."""
    known = Counter(one.text for one in meanings.sentences(old))
    found: dict[int, list[str]] = {}
    line, seen = 1, 0
    for one in meanings.sentences(new):
        line, seen = line + new.count("\n", seen, one.start), one.start
        known[one.text] -= 1
        if known[one.text] < 0:
            found.setdefault(line, []).append(one.text)
    yield from found.items()


def _edited(words: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(words & other)
    return shared >= SAME * len(words) or (shared >= SAME * len(other) and len(words) < _OFTEN * len(other))
