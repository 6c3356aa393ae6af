"""How well notes that say the same are told from those that contradict each other.

    python benchmarks/memory/sameness.py                 the pairs of corpora/sameness.toml
    python benchmarks/memory/sameness.py --pairs FILE    other pairs, in the same format
    python benchmarks/memory/sameness.py --wrong         and each pair that was judged wrongly
    python benchmarks/memory/sameness.py --near 20000    and the time of a search among so many notes
    python benchmarks/memory/sameness.py --ablation      each family of rules left out in turn, the first row with all

A pair is the same, a contradiction, or different. Shown is what share of each was merged, and what was marked as a
candidate conflict, by us, and by two ways that are common elsewhere; that of vectors where the model of MiniLM is on
this machine. What matters first: no contradiction is merged.
"""

import argparse
import random
import statistics
import sys
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from rapidfuzz import fuzz

from benchmarks.lib import families
from benchmarks.lib.families import NEVER, Area, Family, Score
from benchmarks.lib.results import keep
from clawgit.errors import ClawgitError
from clawgit.language import values
from clawgit.memory import contradictions as contradiction
from clawgit.search.embedder import choose_embedder, unit
from clawgit.text import similarity
from clawgit.text.similarity import NoteIndex

ROOT = Path(__file__).resolve().parents[2]
Pair = Mapping[str, str]
Judge = Callable[[Pair], str]
KINDS = ("same", "contradiction", "different")


def cosines(pairs: Sequence[Pair], embed: Callable[[Sequence[str]], list[list[float]]]) -> dict[str, float]:
    """Return how near the sides of each pair are, by its id."""
    vectors = iter(embed([pair[side] for pair in pairs for side in "ab"]))
    return {
        pair["id"]: sum(map(float.__mul__, unit(item), unit(other)))
        for pair, item, other in zip(pairs, vectors, vectors, strict=True)
    }


def by_limit(neighbours: Mapping[str, float], limit: float) -> Judge:
    return lambda pair: "same" if neighbours[pair["id"]] >= limit else "different"


def judge(pair: Pair) -> str:
    """Return the kind of a pair as clawgit judges it."""
    if similarity.is_same_note(pair["a"], pair["b"]):
        return "same"
    return "different" if contradiction.find_contradiction(pair["a"], pair["b"]) is None else "conflict"


def judges(pairs: Sequence[Pair]) -> dict[str, Judge]:
    results: dict[str, Judge] = {"Core": judge}
    try:
        neighbours = cosines(pairs, choose_embedder("default", building=True).embed)
    except ClawgitError as missing:
        print(f"MiniLM is left out: {missing}\n")
    else:
        results["cosine >= 0.9"] = by_limit(neighbours, 0.9)
        print(f"MiniLM: {', '.join(f'{kind} {spread(pairs, neighbours, kind)}' for kind in KINDS)}\n")
    results["token_set >= 90"] = lambda pair: (
        "same" if fuzz.token_set_ratio(pair["a"].casefold(), pair["b"].casefold()) >= 90 else "different"
    )
    return results


def spread(pairs: Sequence[Pair], neighbours: Mapping[str, float], kind: str) -> str:
    """Return the tenth, the middle and the ninetieth of the cosines of a kind."""
    results = sorted(neighbours[pair["id"]] for pair in pairs if pair["kind"] == kind)
    return "/".join(f"{results[int(len(results) * part)]:.2f}" for part in (0.1, 0.5, 0.9)) if results else "-"


def shares(pairs: Sequence[Pair], judged: Mapping[str, str], lang: str, kind: str) -> str:
    group = [judged[pair["id"]] for pair in pairs if pair["kind"] == kind and lang in ("all", pair["lang"])]
    result, conflict = group.count("same"), group.count("conflict")
    return f"{result:3} + {conflict:3} of {len(group):3}"


def table(pairs: Sequence[Pair], judge: Judge) -> str:
    judged = {pair["id"]: judge(pair) for pair in pairs}
    rows = [f"  {'':8}{''.join(f'{kind:>20}' for kind in KINDS)}"]
    rows += [
        f"  {lang:8}{''.join(f'{shares(pairs, judged, lang, kind):>20}' for kind in KINDS)}"
        for lang in [*dict.fromkeys(pair["lang"] for pair in pairs), "all"]
    ]
    return "\n".join(rows)


