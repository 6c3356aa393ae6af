"""How well promotion finds what is worth keeping for good, beside two plain ways, in one run.

    python benchmarks/memory/promotion.py                     on the last 90 days of made workspaces of two years
    python benchmarks/memory/promotion.py --data FOLDER       and on the observations of the conversations of a folder
    python benchmarks/memory/promotion.py --show 20 --missed 20 --seeds 0,1
    python benchmarks/memory/promotion.py --ablation          one table: a row a family of rules that is left out

What should be kept was marked before any run: with the templates of tests/years, and for the conversations in
promotion_marks.toml. A note counts as promoted where a candidate begins on its line; what is nested below a candidate
goes where it goes and is not judged. Templates are in one of two halves by their hash, conversations by TUNED; the
rules were made with one half, and --show tells of no other. Of the held-out half nobody read a note, but its figures
were looked at some ten times on the way, so that they flatter. The plain ways are the trigger words of the memory tiers
document, and every note.
"""

import argparse
import hashlib
import json
import random
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
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

MARKS = Path(__file__).parent / "promotion_marks.toml"
CORPORA = Path(__file__).parents[2] / "corpora"
LEVELS = (0.3, 0.4, 0.5, 0.6, 0.7)
TUNED = ("conv-26", "conv-30", "conv-41")
HALVES = ("tuned", "held-out")
TRIGGERS = re.compile(
    r"결정|아키텍처|[$₩]|상표|변리사|출시|로드맵|기억해|IMPORTANT|CRITICAL|★|(?i:decided|confirmed|approved|design|schema"
    r"|stack|pricing|margin|\bBEP\b|revenue|trademark|patent|\bToS\b|GDPR|partner|client|meeting results|launch|shipped"
    r"|released|phase \w+|roadmap|vision|strategy)"
)


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
    "rules": Judged.promoted,
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


def conversations(data: Path) -> Iterator[Judged]:
    """Yield the judged observations: each session's are bullets of the journal of its day."""
    marks = tomllib.loads(MARKS.read_text("utf-8"))
    gold = {**dict.fromkeys(marks["judged"]["passed"], ""), **marks["keep"]}
    for source in sorted(data.glob("*.json")):
        for conversation in json.loads(source.read_text("utf-8")):
            with tempfile.TemporaryDirectory(prefix="clawgit-promotion-") as folder:
                places, last = _journals(conversation, Path(folder))
                found = looked(Path(folder), evening(last), 3650)
            name = conversation["sample_id"]
            for key, (path, line, text) in places.items():
                at = found.at(path, line)
                if key in gold and at is not None:
                    yield Judged(text, HALVES[name not in TUNED], "en", gold[key], at)


def _journals(conversation: dict[str, dict], root: Path) -> tuple[dict[str, tuple[str, int, str]], date]:
    """Write the journals; return where each observation stands, by its id, and the last day."""
    talk, name = conversation["conversation"], conversation["sample_id"]
    files: defaultdict[str, list[str]] = defaultdict(list)
    seen: Counter[str] = Counter()
    found, days = {}, []
    for key, speakers in sorted(conversation["observation"].items(), key=lambda one: int(one[0].split("_")[1])):
        said = talk[key.removesuffix("_observation") + "_date_time"].replace(",", "")
        when = datetime.strptime(said, "%I:%M %p on %d %B %Y").replace(tzinfo=UTC)
        days.append(when.date())
        path = f"memory/{when:%Y-%m-%d}.md"
        files[path] += [f"# {when:%Y-%m-%d}", ""] if path not in files else []
        for text, ids in (one for some in speakers.values() for one in some):
            turn = f"{name} {','.join(ids) if isinstance(ids, list) else ids}"
            files[path].append("- " + " ".join(text.split()))
            found[f"{turn} {seen[turn]}"] = (path, len(files[path]), text)
            seen[turn] += 1
    for path, lines in files.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text("\n".join(lines) + "\n", "utf-8")
    for words in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "all")):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words], cwd=root, check=True)
    return found, max(days) + timedelta(1)


