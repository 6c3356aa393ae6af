"""How well promotion finds what is worth keeping for good, beside two plain ways, in one run.

    python benchmarks/memory/promotion.py                     on the last 90 days of made workspaces of two years
    python benchmarks/memory/promotion.py --show 20 --missed 20 --seeds 0,1
    python benchmarks/memory/promotion.py --ablation          one table: a row a family of rules that is left out

What should be kept was marked before any run, with the templates of tests/years. A note counts as promoted where a
candidate begins on its line; what is nested below a candidate goes where it goes and is not judged. Templates are in
one of two halves by their hash; --show tells of no note of the held-out half. The plain ways are the trigger words of
the memory tiers document, and every note.
"""

import argparse
import hashlib
import json
import random
import re
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from datetime import time as clock_time
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib import families
from benchmarks.lib.apart import apart
from benchmarks.lib.families import Area, Family, Score
from benchmarks.lib.results import keep
from clawgit.agents.promoting import promotion_categories
from clawgit.agents.promoting.promotion_candidates import LEAST, Candidate, Wanted, gather
from clawgit.agents.promoting.promotion_categories import Said, weigh
from clawgit.git import repository
from clawgit.workspace.workspace import Workspace
from tests.years import CATEGORIES, LANGUAGES, Note, commits, make, templates
from tests.years.maker import MARKED
from tests.years.phrases import CHOICE, SLOT

CORPORA = Path(__file__).parents[2] / "corpora"
LEVELS = (0.3, 0.4, 0.5, 0.6, 0.7)
HALVES = ("tuned", "held-out")
TRIGGERS = re.compile(
    r"결정|아키텍처|[$₩]|상표|변리사|출시|로드맵|기억해|IMPORTANT|CRITICAL|★|(?i:decided|confirmed|approved|design|schema"
    r"|stack|pricing|margin|\bBEP\b|revenue|trademark|patent|\bToS\b|GDPR|partner|client|meeting results|launch|shipped"
    r"|released|phase \w+|roadmap|vision|strategy)"
)


def scores(pairs: Iterable[tuple[bool, bool]]) -> dict[str, float]:
    """Return precision, recall and F1 of (found, gold)."""
    both = Counter(pairs)
    hit, found, gold = both[True, True], both[True, True] + both[True, False], both[True, True] + both[False, True]
    return {"precision": hit / max(found, 1), "recall": hit / max(gold, 1), "F1": 2 * hit / max(found + gold, 1)}


@dataclass(frozen=True)
class Judged:
    """A note with its mark, and the candidate that it was at each level, None where it was none."""

    text: str
    half: str
    language: str
    gold: str
    found: dict[float, Candidate | None]

    def promoted(self, least: float = LEAST) -> bool:
        """Tell whether it was a candidate."""
        return self.found[least] is not None

    @property
    def category(self) -> str:
        """What it was promoted as, "" where it was not, or for being shown often."""
        one = self.found[LEAST]
        return (one.weight.category if one else None) or ""


SYSTEMS: dict[str, Callable[[Judged], bool]] = {
    "candidates": Judged.promoted,
    "trigger words": lambda one: bool(TRIGGERS.search(one.text)),
    "every note": lambda _: True,
}


@dataclass
class Looked:
    """What promotion said of a workspace: candidates by place, and the lines that hang below one, by level."""

    seconds: float
    heads: dict[float, dict[tuple[str, int], Candidate]]
    below: dict[float, set[tuple[str, int]]]

    def at(self, path: str, line: int) -> dict[float, Candidate | None] | None:
        """Return what became of a line at each level, None for one that hangs below a candidate."""
        if any((path, line) in self.below[level] for level in LEVELS):
            return None
        return {level: self.heads[level].get((path, line)) for level in LEVELS}


def looked(root: Path, now: datetime, days: int) -> Looked:
    found = Looked(0, {}, {})
    for level in LEVELS:
        with Workspace(repository.find(root), lambda: now) as workspace:
            begun = time.perf_counter()
            some = gather(workspace, Wanted(days, level), now).candidates
            found.seconds += (time.perf_counter() - begun) / len(LEVELS)
        found.heads[level] = {(one.note.path, one.note.start): one for one in some}
        found.below[level] = {
            (one.note.path, line) for one in some for line in range(one.note.entry.end + 1, one.note.end + 1)
        }
    return found


