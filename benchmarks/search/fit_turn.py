"""Fit the weights of the two decisions of a turn to the open half of `corpora/turns`; print them.

    python benchmarks/search/fit_turn.py                    fit to all, and print what a fit to the other set finds

A message counts as one of the owner's world where a line is needed, also one that the prompt shows. A line counts where
it is needed; what the prompt shows is no candidate. Nothing is written: the tables stand in `context/relevance.py`.
"""

import argparse
import math
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.search.turns import SETS, Message, adopt, read_messages
from clawgit.context import addition, relevance
from clawgit.context.prompt_pieces import SourceFiles
from clawgit.search import ask
from clawgit.search.answer import Query
from clawgit.workspace.workspace import open_workspace

RIDGE = {"message": 0.01, "line": 0.001}
"""The weight of the squares: the set is small."""
STEPS, RATE = 1_000, 0.5
UNFITTED = ("similar",)
Row = tuple[str, Mapping[str, float], bool]
"""The set, the features, and whether it counts."""


def collect(name: str, messages: Sequence[Message], scratch: Path) -> tuple[list[Row], list[Row]]:
    """Return the rows of the messages and of the lines of one set."""
    of_messages, of_lines = [], []
    with open_workspace(adopt(name, scratch)) as workspace:
        for message in messages:
            answer = ask.answer_question(workspace, Query(message.text, addition.MAX_HITS, 0.0, explain=True))
            decision = relevance.judge_message(message.text, answer)
            of_messages.append((name, decision.features, bool(message.all_needs)))
            hits = addition.list_candidates(SourceFiles(workspace, None), answer, "main", message.shown)
            rows = relevance.extract_line_features(message.text, answer, hits) if decision.passes else []
            of_lines += [(name, features, any(need in hit.text for need in message.needs)) for hit, features in rows]
    return of_messages, of_lines


def fit(rows: Iterable[Row], ridge: float) -> tuple[dict[str, float], float]:
    """Return the weights and the bias of a logistic regression, by gradient descent."""
    data = [(features, counts) for _, features, counts in rows]
    weights, bias = {name: 0.0 for name in data[0][0] if name not in UNFITTED}, 0.0
    for _ in range(STEPS):
        slopes, slope = dict.fromkeys(weights, 0.0), 0.0
        for features, counts in data:
            error = 1 / (1 + math.exp(-bias - sum(weights[name] * features[name] for name in weights))) - counts
            slope += error
            for name in weights:
                slopes[name] += error * features[name]
        bias -= RATE * slope / len(data)
        weights = {name: weights[name] - RATE * (slopes[name] / len(data) + ridge * weights[name]) for name in weights}
    return weights, bias


def main() -> None:
    """Collect, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    rows: dict[str, list[Row]] = {"message": [], "line": []}
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["HOME"] = scratch
        for name in sorted(place.stem for place in SETS.glob("*.toml") if ".blind" not in place.name):
            of_messages, of_lines = collect(name, read_messages(SETS / f"{name}.toml"), Path(scratch))
            rows["message"] += of_messages
            rows["line"] += of_lines
    for kind, group in rows.items():
        for held in ("", *sorted({name for name, *_ in group})):
            weights, bias = fit((row for row in group if row[0] != held), RIDGE[kind])
            output = ", ".join(f"{name} {weight:.2f}" for name, weight in weights.items())
            print(f"{kind}, {f'without {held}' if held else 'all'}: {output}; bias {bias:.2f}")


if __name__ == "__main__":
    main()
