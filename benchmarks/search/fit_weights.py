"""Fit the weights of the ranking, each genre in turn held out; print them, and whether a change beats chance.

    python benchmarks/search/fit_weights.py --data FOLDER     with the conversations of a folder, see genre_gate.py
    python benchmarks/search/fit_weights.py --most 100 --rounds 3

In each round every weight is tried a step lower and a step higher. What is best for the mean of the other genres is
asked of the genre that was held out. A step that is best for all of them is taken, and another round follows, as long
as the gain on what was held out is above nothing in 95 of 100 resamplings. A question is worth the mean of file hit@1
and of its evidence within 1,000 tokens.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib import suites
from benchmarks.lib.results import keep
from benchmarks.lib.suites import Search
from benchmarks.search import genre_gate
from clawgit.search import keyword_search, rank

WEIGHTS = {
    "SPOKEN": rank,
    "ROLE": rank,
    "NAMED": rank,
    "DATED": rank,
    "ASKED": rank,
    "_FILE": rank,
    "_TOKENS": rank,
    "_COVER": rank,
    "_PLAIN": rank,
    "_RELATED": keyword_search,
}
STEPS = (0.7, 1.4)
Questions = list[tuple[Search, suites.Suite, str, frozenset[tuple[str, int]]]]


@contextmanager
def weighted(values: Mapping[str, float]) -> Iterator[None]:
    """Search with other weights for a while."""
    before = {name: getattr(WEIGHTS[name], name) for name in values}
    try:
        for name, value in values.items():
            setattr(WEIGHTS[name], name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(WEIGHTS[name], name, value)


def asked(values: Mapping[str, float], genre: Questions) -> list[float]:
    """Return what each answer of a genre is worth with these weights."""
    with weighted(values):
        rows = [suites.scored(suite, search(question), gold) for search, suite, question, gold in genre]
    return [statistics.fmean(row[name] for name in genre_gate.MEASURES) for row in rows]


def tried(
    now: Mapping[str, float], genres: Mapping[str, Questions]
) -> tuple[dict[str, list[float]], dict[tuple[str, float], dict[str, list[float]]]]:
    """Return what the answers are worth now, and with each step of each weight."""
    base = {name: asked(now, genre) for name, genre in genres.items()}
    steps = {}
    for weight in WEIGHTS:
        for step in STEPS:
            changed = {**now, weight: now[weight] * step}
            steps[weight, step] = {name: asked(changed, genre) for name, genre in genres.items()}
    return base, steps


def best(
    base: Mapping[str, list[float]], steps: Mapping[tuple[str, float], Mapping[str, list[float]]], without: str = ""
) -> tuple[tuple[str, float], float]:
    """Return the step that gains most in the mean of the genres, one left out, and how much."""
    gains = {
        step: statistics.fmean(
            statistics.fmean(found[name]) - statistics.fmean(base[name]) for name in base if name != without
        )
        for step, found in steps.items()
    }
    step = max(gains, key=lambda one: gains[one])
    return step, gains[step]


def fit(genres: Mapping[str, Questions], rounds: int) -> dict[str, float]:
    now = {name: float(getattr(module, name)) for name, module in WEIGHTS.items()}
    for number in range(1, rounds + 1):
        base, steps = tried(now, genres)
        print(f"\nround {number}: {', '.join(f'{name} {statistics.fmean(some):.3f}' for name, some in base.items())}")
        ours, theirs = [], []
        for held in genres:
            (weight, step), gain = best(base, steps, held)
            apart = genre_gate.bounds(steps[weight, step][held], base[held])
            ours += steps[weight, step][held]
            theirs += base[held]
            there = "{:+.4f} [{:+.4f} {:+.4f}]".format(*apart)
            print(f"  without {held}: {weight} x {step} {gain:+.4f}; there {there}")
        mean, low, high = genre_gate.bounds(ours, theirs)
        (weight, step), gain = best(base, steps)
        print(
            f"  held out together {mean:+.4f} [{low:+.4f} {high:+.4f}]; of all, {weight} x {step} {gain:+.4f}",
            flush=True,
        )
        if low <= 0:
            print("  no more than chance: the weights stay")
            break
        now[weight] *= step
    return now


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a folder with convert.py and conversations as JSON")
    parser.add_argument("--most", type=int, default=60, help="questions of each genre")
    parser.add_argument("--lines", type=int, default=10_000, help="of the journals")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--leave", default="two letters|misspelt|memories, es|paraphrased", help="genres that stay out")
    given = parser.parse_args()
    given.repositories = []
    work = Path(tempfile.mkdtemp(prefix="clawgit-fit-"))
    try:
        genres: dict[str, Questions] = {}
        for name, made in genre_gate.groups(given, work):
            if not any(word in name for word in given.leave.split("|")):
                sets = [(suite, some) for suite, some in genre_gate.asked(made(), given.most) if some]
                if not sets:
                    continue
                searches = [(suites.core(suite), suite, some) for suite, some in sets]
                genres[name] = [(search, suite, *one) for search, suite, some in searches for one in some]
        found = fit(genres, given.rounds)
        print("\n" + "\n".join(f"{name} = {value:.3g}" for name, value in found.items()))
        keep(found)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