def evening(day: date) -> datetime:
    return datetime.combine(day, clock_time(20), UTC)


@cache
def _shapes(language: str) -> list[tuple[re.Pattern[str], int, str]]:
    """Return what each template of a language can be filled to, how much of it is fixed, and its half."""
    kinds = ("keep", "alike", "plain", "same", "counted")
    found = []
    for text in {one.text for kind in kinds for one in templates(language, kind)}:
        pieces, fixed, at = [], 0, 0
        for hole in re.finditer(f"{CHOICE.pattern}|{SLOT.pattern}", text):
            pieces.append(re.escape(text[at : hole.start()]))
            fixed += hole.start() - at
            choices = "|".join(
                SLOT.sub(".+", re.escape(one).replace(r"\{", "{").replace(r"\}", "}"))
                for one in (hole[1] or "").split("|")
            )
            pieces.append(f"(?:{choices})" if hole[1] else ".+")
            at = hole.end()
        pieces.append(re.escape(text[at:]))
        half = HALVES[hashlib.sha256(text.encode()).digest()[0] % 2]
        found.append((re.compile("".join(pieces), re.IGNORECASE), fixed + len(text) - at, half))
    return found


def half(note: Note) -> str:
    """Return the half that the template of a note is in; "" where none is found."""
    fits = [(fixed, name) for shape, fixed, name in _shapes(note.language) if shape.match(note.text)]
    return max(fits, default=(0, ""))[1]


def years(seed: int) -> tuple[list[Judged], float, int]:
    """Return the judged notes of a made workspace, the seconds of one look, and how many hang below a candidate."""
    with tempfile.TemporaryDirectory(prefix="clawgit-promotion-") as folder:
        root = Path(folder) / "workspace"
        made = make(root, seed)
        commits(root, made)
        found = looked(root, evening(made.until), MARKED)
    judged = []
    for mark in made.marks:
        at = found.at(mark.path, mark.number)
        if at is not None:
            judged.append(Judged(mark.note.text, half(mark.note), mark.note.language, mark.category, at))
    return judged, found.seconds, len(made.marks) - len(judged)


Lines = dict[str, list[tuple[str, bool]]]


def lines(seeds: Iterable[int]) -> Lines:
    """Return lines with whether they are worth it, by set: the corpora, and halves of made years."""
    found: defaultdict[str, list[tuple[str, bool]]] = defaultdict(list)
    for name in ("promotion", "promotion.fresh"):
        for day in tomllib.loads((CORPORA / f"{name}.toml").read_text("utf-8"))["days"]:
            found[day["split"]] += [(text, True) for _, text in day["keep"]] + [(text, False) for text in day["pass"]]
    for seed in seeds:
        with tempfile.TemporaryDirectory(prefix="clawgit-promotion-") as folder:
            notes = [mark.note for mark in make(Path(folder) / "workspace", seed).marks]
        for note in notes:
            found[f"years, {half(note) or 'other'}"].append((note.text, bool(note.category)))
    return found


def uncalled(name: str) -> Callable[[str], tuple[str | None, str]]:
    """Return `called` without a category."""
    plain = promotion_categories.called
    return lambda text: (None, "") if plain(text)[0] == name else plain(text)


TRIGGERED = "agents/promoting/data/categories.toml"
FAMILIES = {
    f"triggers: {name}": Family([(promotion_categories, "called", uncalled(name))], data=[f"{TRIGGERED} {name}"])
    for name in CATEGORIES
}


def unread() -> Score:
    """Score the notes of the corpora that nobody tuned on."""
    sets = lines([])
    told = [one for name in ("held-out", "fresh") for one in sets.get(name, [])]
    return families.score((weigh(Said(text)).confidence >= LEAST, gold) for text, gold in told)


AREA = Area("promotion", FAMILIES, unread)


