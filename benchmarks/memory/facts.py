"""How well the class of a fact is told, by rules and by a voice: F1, the mean of four classes.

python benchmarks/memory/facts.py               corpora/facts.toml, by rules
python benchmarks/memory/facts.py --voice WORK  writes the prompts to WORK/asked; by the answers of WORK/answers,
                                                which have the same names, once they are there
"""

import argparse
import random
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from clawgit.agents.organizing.fact_classes import ByVoice, Statement, by_rules
from clawgit.llm.model import ModelError
from clawgit.workspace.fact_register import CATEGORIES, Category

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpora/facts.toml"
RULES = ROOT / "templates/agents/organizer/SOUL.md"


def f1(facts: Sequence[Mapping[str, str]], told: Sequence[Category]) -> float:
    """Return the mean of the F1 of the classes."""
    scores = []
    for name in CATEGORIES:
        both = sum(one["class"] == it == name for one, it in zip(facts, told, strict=True))
        some = sum(it == name for it in told) + sum(one["class"] == name for one in facts)
        scores.append(2 * both / some if some else 1.0)
    return sum(scores) / len(scores)


def by_voice(work: Path, some: Sequence[Statement]) -> Sequence[Category] | None:
    """Return the classes by recorded answers; None while some are missing, whose prompts were written."""
    (work / "asked").mkdir(parents=True, exist_ok=True)
    missing: list[str] = []
    names: Iterator[int] = iter(range(len(some)))

    def say(rules: str, material: str, tokens: int) -> str:  # noqa: ARG001 - as a voice is asked
        name = f"{next(names)}.txt"
        (work / "asked" / name).write_text(f"{rules}\n\n{material}\n", "utf-8")
        if (answer := work / "answers" / name).exists():
            return answer.read_text("utf-8")
        missing.append(name)
        raise ModelError("test", "not answered")

    told = ByVoice(say, RULES.read_text("utf-8"))(some)
    return None if missing else told


def main() -> None:
    """Print the F1 of all, and of each language."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--voice", type=Path, metavar="WORK")
    wanted = parser.parse_args()
    facts = tomllib.loads(CORPUS.read_text("utf-8"))["fact"]
    random.Random(7).shuffle(facts)
    some = [Statement(one["text"]) for one in facts]
    told = by_voice(wanted.voice, some) if wanted.voice else by_rules(some)
    if told is None:
        sys.exit(f"prompts without an answer: {wanted.voice / 'asked'}")
    print(f"all: {f1(facts, told):.3f} of {len(facts)}")
    for language in sorted({one["language"] for one in facts}):
        places = [at for at, one in enumerate(facts) if one["language"] == language]
        print(f"{language}: {f1([facts[at] for at in places], [told[at] for at in places]):.3f} of {len(places)}")


if __name__ == "__main__":
    main()
