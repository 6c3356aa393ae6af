"""How well the class of a fact is told: F1, the mean of four classes.

python benchmarks/memory/facts.py               corpora/facts.toml
"""

import argparse
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from clawgit.search.recall import CATEGORIES, Category, classify

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpora/facts.toml"


def f1(facts: Sequence[Mapping[str, str]], answer: Sequence[Category]) -> float:
    """Return the mean of the F1 of the classes."""
    scores = []
    for name in CATEGORIES:
        pair = sum(row["class"] == it == name for row, it in zip(facts, answer, strict=True))
        group = sum(it == name for it in answer) + sum(row["class"] == name for row in facts)
        scores.append(2 * pair / group if group else 1.0)
    return sum(scores) / len(scores)


def main() -> None:
    """Print the F1 of all, and of each language."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    facts = tomllib.loads(CORPUS.read_text("utf-8"))["fact"]
    answer = [classify(row["text"]) for row in facts]
    print(f"all: {f1(facts, answer):.3f} of {len(facts)}")
    for language in sorted({row["language"] for row in facts}):
        places = [index for index, row in enumerate(facts) if row["language"] == language]
        measure = f1([facts[index] for index in places], [answer[index] for index in places])
        print(f"{language}: {measure:.3f} of {len(places)}")


if __name__ == "__main__":
    main()