Lines = dict[str, list[tuple[str, bool]]]


def lines(seeds: Iterable[int], data: Path | None) -> Lines:
    """Return lines with whether they are worth it, by set: the corpora, halves of made years and of conversations."""
    found: defaultdict[str, list[tuple[str, bool]]] = defaultdict(list)
    for name in ("promotion", "promotion.fresh"):
        for day in tomllib.loads((CORPORA / f"{name}.toml").read_text("utf-8"))["days"]:
            found[day["split"]] += [(text, True) for _, text in day["keep"]] + [(text, False) for text in day["pass"]]
    for seed in seeds:
        with tempfile.TemporaryDirectory(prefix="clawgit-promotion-") as folder:
            notes = [mark.note for mark in make(Path(folder) / "workspace", seed).marks]
        for note in notes:
            found[f"years, {half(note) or 'other'}"].append((note.text, bool(note.category)))
    for one in conversations(data) if data else ():
        found[f"conversations, {one.half}"].append((one.text, bool(one.gold)))
    return found


def without(**gone: str) -> Callable[..., tuple[str, ...]]:
    """Return `lexicon.phrases` without a kind or a language of what holds beyond its day."""
    dated = promotion_categories.lexicon.phrases
    left_out = lambda iso, *path: iso == gone.get("iso") or path[-1] == gone.get("kind")  # noqa: E731
    return lambda iso, *path: () if path[0] == "lasting" and left_out(iso, *path) else dated(iso, *path)


def uncalled(name: str) -> Callable[[str], tuple[str | None, str]]:
    """Return `called` without a category."""
    plain = promotion_categories.called
    return lambda text: (None, "") if plain(text)[0] == name else plain(text)


TRIGGERED = "agents/promoting/data/categories.toml"
FAMILIES = {
    "triggers": Family(
        [(promotion_categories, "called", lambda _: (None, ""))], [promotion_categories.called], [TRIGGERED]
    ),
    **{
        f"triggers: {name}": Family([(promotion_categories, "called", uncalled(name))], data=[f"{TRIGGERED} {name}"])
        for name in CATEGORIES
    },
    "what holds beyond its day": Family(
        [(promotion_categories, "lasting", lambda *_: [])],
        [promotion_categories.lasting],
        ["language/data/*.toml lasting"],
    ),
    **{
        f"holds: {kind}": Family(
            [(promotion_categories.lexicon, "phrases", without(kind=kind))],
            data=[f"language/data/*.toml lasting.{kind}"],
        )
        for kind in promotion_categories.SIGNS
    },
    **{
        f"holds: {iso}": Family(
            [(promotion_categories.lexicon, "phrases", without(iso=iso))], data=[f"language/data/{iso}.toml lasting"]
        )
        for iso in LANGUAGES
    },
    "holds: days and years": Family(
        [(promotion_categories, "_dated", lambda *_: "")],
        [promotion_categories._dated],  # noqa: SLF001
    ),
}


def unread() -> Score:
    """Score the notes of the corpora that nobody tuned on."""
    sets = lines([], None)
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
    parser.add_argument("--data", type=Path, help="a folder with conversations as JSON")
    parser.add_argument("--seeds", default="0,1,2,3,4", help="the workspaces that are made")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N candidates that are not worth it")
    parser.add_argument("--missed", type=int, default=0, metavar="N", help="print N notes that are and are missed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ablation", action="store_true", help="leave out one family of rules after the other")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    apart()
    if given.ablation:
        ablation(lines([int(seed) for seed in given.seeds.split(",") if seed], given.data))
        return 0
    parts = [years(int(seed)) for seed in given.seeds.split(",") if seed]
    sets = {"years": [one for some, _, _ in parts for one in some]} if parts else {}
    if given.data:
        sets["conversations"] = list(conversations(given.data))
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