def ablation(sets: Lines) -> None:
    """Print precision / recall (proposed) of each set at LEAST: today, then with one family of rules left out."""
    print("| left out | " + " | ".join(sets) + " |\n|---|" + "---|" * len(sets))
    print(
        "| lines, worth it | " + " | ".join(f"{len(one)}, {sum(gold for _, gold in one)}" for one in sets.values()), "|"
    )
    for name, family in {"today": Family(), **FAMILIES}.items():
        with family.left_out():
            cells = [_cell(some) for some in sets.values()]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def _cell(some: list[tuple[str, bool]]) -> str:
    taken = [gold for text, gold in some if weigh(Said(text)).confidence >= LEAST]
    worth = sum(gold for _, gold in some)
    return f"{sum(taken) / max(len(taken), 1):.2f} / {sum(taken) / max(worth, 1):.2f} ({len(taken)})"


def table(title: str, found: list[Judged]) -> dict[str, dict[str, float]]:
    """Print and return the scores of a set of notes: each way, each half, each level, category and language."""
    print(f"\n| {title} | precision | recall | F1 | marked worth it |\n|---|---|---|---|---|")
    told: dict[str, dict[str, float]] = {}

    def tell(name: str, pairs: Iterable[tuple[bool, bool]]) -> None:
        pairs = list(pairs)
        if pairs:
            told[name] = {**scores(pairs), "n": sum(gold for _, gold in pairs)}
            print(_row(name, told[name], len(pairs)))

    for part in (*HALVES, ""):
        some = [one for one in found if not part or one.half == part]
        for name, system in SYSTEMS.items():
            tell(f"{part or 'all'}, {name}", ((system(one), bool(one.gold)) for one in some))
        for level in LEVELS:
            tell(f"{part or 'all'}, at {level}", ((one.promoted(level), bool(one.gold)) for one in some))
    for part in HALVES:
        some = [one for one in found if one.half == part]
        for name in CATEGORIES:
            tell(f"{part}, {name}", ((one.category == name, one.gold == name) for one in some))
        for name in LANGUAGES:
            tell(f"{part}, {name}", ((one.promoted(), bool(one.gold)) for one in some if one.language == name))
    return told


def _row(name: str, found: dict[str, float], of: int) -> str:
    numbers = " | ".join(f"{found[key]:.3f}" for key in ("precision", "recall", "F1"))
    return f"| {name} | {numbers} | {found['n']:.0f} of {of} |"


def show(found: list[Judged], wrong: int, missed: int, order: random.Random) -> None:
    """Print notes of the tuned half that are proposed and not worth it, and those that are worth it and missed."""
    tuned = [one for one in found if one.half == HALVES[0]]
    bad = [one for one in tuned if one.promoted() and not one.gold]
    lost = [one for one in tuned if one.gold and not one.promoted()]
    for one in order.sample(bad, min(wrong, len(bad))):
        print(f"- {one.text}\n      {one.found[LEAST].weight.parts if one.found[LEAST] else ''}")
    for one in order.sample(lost, min(missed, len(lost))):
        print(f"? ({one.gold}) {one.text}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0,1,2,3,4", help="the workspaces that are made")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N candidates that are not worth it")
    parser.add_argument("--missed", type=int, default=0, metavar="N", help="print N notes that are and are missed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ablation", action="store_true", help="leave out one family of rules after the other")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    apart()
    if given.ablation:
        ablation(lines([int(seed) for seed in given.seeds.split(",") if seed]))
        return 0
    parts = [years(int(seed)) for seed in given.seeds.split(",") if seed]
    sets = {"years": [one for some, _, _ in parts for one in some]} if parts else {}
    results = {title: table(title, found) for title, found in sets.items()}
    if parts:
        least = min(seconds for _, seconds, _ in parts)
        print(f"\n{MARKED} days in {least:.2f} s; {sum(below for *_, below in parts)} notes hang below a candidate")
    for found in sets.values():
        show(found, given.show, given.missed, random.Random(given.seed))
    keep(results)
    if given.json:
        print(json.dumps(results, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
