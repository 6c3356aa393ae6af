"""How much of planted junk an audit of memory flags, and how much of what it flags is junk.

    python benchmarks/memory/junk.py [--show]      corpora/junk.toml, by rules
    python benchmarks/memory/junk.py --voice WORK  by the answers in WORK/answers as well, once they are there

Without an answer, its prompt is written to WORK/asked, under the same name.
"""

import argparse
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from clawgit.agents.auditing import junk_lines, junk_reading
from clawgit.text.entry import saying

CORPUS = Path(__file__).resolve().parents[2] / "corpora/junk.toml"


def main() -> None:
    """Print recall and precision, and what is missed by kind."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--show", action="store_true", help="what is missed, by kind")
    parser.add_argument("--voice", type=Path, metavar="WORK")
    wanted = parser.parse_args()
    text = CORPUS.read_text("utf-8")
    lines = tomllib.loads(text)["line"]
    people = _people(text)
    seen: set[tuple[int, str]] = set()
    told: dict[int, str] = {}
    for at, one in enumerate(lines):
        key = (people[at], saying(one["text"]))
        if reason := junk_lines.reason(one["text"]) or ("twice" if key in seen else ""):
            told[at] = reason
        seen.add(key)
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

    found = junk_reading.read(lines, say)
    if missing:
        sys.exit(f"prompts without an answer: {work / 'asked'}")
    return found.reasons


if __name__ == "__main__":
    main()
