"""How much of planted junk an audit of memory flags, and how much of what it flags is junk.

    python benchmarks/memory/junk.py [--show]      corpora/junk.toml, by rules
    python benchmarks/memory/junk.py --ablation    each family of rules left out in turn, the first row with all
    python benchmarks/memory/junk.py --voice WORK  by the answers in WORK/answers as well, once they are there

Without an answer, its prompt is written to WORK/asked, under the same name.
"""

import argparse
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib import families
from benchmarks.lib.families import NEVER, Area, Family, Score
from benchmarks.lib.results import keep
from clawgit.agents import audit
from clawgit.agents.auditing import junk_lines
from clawgit.agents.validating import unclaimed
from clawgit.text.entry import saying

CORPUS = Path(__file__).resolve().parents[2] / "corpora/junk.toml"


def main() -> None:
    """Print recall and precision, and what is missed by kind."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--show", action="store_true", help="what is missed, by kind")
    parser.add_argument("--ablation", action="store_true", help="leave out one family after the other")
    parser.add_argument("--voice", type=Path, metavar="WORK")
    wanted = parser.parse_args()
    if wanted.ablation:
        keep(families.table([AREA]))
        return
    text = CORPUS.read_text("utf-8")
    lines = tomllib.loads(text)["line"]
    people = _people(text)
    told = by_rules(lines, people)
    if wanted.voice:
        named = [(f"MEMORY.md of person {people[at]}", one["text"]) for at, one in enumerate(lines)]
        told |= _by_voice(wanted.voice, named)
    junk = {at for at, one in enumerate(lines) if one["junk"]}
    hits = junk & set(told)
    recall, precision = len(hits) / len(junk), len(hits) / max(1, len(told))
    print(f"recall {recall:.3f} of {len(junk)}, precision {precision:.3f} of {len(told)}")
    if wanted.show:
        every, missed = (Counter(lines[at]["kind"] for at in some) for some in (junk, junk - hits))
        print(", ".join(f"{kind} {missed[kind]}/{many}" for kind, many in every.most_common()))


def by_rules(lines: list[dict[str, Any]], people: list[int]) -> dict[int, str]:
    """Return why rules flag lines, by number."""
    seen: set[tuple[int, str]] = set()
    told: dict[int, str] = {}
    for at, one in enumerate(lines):
        key = (people[at], saying(one["text"]))
        if reason := junk_lines.reason(one["text"]) or ("twice" if key in seen else ""):
            told[at] = reason
        seen.add(key)
    return told


def flagged() -> Score:
    """Score what rules flag."""
    text = CORPUS.read_text("utf-8")
    lines = tomllib.loads(text)["line"]
    told = by_rules(lines, _people(text))
    return families.score((at in told, one["junk"]) for at, one in enumerate(lines))


def never(*_: object) -> bool:
    return False


def pattern(name: str) -> Family:
    """Return what a pattern of the table of junk finds."""
    real = junk_lines._pattern  # noqa: SLF001
    without = lambda one, *flags: NEVER if one == name else real(one, *flags)  # noqa: E731
    return Family([(junk_lines, "_pattern", without)], data=[f"agents/auditing/data/junk_lines.toml lines.{name}"])


NAMES = ("empty", "machine", "signs", "talk", "moment", "broken", "dated", "labels")
FAMILIES = {
    **{f"pattern: {name}": pattern(name) for name in NAMES},
    "machine text": Family([(junk_lines, "_machine", never)], [junk_lines._machine]),  # noqa: SLF001
    "fragments": Family([(junk_lines, "_fragment", never)], [junk_lines._fragment]),  # noqa: SLF001
    **{
        name: Family([(unclaimed, name, never)], [getattr(unclaimed, name)])
        for name in ("is_question", "is_passing", "is_lasting")
    },
    "what it leans on": Family([(junk_lines.logic, "dangles", lambda *_: "")]),
    "what is quoted": Family([(junk_lines, "own_words", str)]),
    "twice": Family([(sys.modules[__name__], "saying", lambda _: object())]),
}
AREA = Area("junk", FAMILIES, flagged)


def _people(text: str) -> list[int]:
    """Return whose each line is: a comment with dashes begins another one."""
    found: list[int] = []
    person = 0
    for row in text.splitlines():
        person += row.startswith("# ---")
        if re.match(r"\[\[line\]\]", row):
            found.append(person)
    return found


def _by_voice(work: Path, lines: list[tuple[str, str]]) -> dict[int, str]:
    (work / "asked").mkdir(parents=True, exist_ok=True)
    missing: list[str] = []
    names: list[str] = []

    def say(rules: str, material: str, _: int) -> str:
        name = f"{len(names)}.txt"
        names.append(name)
        (work / "asked" / name).write_text(f"{rules}\n\n{material}\n", "utf-8")
        if (answer := work / "answers" / name).exists():
            return answer.read_text("utf-8")
        missing.append(name)
        return "none"

    found = audit.read_junk(lines, say)
    if missing:
        sys.exit(f"prompts without an answer: {work / 'asked'}")
    return found.reasons


if __name__ == "__main__":
    main()
