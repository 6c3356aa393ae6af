"""Vectors alone and Enhanced, as rows of the retrieval table: the real embedder, the real Chroma.

    python benchmarks/search/enhanced_rows.py                  the sets that benchmarks/search/retrieval.py makes
    python benchmarks/search/enhanced_rows.py --data FOLDER    and the conversations of a folder, see there

Needs the extra `enhanced`, and the model of the embedder: `clawgit memory index` downloads it, and
`python tests/search/minilm.py FOLDER` makes it. Embedding takes minutes: --work DIR keeps vectors for another run.
"""

import argparse
import importlib.util
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib import genres, suites
from benchmarks.lib.conversations import conversations
from benchmarks.lib.suites import DEPTH, Search, Span, Suite
from clawgit.search import corpus, meaning, rank, recall, store, vectors
from clawgit.search.answer import Query
from clawgit.search.embedder import PROBE, Embedder, choose_embedder, name_embedder, unit
from clawgit.search.question_words import drop_speakers
from clawgit.search.rank import Rules
from clawgit.search.store import Store
from clawgit.search.vectors import Scale, Vectors
from clawgit.workspace.settings import KEYS


def available() -> bool:
    return importlib.util.find_spec("chromadb") is not None


@dataclass(frozen=True)
class Filled:
    """The index of a suite, and its vectors in Chroma."""

    store: Store
    found: Vectors
    model: Embedder
    scale: Scale

    def near(self, question: str, limit: int) -> dict[str, float]:
        """Return how near texts are, by their hashes."""
        (questions,) = self.model.embed([drop_speakers(question, self.store.voiced)])
        neighbours: dict[str, float] = {}
        for _, facts, cosine in self.found.near(questions, limit):
            neighbours.setdefault(str(facts["hash"]), self.scale.worth(cosine))
        return neighbours


def systems(work: Path, stack: ExitStack, choice: str = "default") -> Mapping[str, Callable[[Suite], Search]]:
    """Return the systems for `suites.SYSTEMS`; vectors are kept below `work`, and `stack` closes what is open."""
    filled = _filling(work, stack, choice)
    return {
        "vectors alone": lambda suite: alone(filled(suite.name, suite.root)),
        "Enhanced": lambda suite: enhanced(suite, filled(suite.name, suite.root)),
    }


def nearness(work: Path, stack: ExitStack) -> Callable[[Suite], Callable[[str], Mapping[Span, float]]]:
    """Return for a suite what tells how near its chunks are to a question; to none at all, all of them."""
    filled = _filling(work, stack, "default")

    def of(suite: Suite) -> Callable[[str], Mapping[Span, float]]:
        by = filled(suite.name, suite.root)
        docs = [row[0] for row in by.store.raw.execute("SELECT id FROM chunks")]
        places = by.store.places(docs)

        def near(question: str) -> Mapping[Span, float]:
            results = by.near(question, len(docs)) if question else {}
            return {(place.path, place.start, place.end): results.get(place.hash, 0.0) for place in places}

        return near

    return of


def _filling(work: Path, stack: ExitStack, choice: str) -> Callable[[str, Path], Filled]:
    model = choose_embedder(choice, building=True)
    dimension = len(model.embed([PROBE])[0])

    @cache
    def filled(name: str, root: Path) -> Filled:
        index_store = store.open_store(None)
        store.refresh(index_store, lambda: corpus.sources(root))
        live = {row.id: row for row in meaning.list_chunks(index_store)}
        results = stack.enter_context(
            vectors.open_collection(work / f"chroma-{name.replace(' ', '-')}", "live", wait=0)
        )
        results.open(name_embedder(model), dimension, create=True)
        meaning.fill(results, live, model, dimension)
        strangers = map(unit, model.embed(vectors.STRANGE))
        scale = vectors.measure_scale(strangers, results.read(sorted(live)[: vectors.SAMPLE]))
        return Filled(index_store, results, model, scale)

    return filled


def alone(by: Filled) -> Search:
    """Chunks by cosine, nothing else."""

    def search(question: str) -> list[Span]:
        neighbours = by.near(question, 2 * DEPTH)
        places = by.store.places(by.store.by_hash(neighbours))
        places.sort(key=lambda place: -neighbours[place.hash])
        return [(place.path, place.start, place.end) for place in places[:DEPTH]]

    return search


def enhanced(suite: Suite, by: Filled) -> Search:
    """Take words and vectors together, as the search does."""
    rules = Rules(today=suite.today, vectors=rank.parse_vector_share(KEYS["search_weights"].default))

    def search(question: str) -> list[Span]:
        results = recall.answers(by.store, Query(question), rules, lambda _, text: by.near(text, meaning.NEAREST))[0]
        return [(item.place.path, item.place.start, item.place.end) for item in results[:DEPTH]]

    return search


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a folder with convert.py and conversations as JSON")
    parser.add_argument("--work", type=Path, help="where vectors are kept; default: a temporary folder")
    parser.add_argument("--only", default="", help="only groups whose name has this")
    parser.add_argument("--embedder", default="default", help="as in CONFIG.md")
    options = parser.parse_args()
    with ExitStack() as stack:
        product = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="clawgit-retrieval-")))
        groups = {"conversations": conversations(options.data, product)} if options.data else {}
        groups |= {name: make(product) for name, make in genres.ALL.items() if options.only in name}
        sample = {**suites.SYSTEMS, **systems(options.work or product, stack, options.embedder)}
        for title, results in groups.items():
            if options.only not in title:
                continue
            measured = {
                name: suites.mean([(len(item.questions), suites.measured(item, system(item))) for item in results])
                for name, system in sample.items()
            }
            print(
                f"\n{title}: {sum(len(item.questions) for item in results)} questions\n\n{suites.table(measured)}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
