"""Every genre in one table: Core beside FTS5 over lines and over chunks, and BM25; bounds by paired bootstrap.

    python benchmarks/search/genre_gate.py                    what is made here: notes, messages, journals, languages,
                                                              paraphrases of corpora/sameness.toml
    python benchmarks/search/genre_gate.py REPOSITORY...      and the subjects of these repositories' commits, together
    python benchmarks/search/genre_gate.py --data FOLDER      and the conversations of a folder with convert.py
    python benchmarks/search/genre_gate.py --vectors DIR      and txtai's formula: half BM25, half vectors, kept in DIR

file hit@1 and the evidence within 1,000 tokens, of at most `--most` questions of each genre. Behind them stands what
Core is above the best of the three FTS5, with the bounds within which 95 of 100 resamplings of the questions lie. A
genre fails that lies below in both bounds.
"""

import argparse
import math
import random
import shutil
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib import genres, pools, suites
from benchmarks.lib.conversations import conversations
from benchmarks.lib.results import keep
from benchmarks.lib.suites import DEPTH, Search, Span, Suite
from benchmarks.search import enhanced_rows, subjects

MEASURES = ("hit@1", "≤1k")
LANGUAGES = ("packages", "de", "fr", "es")
RESAMPLED = 2000
K1, B = 1.2, 0.75


def bm25(chunks: list[tuple[str, int, int, str]]) -> Callable[[str], dict[int, float]]:
    """Return what scores chunks by Robertson's formula, words as they are."""
    counts = [Counter(suites.words(item[3])) for item in chunks]
    sizes = [sum(item.values()) for item in counts]
    middle = statistics.fmean(sizes) or 1.0
    where: dict[str, list[int]] = {}
    for index, item in enumerate(counts):
        for word in item:
            where.setdefault(word, []).append(index)

    def scores(question: str) -> dict[int, float]:
        results: dict[int, float] = {}
        for word in suites.asked(question):
            group = where.get(word, ())
            weight = math.log(1 + (len(chunks) - len(group) + 0.5) / (len(group) + 0.5))
            for index in group:
                times = counts[index][word]
                part = times * (K1 + 1) / (times + K1 * (1 - B + B * sizes[index] / middle))
                results[index] = results.get(index, 0.0) + weight * part
        return results

    return scores


def best(chunks: list[tuple[str, int, int, str]], scores: Mapping[int, float]) -> list[Span]:
    return [chunks[index][:3] for index in sorted(scores, key=lambda index: (-scores[index], index))[:DEPTH]]


def plain_bm25(suite: Suite) -> Search:
    chunks = suites.each_line(suite)
    scores = bm25(chunks)
    return lambda question: best(chunks, scores(question))


def txtai(suite: Suite, neighbours: Callable[[str], Mapping[Span, float]]) -> Search:
    """Take half of BM25 over its best and half of the cosine, over the same chunks."""
    chunks = [
        (path, start, end, "\n".join(suite.lines(path)[start - 1 : end])) for path, start, end in sorted(neighbours(""))
    ]
    scores = bm25(chunks)

    def search(question: str) -> list[Span]:
        words, vectors = scores(question), neighbours(question)
        top = max(words.values(), default=0.0) or 1.0
        pair = {index: words.get(index, 0.0) / top + vectors.get(item[:3], 0.0) for index, item in enumerate(chunks)}
        return best(chunks, pair)

    return search


FTS5 = {name: build for name, build in subjects.SYSTEMS.items() if name.startswith("FTS5")}
SYSTEMS: dict[str, Callable[[Suite], Search]] = {"Core": suites.core, **FTS5, "BM25": plain_bm25}


def groups(options: argparse.Namespace, work: Path) -> Iterator[tuple[str, Callable[[], list[Suite]]]]:
    if options.data:
        yield "conversations", lambda: conversations(options.data, work)
    for name, build in genres.GENRES.items():
        if name.startswith("journals"):
            yield f"journals of {options.lines:,} lines", partial(genres.journals, work, lines=options.lines)
        else:
            yield name, partial(build, work, genres.ENGLISH)
    for language in LANGUAGES:
        yield f"memories, {language}", lambda name=language: genres.memories(work / name, pools.pool(name, 0))
    for name, of_script in genres.SCRIPTS.items():
        yield name, partial(of_script, work)
    for name, of_pairs in genres.PARAPHRASED.items():
        yield name, partial(of_pairs, work)
    if options.repositories:
        yield f"commits of {len(options.repositories)}", lambda: list(subjects.all_of(options.repositories, work))