def wrong(pairs: Sequence[Pair]) -> None:
    for pair in sorted(pairs, key=lambda pair: (pair["kind"], pair["lang"])):
        text = judge(pair)
        if (text == "same") != (pair["kind"] == "same"):
            print(f"{pair['id']} {pair['kind']} judged {text}\n  {pair['a']}\n  {pair['b']}")


def speed(pairs: Sequence[Pair]) -> str:
    times = []
    for pair in pairs:
        similarity.is_same_note(pair["a"], pair["b"])
        start = time.perf_counter()
        similarity.is_same_note(pair["a"], pair["b"])
        known_rows = time.perf_counter()
        similarity.read_note_words.cache_clear()
        similarity.is_same_note(pair["a"], pair["b"])
        times.append((known_rows - start, time.perf_counter() - known_rows))
    part = [statistics.median(column) * 1e6 for column in zip(*times, strict=True)]
    return f"a comparison: {part[0]:.0f} µs of notes that were read before, {part[1]:.0f} µs of two new ones"


def searches(pairs: Sequence[Pair], size: int) -> str:
    """Return the time of a search among notes that are made of the words of the pairs."""
    chance = random.Random(5)
    words = [word for pair in pairs if pair["lang"] not in {"zh", "ja"} for word in pair["a"].split()]
    known_rows: NoteIndex[int] = NoteIndex()
    for key in range(size):
        known_rows.add(key, " ".join(chance.sample(words, chance.randint(5, 15))))
    times = []
    for pair in pairs:
        similarity.read_note_words(pair["b"])
        start = time.perf_counter()
        known_rows.near(pair["b"])
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    return f"a search among {size} notes: {statistics.median(times):.2f} ms, p99 {times[int(len(times) * 0.99)]:.2f} ms"


def same(text: str, *_: object, **__: object) -> str:
    return text


FAMILIES: dict[str, Family] = {
    "values": Family([(values, "mark_values", same)], ["language/values.py"]),
    "units": Family(
        [(similarity, "unit_words", dict), (contradiction, "unit_words", dict), (similarity, "MONEY", frozenset())],
        [values.unit_words],
        ["language/data/units.toml"],
    ),
    "short negations": Family([(similarity, "_SHORT_NOT", NEVER), (similarity, "_SHORT_VERB", NEVER)]),
    "copulas": Family([(similarity, "_COPULAS", frozenset())]),
    "articles": Family([(similarity, "_ARTICLES", frozenset())]),
    "letters of East Asia apart": Family([(similarity, "_LETTER", NEVER)]),
}
"""How a note is read."""


def told(pairs: Sequence[Pair], relation: str, kind: str) -> Score:
    """Score which pairs have a relation: those of a kind should."""
    return families.score((judge(row) == relation, row["kind"] == kind) for row in pairs)


def areas(pairs: Sequence[Pair]) -> list[Area]:
    """Return what is merged, and what is marked as a candidate conflict."""
    return [
        Area("sameness: merged", FAMILIES, partial(told, pairs, "same", "same")),
        Area("sameness: marked", FAMILIES, partial(told, pairs, "conflict", "contradiction")),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, default=ROOT / "corpora/sameness.toml", help="a file of pairs")
    parser.add_argument("--wrong", action="store_true", help="show what was judged wrongly")
    parser.add_argument("--near", type=int, default=0, help="how many notes to search among")
    parser.add_argument("--ablation", action="store_true", help="leave out one family after the other")
    options = parser.parse_args()
    pairs: list[Pair] = tomllib.loads(options.pairs.read_text("utf-8"))["pair"]
    if options.ablation:
        keep(families.table(areas(pairs)))
        return 0
    print("merged + marked as candidate conflicts, of all\n")
    for name, judge in judges(pairs).items():
        print(f"{name}\n{table(pairs, judge)}\n")
    print(speed(pairs))
    if options.near:
        print(searches(pairs, options.near))
    if options.wrong:
        wrong(pairs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
