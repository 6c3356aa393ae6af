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


def f1(facts: Sequence[Mapping[str, str]], told: Sequence[Category]) -> float:
    """Return the mean of the F1 of the classes."""
    scores = []
    for name in CATEGORIES:
        both = sum(one["class"] == it == name for one, it in zip(facts, told, strict=True))
        some = sum(it == name for it in told) + sum(one["class"] == name for one in facts)
        scores.append(2 * both / some if some else 1.0)
    return sum(scores) / len(scores)


def main() -> None:
    """Print the F1 of all, and of each language."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    facts = tomllib.loads(CORPUS.read_text("utf-8"))["fact"]
    told = [classify(one["text"]) for one in facts]
    print(f"all: {f1(facts, told):.3f} of {len(facts)}")
    for language in sorted({one["language"] for one in facts}):
        places = [at for at, one in enumerate(facts) if one["language"] == language]
        print(f"{language}: {f1([facts[at] for at in places], [told[at] for at in places]):.3f} of {len(places)}")


if __name__ == "__main__":
    main()