def asked(results: list[Suite], limit: int) -> list[tuple[Suite, list[tuple[str, frozenset[tuple[str, int]]]]]]:
    """Return the questions of the suites, `most` of them by chance."""
    all_rows = [(suite, item) for suite in results for item in suite.questions]
    sample = random.Random(8).sample(all_rows, min(limit or len(all_rows), len(all_rows)))
    return [(suite, [item for source, item in sample if source is suite]) for suite in results]


def rows(
    sets: list[tuple[Suite, list[tuple[str, frozenset[tuple[str, int]]]]]], made: Callable[[Suite], Search]
) -> list[dict[str, float]]:
    """Return what each answer is worth."""
    results = []
    for suite, questions in sets:
        search = made(suite) if questions else None
        results += [suites.scored(suite, search(question), gold) for question, gold in questions if search]
    return results


def bounds(ours: list[float], theirs: list[float]) -> tuple[float, float, float]:
    """Return the mean of what is above, and the bounds of 95 % of its resamplings."""
    difference, chance = [item - second for item, second in zip(ours, theirs, strict=True)], random.Random(9)
    means = sorted(statistics.fmean(chance.choices(difference, k=len(difference))) for _ in range(RESAMPLED))
    return statistics.fmean(difference), means[RESAMPLED // 40], means[-RESAMPLED // 40 - 1]


def line(name: str, scored: Mapping[str, list[dict[str, float]]]) -> tuple[dict[str, object], bool]:
    """Print a row; return it, and whether the genre holds."""
    row: dict[str, object] = {"n": len(scored["Core"])}
    cells, holds = [], True
    for measure in MEASURES:
        means = {system: statistics.fmean(item[measure] for item in results) for system, results in scored.items()}
        peer = max(FTS5, key=lambda system: means[system])
        difference = bounds(*([item[measure] for item in scored[system]] for system in ("Core", peer)))
        row[measure] = {**means, "above": difference, "peer": peer}
        cells += [*(f"{mean:.3f}" for mean in means.values()), "{:+.3f} [{:+.3f} {:+.3f}]".format(*difference)]
        holds &= difference[2] >= 0
    print(f"| {name} | {row['n']} | {' | '.join(cells)} | {'' if holds else 'below'} |", flush=True)
    return row, holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", type=Path, help="repositories with Markdown")
    parser.add_argument("--data", type=Path, help="a folder with convert.py and conversations as JSON")
    parser.add_argument("--vectors", type=Path, help="where vectors are kept; needs the extra enhanced and its model")
    parser.add_argument("--most", type=int, default=150, help="questions of each genre; 0: all")
    parser.add_argument("--lines", type=int, default=20_000, help="of the journals")
    parser.add_argument("--only", default="", help="only genres whose name has this")
    options = parser.parse_args()
    work, results, below = Path(tempfile.mkdtemp(prefix="clawgit-gate-")), {}, 0
    try:
        with ExitStack() as stack:
            systems = dict(SYSTEMS)
            if options.vectors:
                neighbours = enhanced_rows.nearness(options.vectors, stack)
                systems["txtai's formula"] = lambda suite: txtai(suite, neighbours(suite))
            heads = [f"{measure} {name}" for measure in MEASURES for name in (*systems, "above")]
            print(f"| genre | n | {' | '.join(heads)} | |\n|{'---|' * (len(heads) + 3)}")
            for name, build in groups(options, work):
                sets = asked(build(), options.most) if options.only in name else []
                if any(questions for _, questions in sets):
                    scored = {system: rows(sets, source) for system, source in systems.items()}
                    results[name], holds = line(name, scored)
                    below += not holds
        keep(results)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 3 if below else 0


if __name__ == "__main__":
    sys.exit(main())
