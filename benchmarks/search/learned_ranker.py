"""Whether a ranker that is learnt from some conversations finds more in the others: each in turn is held out.

    python benchmarks/search/learned_ranker.py --data FOLDER     with the conversations of a folder, see genre_gate.py

Needs numpy. Every line is a candidate for every question. What is learnt is the weight of each sign below (logistic
regression over standardised signs): how Core ranks a line and those around it, bm25 of the line, of its neighbours and
of its file, how much of the question stands there, what the best lines have in common (RM3), what words stand together
in this memory (PPMI), who speaks, and what form a line has. Printed are Core and the learnt ranker on what was held
out, with bounds as in genre_gate.py, and the heaviest signs.
"""

import argparse
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib import suites
from benchmarks.lib.conversations import conversations
from benchmarks.lib.results import keep
from benchmarks.lib.suites import Span, Suite
from benchmarks.search.genre_gate import MEASURES, bounds
from clawgit.search import corpus, question_words, recall, store
from clawgit.search.answer import Query
from clawgit.search.rank import Rules

K1, B = 1.2, 0.75
FAR, FEEDBACK, EXPANDED = 300, 8, 20
RIDGE, STEPS, SHARE = 3.0, 12, 0.3
LINE = re.compile(r"- ([^:]+): (.*)")
PHOTO = re.compile(r" \[photo: .*")
WHEN = re.compile(r"(?i)\s*(?:when|how long|which (?:year|month|date))")
WHO = re.compile(r"(?i)\s*(?:who|what is the name|which)")
Signs = dict[str, np.ndarray]


class Words:
    """How often each word stands in each of some texts, as a matrix, and what bm25 makes of it."""

    def __init__(self, texts: list[list[str]], known_rows: dict[str, int]) -> None:
        self.known = known_rows
        self.counts = np.zeros((len(texts), len(known_rows)), np.float32)
        for index, text in enumerate(texts):
            for word, times in Counter(text).items():
                self.counts[index, known_rows[word]] = times
        stands = (self.counts > 0).sum(0)
        self.idf = np.log(1 + (len(texts) - stands + 0.5) / (stands + 0.5))
        size = self.counts.sum(1, keepdims=True)
        self.parts = self.idf * self.counts * (K1 + 1) / (self.counts + K1 * (1 - B + B * size / max(size.mean(), 1)))

    def scores(self, question: np.ndarray) -> np.ndarray:
        results = self.parts @ question
        return results / (results.max() or 1)

    def covered(self, question: np.ndarray) -> np.ndarray:
        weights = self.idf * (question > 0)
        return (self.counts > 0) @ weights / (weights.sum() or 1)


