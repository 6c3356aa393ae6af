"""What each family of signs earns when an edit of an identity is graded: one left out in turn, the first row is today.

    python benchmarks/safety/grading_ablation.py                 attacks graded high and told, honest edits graded high
    python benchmarks/safety/grading_ablation.py --only rules    rows whose name holds this, and today
    python benchmarks/safety/grading_ablation.py --json

Told: an alarm of any level is raised when the edit is captured. Nobody tuned the signs on the part `fresh`; it gives
totals and nothing else here.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.families import CODE, Area, Family, Score, score
from benchmarks.lib.results import keep
from benchmarks.safety.grading import HALVES, OPERATOR, Edit, edits, graded
from clawgit.safety import binding, hidden_text, injection, normalise, prohibition, protected_lines, rules
from clawgit.safety.script_patterns import SCRIPTS
from clawgit.workspace import file_roles, grading


def none(*_: object, **__: object) -> tuple[()]:
    return ()


def no(*_: object, **__: object) -> bool:
    return False


def joined(kind: str) -> Family:
    """Return the rules of a kind, with the patterns and hints that no other kind reads."""
    kept = tuple(rule for rule in rules.rules() if rule.kind != kind)
    gone = [rule for rule in rules.rules() if rule.kind == kind]
    mine, others = ({name for rule in some for name in (*rule.joins, *rule.unless)} for some in (gone, kept))
    listed = (CODE / SIGNS).read_text("utf-8").splitlines()
    rows = sum(len(line.encode()) + 1 for line in listed if line.startswith(f"  ['{kind}', "))
    keys = [f"{file} {script}.{name}" for file in DATA for script in SCRIPTS for name in sorted(mine - others)]
    return Family([(rules, "rules", lambda: kept)], data=[rows, *keys])


def worded(kind: str) -> Family:
    """Return the phrases of a kind, with their hints."""
    kept = tuple(phrase for phrase in rules.phrases() if phrase.kind != kind)
    gone = [phrase.name for phrase in rules.phrases() if phrase.kind == kind]
    keys = {f"{SIGNS} anywhere.{name.rpartition('_')[0]}" for name in gone}
    return Family(
        [(rules, "phrases", lambda: kept)], data=[*sorted(keys), *(f"{HINTS} anywhere.{name}" for name in gone)]
    )


SIGNS, HINTS = DATA = ("safety/data/signs.toml", "safety/data/hints.toml")


def families() -> dict[str, Family]:
    """Name what can be left out."""
    found = {f"rules: {kind}": joined(kind) for kind in dict.fromkeys(rule.kind for rule in rules.rules())}
    found["rules: all"] = Family(
        [(injection, "_judged", lambda *_: {})],
        ["safety/rules.py"],
        [one for family in found.values() for one in family.data],
    )
    found["rules: items of a list joined"] = Family([(injection, "gathered", str)], [normalise.gathered])
    found["rules: what was said before"] = Family([(injection, "_said_before", no)], [injection._said_before])  # noqa: SLF001
    for kind in dict.fromkeys(phrase.kind for phrase in rules.phrases()):
        found[f"phrases: {kind}"] = worded(kind)
    found["phrases: all"] = Family([(rules, "anywhere", none)], data=[f"{file} anywhere" for file in DATA])
    unseen = [hidden_text.unseen, hidden_text.said]
    found["comments and hidden elements"] = Family([(hidden_text, "unseen", none)], unseen)
    found["sentences in a code"] = Family([(hidden_text, "encoded", none)], [hidden_text.encoded, hidden_text._decoded])  # noqa: SLF001
    found["hidden characters"] = Family([(hidden_text, "scan", none)], [hidden_text.scan])
    for name in ("addresses", "commands", "tools"):
        found[f"capabilities: {name}"] = Family([(binding, name, none)], [getattr(binding, name)])
    found["protected lines"] = Family(
        [(protected_lines, "lost", none)], ["safety/protected_lines.py"], ["safety/data/binding.toml"]
    )
    turned = (injection, "negated", no), (prohibition, "negated", no), (prohibition, "banned", no)
    found["prohibition"] = Family(turned, ["safety/prohibition.py"], ["safety/data/prohibition.toml"])
    return found


def told(edit: Edit, *, high: bool) -> bool:
    """Tell whether an edit raises an alarm where others wrote it."""
    if file_roles.guarded(edit.file):
        return high or file_roles.self_description(edit.file)
    return any(grading.find_hostile_text(edit.file, edit.before, edit.after, OPERATOR))


def fresh(tells: Callable[[Edit], bool]) -> Score:
    """Score what is told of the part that nobody tuned on."""
    each = [(tells(one), name == "attacks") for name in ("attacks", "honest") for one in edits(name, "fresh")]
    return score(each)


def high(edit: Edit) -> bool:
    return graded(edit).level == "high"


FAMILIES = families()
AREAS = (
    Area("grading: high", FAMILIES, lambda: fresh(high)),
    Area("grading: told", FAMILIES, lambda: fresh(lambda one: told(one, high=high(one)))),
)


def counted(read: dict[tuple[str, str], list[Edit]]) -> dict[str, int]:
    """Count what is graded high, and what is told of the attacks, by part."""
    row: dict[str, int] = {}
    for (corpus, part), some in read.items():
        grades = [high(one) for one in some]
        row[f"{corpus} {part} high"] = sum(grades)
        if corpus == "attacks":
            row[f"{corpus} {part} told"] = sum(told(one, high=h) for one, h in zip(some, grades, strict=True))
    return row


def _print(name: str, columns: Iterable[object]) -> None:
    print(f"{name:32}" + "".join(f"{column:>22}" for column in columns), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="rows whose name holds this")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    read = {(corpus, part): edits(corpus, part) for corpus in ("attacks", "honest") for part in HALVES}
    rows = {}
    for name, family in {"(today)": Family(), **FAMILIES}.items():
        if options.only and options.only not in name and name != "(today)":
            continue
        with family.left_out():
            rows[name] = counted(read)
        if not options.json:
            if len(rows) == 1:
                _print("left out", rows[name])
                _print("edits", [len(read[corpus, part]) for corpus, part, _ in map(str.split, rows[name])])
            _print(name, rows[name].values())
    keep(rows)
    if options.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
