"""How many hostile edits of an identity are graded high, and how many honest ones are by mistake.

    python benchmarks/safety/grading.py   the parts of corpora, by kind, file and language
    python benchmarks/safety/grading.py --show   and what was missed or alarmed on the half that rules are tuned on
    python benchmarks/safety/grading.py --part tune   that part alone; `fresh` is not looked at while rules are improved
    python benchmarks/safety/grading.py --json

Only what an edit says counts here: its origin is the operator and evidence is given, since edits without are graded
high whatever they say. All lines that stood there are handed over as protected, as those of an approved file are.
"""

import argparse
import json
import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from clawgit.safety import rules
from clawgit.workspace.risk import Risk, grade

CORPORA = Path(__file__).parents[2] / "corpora"
HALVES = ("tune", "held-out", "fresh")
CAP = 3000  # tokens
OPERATOR = ("Mara", "Mara Lindqvist")
SIZE, ROUNDS = 12_000, 15


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit of a corpus: `file` names what is edited, `changed` is what was written.

    `before` is None where the file is new.
    """

    kind: str
    file: str
    language: str
    changed: str
    before: str | None
    after: str


def edits(corpus: str, half: str) -> list[Edit]:
    """Read `corpus` (attacks, honest), one half of it."""
    kinds = tomllib.loads((CORPORA / f"{corpus}.{half}.toml").read_text(encoding="utf-8"))
    return [_edit(kind, *row) for kind, rows in kinds.items() for row in rows]


def _edit(kind: str, file: str, language: str, first: str, second: str | None = None) -> Edit:
    if kind == "new":
        return Edit(kind, file, language, first, None, first)
    before = base(file, language)
    if second is None:
        after = before.rstrip("\n") + f"\n\n{first}\n"
    else:
        assert before.count(first) == 1, f"{file}: {first!r} stands there {before.count(first)} times"
        after = before.replace(first, second)
    return Edit(kind, file, language, first if second is None else second or f"(gone) {first}", before, after)


def base(file: str, language: str) -> str:
    """Return the file as it was, in `language` where there is one, else in English."""
    stem = "agents" if file.startswith("agents/") else file.removesuffix(".md")
    path = CORPORA / "bases" / f"{stem}.{language}.md"
    return (path if path.exists() else path.with_name(f"{stem}.en.md")).read_text(encoding="utf-8")


def graded(edit: Edit) -> Risk:
    """Grade `edit` by its content alone."""
    return grade(
        edit.before,
        edit.after,
        origin="operator",
        evidence=["pointer"],
        cap_tokens=CAP,
        protected=(edit.before or "").split("\n"),
        path=edit.file,
        operator=OPERATOR,
    )


def rates(found: Iterable[Edit], by: Callable[[Edit], str]) -> dict[str, tuple[int, int]]:
    """Count the alarms and the edits of each group, and of all."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for edit in found:
        high = graded(edit).level == "high"
        for group in (by(edit), "all"):
            counts[group][0] += high
            counts[group][1] += 1
    return {group: (high, total) for group, (high, total) in sorted(counts.items(), key=lambda one: one[0] == "all")}


def measure(corpus: str, halves: Sequence[str]) -> dict[str, dict[str, dict[str, tuple[int, int]]]]:
    """Return the counts of each of `halves` by kind, file and language."""
    ways: dict[str, Callable[[Edit], str]] = {
        "kind": lambda edit: edit.kind,
        "file": lambda edit: edit.file,
        "language": lambda edit: edit.language,
    }
    read = {half: edits(corpus, half) for half in halves}
    return {name: {half: rates(found, by) for half, found in read.items()} for name, by in ways.items()}


def milliseconds(corpus: str, halves: Sequence[str]) -> float:
    """Return the median processor time to grade a file of 12 KB in which everything is new."""
    lines = [edit.changed for half in halves for edit in edits(corpus, half)]
    text = "\n".join(lines * 3)[:SIZE]
    spent = []
    for _ in range(ROUNDS):
        rules.kinds.cache_clear()  # each sentence as if it were read for the first time
        start = time.process_time()
        grade("# SOUL.md\n", text, origin="operator", evidence=["pointer"], cap_tokens=CAP)
        spent.append(1000 * (time.process_time() - start))
    return sorted(spent)[ROUNDS // 2]


def _print(corpus: str, counts: dict[str, dict[str, dict[str, tuple[int, int]]]]) -> None:
    print(f"\n{corpus}: graded high")
    for name, halves in counts.items():
        print(f"\n  {name:22}" + "".join(f"{half:>20}" for half in halves))
        for group in dict.fromkeys(group for half in halves.values() for group in half if group != "all"):
            print(f"  {group:22}" + "".join(_share(halves[half].get(group)) for half in halves))
    print(f"  {'all':22}" + "".join(_share(counts["kind"][half]["all"]) for half in counts["kind"]))


def _share(count: tuple[int, int] | None) -> str:
    return f"{count[0]:>8} of {count[1]:>3} {100 * count[0] / count[1]:>3.0f} %" if count else f"{'':20}"


def _show() -> None:
    for corpus, wrong in (("attacks", "low"), ("honest", "high")):
        print(f"\n{corpus} graded {wrong}, tune half")
        for edit in edits(corpus, "tune"):
            risk = graded(edit)
            if risk.level == wrong:
                print(f"  {edit.kind:14} {edit.file:20} {edit.language}  {edit.changed!r}  {'; '.join(risk.reasons)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="list what is graded wrongly, on the tune half")
    parser.add_argument("--part", choices=HALVES, action="append", help="measure this part alone; may be repeated")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    halves = options.part or HALVES
    found = {corpus: measure(corpus, halves) for corpus in ("attacks", "honest")}
    keep(found)
    if options.json:
        print(
            json.dumps(
                found | {"milliseconds": {name: round(milliseconds(name, halves), 2) for name in found}}, indent=2
            )
        )
        return
    for corpus, counts in found.items():
        _print(corpus, counts)
    times = (f"{milliseconds(name, halves):.1f} ms of {name} edits" for name in found)
    print(f"\n12 KB, all of it new, processor time: {', '.join(times)}")
    if options.show:
        _show()


if __name__ == "__main__":
    main()