class Conversation:
    """The lines of a conversation, and the signs by which they answer a question."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        rows = [(path, index, line) for path, index, _, line in suites.each_line(suite) if LINE.match(line)]
        self.spans: list[Span] = [(path, index, index) for path, index, _ in rows]
        self.at = {span[:2]: number for number, span in enumerate(self.spans)}
        said = [LINE.match(line) for _, _, line in rows]
        self.speakers = [item[1].lower() for item in said if item]
        texts = [item[2] for item in said if item]
        small = {stem for results in store.stems(sorted(question_words.stop_words(()))) for stem in results}
        stems = [[item for item in results if item not in small] for results in store.stems(texts)]
        known_rows = {word: index for index, word in enumerate(sorted({word for item in stems for word in item}))}
        paths = sorted({path for path, _, _ in rows})
        self.of_file = np.array([paths.index(path) for path, _, _ in rows])
        self.body = Words(stems, known_rows)
        self.near = Words([self._around(stems, index, 1) for index in range(len(stems))], known_rows)
        self.wide = Words([self._around(stems, index, 2) for index in range(len(stems))], known_rows)
        files = [
            [word for index in np.flatnonzero(self.of_file == item) for word in stems[index]]
            for item in range(len(paths))
        ]
        self.files = Words(files, known_rows)
        together = (self.near.counts > 0).astype(np.float32)
        pair, single = together.T @ together, together.sum(0)
        with np.errstate(divide="ignore"):
            ppmi = np.log(pair * len(rows) / np.outer(single, single))
        self.ppmi = np.where(pair > 1, np.clip(ppmi, 0, 6) / 6, 0)
        np.fill_diagonal(self.ppmi, 0)
        plain = [PHOTO.sub("", text) for text in texts]
        self.form: Signs = {
            "asks": np.array([float(item.rstrip().endswith("?")) for item in plain]),
            "photo": np.array([float("[photo:" in item) for item in texts]),
            "length": np.log([len(item) for item in texts]),
            "digit": np.array([float(bool(re.search(r"\d|yesterday|last|next|ago", item))) for item in plain]),
            "name": np.array([float(bool(re.search(r"[a-z,] [A-Z][a-z]", item))) for item in plain]),
        }
        self.index = store.open_store(None)
        store.refresh(self.index, lambda: corpus.sources(suite.root))

    def _around(self, stems: list[list[str]], at: int, far: int) -> list[str]:
        neighbours = range(max(at - far, 0), min(at + far + 1, len(stems)))
        return [word for item in neighbours if self.of_file[item] == self.of_file[at] for word in stems[item]]

    def beside(self, sign: np.ndarray, by: int) -> np.ndarray:
        """Return the sign of the line so many further on in the same file."""
        other = np.clip(np.arange(len(sign)) + by, 0, len(sign) - 1)
        return np.where(self.of_file[other] == self.of_file, sign[other], 0) * (other != np.arange(len(sign)))

    def core(self, question: str) -> tuple[np.ndarray, np.ndarray]:
        """Return what Core gives each line, and its rank."""
        score, rank = np.zeros(len(self.spans)), np.full(len(self.spans), float(FAR))
        results = recall.answers(self.index, Query(question, most=200), Rules(None, least=0))[0]
        for number, item in enumerate(results):
            index = self.at.get((item.place.path, item.place.start))
            if index is not None and rank[index] == FAR:
                score[index], rank[index] = item.relevance, number
        return score, rank

    def signs(self, question: str) -> np.ndarray:
        """Return a row of signs for each line."""
        names = set(self.speakers)
        words = [word for word in question_words.content(question) if word not in names]
        asked = self._vector({stem: 1.0 for results in store.stems(words) for stem in results})
        score, rank = self.core(question)
        best = [index for index in np.argsort(rank)[:FEEDBACK] if rank[index] < FAR]
        more = sum(
            (score[index] * (self.body.counts[index] > 0) * self.body.idf for index in best), np.zeros(len(asked))
        )
        more[asked > 0] = 0
        more[more < np.sort(more)[-EXPANDED:].min(initial=0)] = 0
        weights = self.body.idf * asked
        linked = [
            weights[index] * ((self.body.counts > 0) * self.ppmi[index]).max(1) for index in np.flatnonzero(asked)
        ]
        named = [item for item in names if item in question_words.list_words(question)]
        own = self.body.scores(asked)
        results: Signs = {
            "core": score,
            "rank": -np.log(rank + 2),
            "first": 1 / (rank + 3),
            "line": own,
            "around": self.near.scores(asked),
            "wide": self.wide.scores(asked),
            "file": self.files.scores(asked)[self.of_file],
            "covered": self.body.covered(asked),
            "covered around": self.near.covered(asked),
            "RM3": self.body.scores(more),
            "PPMI": sum(linked, np.zeros(len(own))) / (weights.sum() or 1),
            "speaker": np.array([float(item in named) if named else 0.5 for item in self.speakers]),
            "when": self.form["digit"] * bool(WHEN.match(question)),
            "who": self.form["name"] * bool(WHO.match(question)),
            **{f"line {by:+}": self.beside(own, by) for by in (-1, 1)},
            **{f"core {by:+}": self.beside(score, by) for by in (-2, -1, 1, 2)},
            **self.form,
        }
        self.names = list(results)
        return np.stack(list(results.values()), 1)

    def _vector(self, weights: dict[str, float]) -> np.ndarray:
        results = np.zeros(len(self.body.known))
        for word, weight in weights.items():
            if word in self.body.known:
                results[self.body.known[word]] = weight
        return results


def learnt(rows: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the means and deviations of the signs, and their weights: Newton's steps with a ridge."""
    mean, deviation = rows.mean(0), rows.std(0) + 1e-9
    signs = np.hstack([(rows - mean) / deviation, np.ones((len(rows), 1))])
    weights = np.zeros(signs.shape[1])
    for _ in range(STEPS):
        guess = 1 / (1 + np.exp(-np.clip(signs @ weights, -30, 30)))
        slope = signs.T @ (guess - right) + RIDGE * weights
        bend = (signs * (guess * (1 - guess))[:, None]).T @ signs + RIDGE * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    return mean, deviation, weights[:-1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a folder with convert.py and conversations as JSON")
    options = parser.parse_args()
    chance = np.random.default_rng(8)
    with tempfile.TemporaryDirectory(prefix="clawgit-learnt-") as work:
        all_rows = [Conversation(suite) for suite in conversations(options.data, Path(work))]
        signs = [[item.signs(question) for question, _ in item.suite.questions] for item in all_rows]
        scores: dict[str, list[dict[str, float]]] = {"Core": [], "learnt": []}
        weights = []
        for held, conversation in enumerate(all_rows):
            rows, right = [], []
            for index, item in enumerate(all_rows):
                for results, (_, gold) in zip(signs[index], item.suite.questions, strict=True) if index != held else ():
                    good = np.array([span[:2] in gold for span in item.spans])
                    group = good | (chance.random(len(good)) < SHARE)
                    rows.append(results[group])
                    right.append(good[group])
            mean, deviation, by = learnt(np.concatenate(rows), np.concatenate(right))
            weights.append(by)
            core = suites.core(conversation.suite)
            for results, (question, gold) in zip(signs[held], conversation.suite.questions, strict=True):
                best = np.argsort(-((results - mean) / deviation) @ by, kind="stable")[: suites.DEPTH]
                answers = {"Core": core(question), "learnt": [conversation.spans[index] for index in best]}
                for system, hits in answers.items():
                    scores[system].append(suites.scored(conversation.suite, hits, gold))
    rows_ = {}
    for measure in MEASURES:
        ours, theirs = ([row[measure] for row in scores[system]] for system in ("learnt", "Core"))
        rows_[measure] = (sum(theirs) / len(theirs), sum(ours) / len(ours), *bounds(ours, theirs))
        print("{}: Core {:.4f}, learnt {:.4f}: {:+.4f} [{:+.4f} {:+.4f}]".format(measure, *rows_[measure]))
    means = dict(zip(all_rows[0].names, np.mean(weights, 0), strict=True))
    heavy = sorted(means, key=lambda name: -abs(means[name]))[:12]
    print(f"{len(scores['Core'])} questions; " + ", ".join(f"{name} {means[name]:+.2f}" for name in heavy))
    keep(rows_)
    return 0


if __name__ == "__main__":
    sys.exit(main())
