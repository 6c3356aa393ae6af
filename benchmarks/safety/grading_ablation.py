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
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from benchmarks.safety.grading import HALVES, OPERATOR, Edit, edits, graded
from clawgit.safety import binding, hidden_text, injection, prohibition, protected_lines, rules
from clawgit.workspace import file_roles, hostile_text


def none(*_: object, **__: object) -> tuple[()]:
    return ()


def no(*_: object, **__: object) -> bool:
    return False


@contextmanager
def instead(*swaps: tuple[Any, str, Callable[..., Any]]) -> Iterator[None]:
    with ExitStack() as stack:
        for where, name, what in swaps:
            stack.enter_context(patch.object(where, name, what))
        yield


def without_rules(kind: str) -> Any:
    kept = tuple(rule for rule in rules.rules() if rule.kind != kind)
    return instead((rules, "rules", lambda: kept))


def without_phrases(kind: str) -> Any:
    kept = tuple(phrase for phrase in rules.phrases() if phrase.kind != kind)
    return instead((rules, "phrases", lambda: kept))


def families() -> dict[str, Callable[[], Any]]:
    """Name what can be left out."""
    found: dict[str, Callable[[], Any]] = {"(today)": instead}
    for kind in dict.fromkeys(rule.kind for rule in rules.rules()):
        found[f"rules: {kind}"] = partial(without_rules, kind)
    found["rules: all"] = partial(instead, (injection, "_judged", lambda *_: {}))
    found["rules: items of a list joined"] = partial(instead, (injection, "gathered", str))
    found["rules: what was said before"] = partial(instead, (injection, "_said_before", no))
    for kind in dict.fromkeys(phrase.kind for phrase in rules.phrases()):
        found[f"phrases: {kind}"] = partial(without_phrases, kind)
    found["phrases: all"] = partial(instead, (rules, "anywhere", none))
    found["comments and hidden elements"] = partial(instead, (hidden_text, "unseen", none))
    found["sentences in a code"] = partial(instead, (hidden_text, "encoded", none))
    found["hidden characters"] = partial(instead, (hidden_text, "scan", none))
    for name in ("addresses", "commands", "tools"):
        found[f"capabilities: {name}"] = partial(instead, (binding, name, none))
    found["protected lines"] = partial(instead, (protected_lines, "lost", none))
    turned = (injection, "negated", no), (prohibition, "negated", no), (prohibition, "banned", no)
    found["prohibition"] = partial(instead, *turned)
    return found


def told(edit: Edit, *, high: bool) -> bool:
    """Tell whether an edit raises an alarm where others wrote it."""
    if file_roles.guarded(edit.file):
        return high or file_roles.self_description(edit.file)
    return any(hostile_text.alarm(edit.file, edit.before, edit.after, OPERATOR))


def counted(read: dict[tuple[str, str], list[Edit]]) -> dict[str, int]:
    """Count what is graded high, and what is told of the attacks, by part."""
    rules.kinds.cache_clear()
    row: dict[str, int] = {}
    for (corpus, part), some in read.items():
        high = [graded(one).level == "high" for one in some]
        row[f"{corpus} {part} high"] = sum(high)
        if corpus == "attacks":
            row[f"{corpus} {part} told"] = sum(told(one, high=h) for one, h in zip(some, high, strict=True))
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
    for name, left_out in families().items():
        if options.only and options.only not in name and name != "(today)":
            continue
        with left_out():
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
