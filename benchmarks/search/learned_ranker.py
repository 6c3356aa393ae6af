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

    def __init__(self, texts: list[list[str]], known: dict[str, int]) -> None:
        self.known = known
        self.counts = np.zeros((len(texts), len(known)), np.float32)
        for at, text in enumerate(texts):
            for word, times in Counter(text).items():
                self.counts[at, known[word]] = times
        stands = (self.counts > 0).sum(0)
        self.idf = np.log(1 + (len(texts) - stands + 0.5) / (stands + 0.5))
        size = self.counts.sum(1, keepdims=True)
        self.parts = self.idf * self.counts * (K1 + 1) / (self.counts + K1 * (1 - B + B * size / max(size.mean(), 1)))

    def scores(self, asked: np.ndarray) -> np.ndarray:
        found = self.parts @ asked
        return found / (found.max() or 1)

    def covered(self, asked: np.ndarray) -> np.ndarray:
        weights = self.idf * (asked > 0)
        return (self.counts > 0) @ weights / (weights.sum() or 1)


class Conversation:
    """The lines of a conversation, and the signs by which they answer a question."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        rows = [(path, at, line) for path, at, _, line in suites.each_line(suite) if LINE.match(line)]
        self.spans: list[Span] = [(path, at, at) for path, at, _ in rows]
        self.at = {span[:2]: number for number, span in enumerate(self.spans)}
        said = [LINE.match(line) for _, _, line in rows]
        self.speakers = [one[1].lower() for one in said if one]
        texts = [one[2] for one in said if one]
        small = {stem for found in store.stems(sorted(question_words.stop_words(()))) for stem in found}
        stems = [[one for one in found if one not in small] for found in store.stems(texts)]
        known = {word: at for at, word in enumerate(sorted({word for one in stems for word in one}))}
        paths = sorted({path for path, _, _ in rows})
        self.of_file = np.array([paths.index(path) for path, _, _ in rows])
        self.body = Words(stems, known)
        self.near = Words([self._around(stems, at, 1) for at in range(len(stems))], known)
        self.wide = Words([self._around(stems, at, 2) for at in range(len(stems))], known)
        files = [
            [word for at in np.flatnonzero(self.of_file == one) for word in stems[at]] for one in range(len(paths))
        ]
        self.files = Words(files, known)
        together = (self.near.counts > 0).astype(np.float32)
        both, single = together.T @ together, together.sum(0)
        with np.errstate(divide="ignore"):
            ppmi = np.log(both * len(rows) / np.outer(single, single))
        self.ppmi = np.where(both > 1, np.clip(ppmi, 0, 6) / 6, 0)
        np.fill_diagonal(self.ppmi, 0)
        plain = [PHOTO.sub("", text) for text in texts]
        self.form: Signs = {
            "asks": np.array([float(one.rstrip().endswith("?")) for one in plain]),
            "photo": np.array([float("[photo:" in one) for one in texts]),
            "length": np.log([len(one) for one in texts]),
            "digit": np.array([float(bool(re.search(r"\d|yesterday|last|next|ago", one))) for one in plain]),
            "name": np.array([float(bool(re.search(r"[a-z,] [A-Z][a-z]", one))) for one in plain]),
        }
        self.index = store.open_store(None)
        store.refresh(self.index, lambda: corpus.sources(suite.root))

    def _around(self, stems: list[list[str]], at: int, far: int) -> list[str]:
        near = range(max(at - far, 0), min(at + far + 1, len(stems)))
        return [word for one in near if self.of_file[one] == self.of_file[at] for word in stems[one]]

    def beside(self, sign: np.ndarray, by: int) -> np.ndarray:
        """Return the sign of the line so many further on in the same file."""
        other = np.clip(np.arange(len(sign)) + by, 0, len(sign) - 1)
        return np.where(self.of_file[other] == self.of_file, sign[other], 0) * (other != np.arange(len(sign)))

    def core(self, question: str) -> tuple[np.ndarray, np.ndarray]:
        """Return what Core gives each line, and its rank."""
        score, rank = np.zeros(len(self.spans)), np.full(len(self.spans), float(FAR))
        found = recall.answers(self.index, Query(question, most=200), Rules(None, least=0))[0]
        for number, one in enumerate(found):
            at = self.at.get((one.place.path, one.place.start))
            if at is not None and rank[at] == FAR:
                score[at], rank[at] = one.relevance, number
        return score, rank

    def signs(self, question: str) -> np.ndarray:
        """Return a row of signs for each line."""
        names = set(self.speakers)
        words = [word for word in question_words.content(question) if word not in names]
        asked = self._vector({stem: 1.0 for found in store.stems(words) for stem in found})
        score, rank = self.core(question)
        best = [at for at in np.argsort(rank)[:FEEDBACK] if rank[at] < FAR]
        more = sum((score[at] * (self.body.counts[at] > 0) * self.body.idf for at in best), np.zeros(len(asked)))
        more[asked > 0] = 0
        more[more < np.sort(more)[-EXPANDED:].min(initial=0)] = 0
        weights = self.body.idf * asked
        linked = [weights[at] * ((self.body.counts > 0) * self.ppmi[at]).max(1) for at in np.flatnonzero(asked)]
        named = [one for one in names if one in question_words.list_words(question)]
        own = self.body.scores(asked)
        found: Signs = {
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
            "speaker": np.array([float(one in named) if named else 0.5 for one in self.speakers]),
            "when": self.form["digit"] * bool(WHEN.match(question)),
            "who": self.form["name"] * bool(WHO.match(question)),
            **{f"line {by:+}": self.beside(own, by) for by in (-1, 1)},
            **{f"core {by:+}": self.beside(score, by) for by in (-2, -1, 1, 2)},
            **self.form,
        }
        self.names = list(found)
        return np.stack(list(found.values()), 1)

    def _vector(self, weights: dict[str, float]) -> np.ndarray:
        found = np.zeros(len(self.body.known))
        for word, weight in weights.items():
            if word in self.body.known:
                found[self.body.known[word]] = weight
        return found


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
    given = parser.parse_args()
    chance = np.random.default_rng(8)
    with tempfile.TemporaryDirectory(prefix="clawgit-learnt-") as work:
        every = [Conversation(suite) for suite in conversations(given.data, Path(work))]
        signs = [[one.signs(question) for question, _ in one.suite.questions] for one in every]
        scores: dict[str, list[dict[str, float]]] = {"Core": [], "learnt": []}
        weights = []
        for held, conversation in enumerate(every):
            rows, right = [], []
            for at, one in enumerate(every):
                for found, (_, gold) in zip(signs[at], one.suite.questions, strict=True) if at != held else ():
                    good = np.array([span[:2] in gold for span in one.spans])
                    some = good | (chance.random(len(good)) < SHARE)
                    rows.append(found[some])
                    right.append(good[some])
            mean, deviation, by = learnt(np.concatenate(rows), np.concatenate(right))
            weights.append(by)
            core = suites.core(conversation.suite)
            for found, (question, gold) in zip(signs[held], conversation.suite.questions, strict=True):
                best = np.argsort(-((found - mean) / deviation) @ by, kind="stable")[: suites.DEPTH]
                answers = {"Core": core(question), "learnt": [conversation.spans[at] for at in best]}
                for system, hits in answers.items():
                    scores[system].append(suites.scored(conversation.suite, hits, gold))
    rows_ = {}
    for measure in MEASURES:
        ours, theirs = ([row[measure] for row in scores[system]] for system in ("learnt", "Core"))
        rows_[measure] = (sum(theirs) / len(theirs), sum(ours) / len(ours), *bounds(ours, theirs))
        print("{}: Core {:.4f}, learnt {:.4f}: {:+.4f} [{:+.4f} {:+.4f}]".format(measure, *rows_[measure]))
    means = dict(zip(every[0].names, np.mean(weights, 0), strict=True))
    heavy = sorted(means, key=lambda name: -abs(means[name]))[:12]
    print(f"{len(scores['Core'])} questions; " + ", ".join(f"{name} {means[name]:+.2f}" for name in heavy))
    keep(rows_)
    return 0


if __name__ == "__main__":
    sys.exit(main())
