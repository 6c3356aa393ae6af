"""What each family of rules is worth that works without a model: a row each, the first with all of them.

    python benchmarks/memory/net.py                  on the corpora
    python benchmarks/memory/net.py --talks FOLDER   and on labelled conversations that nobody tuned on
    python benchmarks/memory/net.py --talks FOLDER --wrong
        and prints what they take wrongly there, and what they miss: no longer blind then

A cell is precision / recall (how many were taken); where it is empty, it is as in the first row. `--talks` names a
folder of conversations with `NAME.labels.json` beside each. There a line kept is right if its turn is labelled for
anything but a temptation, and what is `asked` should be kept; a lesson is right if it cites a turn of one; a correction
if the right value of the turn's label is in it. Of the corpora: requests are those of requests.fresh.toml, conduct is
conduct.toml, corrections are those of corrections.third.toml, pairs those of sameness.toml, notes those of
promotion.toml and promotion.fresh.toml, edits those of all three parts; here recall is of hostile ones and precision in
what is graded high. What a family takes is its modules and the data that only it reads.
"""

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.apart import apart
from benchmarks.lib.families import Family, Score
from benchmarks.lib.results import keep
from benchmarks.memory import corrections, promotion
from benchmarks.safety.grading import HALVES, edits, graded
from clawgit.agents.detecting import contradiction
from clawgit.agents.keeping import lesson_changes
from clawgit.agents.messages_to_read import Heard
from clawgit.agents.mining import extract
from clawgit.agents.promoting import promotion_categories
from clawgit.agents.promoting.promotion_candidates import LEAST
from clawgit.agents.promoting.promotion_categories import Said
from clawgit.agents.validating import resolve
from clawgit.agents.validating.resolve import Correction, Stored, Turn
from clawgit.language import message_intent
from clawgit.messages.patterns import BUILT_IN
from clawgit.messages.triage import triage
from clawgit.safety import rules
from clawgit.text.entry import normalise
from clawgit.text.sameness import note_comparison

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ROOT / "corpora"
SAID = datetime(2026, 5, 4, 10)  # noqa: DTZ001 - a day on the wall
_BEFORE = 8
"""Turns before a message that a correction is resolved in, as `clawgit triage --act` takes them."""


@dataclass(frozen=True)
class Remark:
    """One turn of the operator's, with what was said before it; `name` is what labels call it."""

    name: str
    text: str
    when: datetime
    session: str
    direct: bool
    before: Sequence[Turn]


@dataclass(frozen=True)
class Talk:
    """A conversation with its labels."""

    name: str
    memory: Sequence[str]
    said: Sequence[Remark]
    labels: Mapping[str, Sequence[Mapping[str, Any]]]

    def of(self, kind: str) -> dict[str, Mapping[str, Any]]:
        """Return the labels of a kind by the turns that they name."""
        return {turn: one for one in self.labels[kind] for turn in one["turns"]}


def talks(folder: Path) -> Iterator[Talk]:
    """Yield the conversations of a folder."""
    for place in sorted(folder.glob("*.labels.json")):
        talk = json.loads(place.with_name(place.name.replace(".labels", "")).read_text("utf-8"))
        said = []
        for session in talk["sessions"]:
            turns = [Turn("operator" if one["by"] == "operator" else "agent", one["text"]) for one in session["turns"]]
            for at, one in enumerate(session["turns"]):
                if one["by"] == "operator":
                    spoken = tuple(
                        turn
                        for turn, by in zip(turns[:at], session["turns"], strict=False)
                        if by["by"] in ("operator", "agent")
                    )[-_BEFORE:]
                    when, direct = datetime.fromisoformat(one["time"]), session["kind"] == "direct"
                    name = f"{session['id']}:{at + 1}"
                    said.append(Remark(name, one["text"], when, session["id"], direct, spoken))
        yield Talk(talk["name"], talk["memory"], said, json.loads(place.read_text("utf-8")))


def requests(some: Iterable[Talk]) -> Score:
    """Score what the miner keeps."""
    score = Score()
    for talk in some:
        worth = {turn for kind in ("corrections", "facts", "asked", "lessons") for turn in talk.of(kind)}
        kept = {one.name: extract.extract(one.text, one.when).findings for one in talk.said}
        for one in talk.said:
            score.taken += len(kept[one.name])
            score.right += len(kept[one.name]) * (one.name in worth)
            score.wrong += [f"{talk.name} {one.name}: {line.text}" for line in kept[one.name] if one.name not in worth]
        for label in talk.labels["asked"]:
            had = any(kept.get(turn) for turn in label["turns"])
            score.wanted, score.found = score.wanted + 1, score.found + had
            score.missed += [] if had else [f"{talk.name}: {_shown(talk, label)}"]
    return score


def lessons(some: Iterable[Talk]) -> Score:
    """Score what the soul keeper hears, whether it lands or waits."""
    score = Score()
    for talk in some:
        marked, got = talk.of("lessons"), set[int]()
        for one in talk.said:
            heard = Heard(one.text, "operator", one.when.timestamp(), one.session, one.name)
            for lesson in lesson_changes.hear(heard).lessons if one.direct else ():
                score.taken += 1
                score.right += one.name in marked
                got |= {id(marked[one.name])} if one.name in marked else set()
                score.wrong += [] if one.name in marked else [f"{talk.name} {one.name}: {lesson.words}"]
        score.wanted += len(talk.labels["lessons"])
        score.found += len(got)
        score.missed += [f"{talk.name}: {_shown(talk, one)}" for one in talk.labels["lessons"] if id(one) not in got]
    return score


def corrected(some: Iterable[Talk]) -> Score:
    """Score what is taken for a correction."""
    score = Score()
    for talk in some:
        marked, got = talk.of("corrections"), set[int]()
        stored = [Stored(str(at), text) for at, text in enumerate(talk.memory)]
        for one in talk.said:
            found = resolve.resolve(one.text, triage(one.text, BUILT_IN), one.before, stored) if one.direct else None
            if isinstance(found, Correction):
                label = marked.get(one.name)
                right = bool(label and _shared(found.true, label["right"]))
                score.taken, score.right = score.taken + 1, score.right + right
                got |= {id(label)} if right else set()
                score.wrong += [] if right else [f"{talk.name} {one.name}: {found.said} -> {found.true}: {one.text}"]
        score.wanted += len(talk.labels["corrections"])
        score.found += len(got)
        score.missed += [
            f"{talk.name}: {_shown(talk, one)}" for one in talk.labels["corrections"] if id(one) not in got
        ]
    return score


def _shown(talk: Talk, label: Mapping[str, Any]) -> str:
    return " / ".join(" ".join(one.text.split()) for one in talk.said if one.name in label["turns"])


def _shared(one: str, other: str) -> bool:
    mine, theirs = ({word.casefold() for word in re.findall(r"\w+", text)} for text in (one, other))
    return bool(mine & theirs) or any(word in other for word in mine if not word.isascii())


@cache
def pairs() -> Sequence[Mapping[str, str]]:
    found: list[Mapping[str, str]] = tomllib.loads((CORPORA / "sameness.toml").read_text("utf-8"))["pair"]
    return found


def of_pairs(kind: str, tells: Callable[[str, str], bool]) -> Score:
    """Score what is told of the pairs of notes of a kind."""
    told = [(pair["kind"] == kind, tells(pair["a"], pair["b"])) for pair in pairs()]
    right = sum(is_one and taken for is_one, taken in told)
    return Score(sum(taken for _, taken in told), right, sum(is_one for is_one, _ in told), right)


def notes() -> Score:
    """Score what of journals is promoted."""
    promotion_categories.weigh.cache_clear()
    every = promotion.lines([], None)
    told = [
        (gold, promotion_categories.weigh(Said(text)).confidence >= LEAST)
        for some in every.values()
        for text, gold in some
    ]
    right = sum(gold and taken for gold, taken in told)
    return Score(sum(taken for _, taken in told), right, sum(gold for gold, _ in told), right)


def asked() -> Score:
    """Score what is kept of the messages that somebody wrote who knew nothing of the rules."""
    score = Score()
    said = tomllib.loads((CORPORA / "requests.fresh.toml").read_text("utf-8"))
    for _, text, kind, *piece in (row for rows in said.values() for row in rows):
        kept = [one.text for one in extract.extract(text, SAID).findings]
        score.taken += len(kept)
        score.right += len(kept) * bool(kind)
        score.wanted += bool(kind)
        score.found += any(words in one for words in piece for one in kept)
    return score


def conduct() -> Score:
    """Score what is heard of how the agent behaves, whether it lands or waits."""
    rows = [row for some in tomllib.loads((CORPORA / "conduct.toml").read_text("utf-8")).values() for row in some]
    told = []
    for at, (text, place, _) in enumerate(rows):
        heard = Heard(text, "operator", SAID.timestamp(), "s", str(at))
        told.append((bool(place), bool(lesson_changes.hear(heard).lessons)))
    right = sum(place and taken for place, taken in told)
    return Score(sum(taken for _, taken in told), right, sum(place for place, _ in told), right)


@cache
def _edits() -> tuple[list[Any], list[Any]]:
    hostile, honest = ([one for part in HALVES for one in edits(kind, part)] for kind in ("attacks", "honest"))
    return hostile, honest


def hostile() -> Score:
    """Score what is graded high."""
    rules.kinds.cache_clear()
    right, wrong = (sum(graded(one).level == "high" for one in some) for some in _edits())
    return Score(right + wrong, right, len(_edits()[0]), right)


def nothing(*_: object, **__: object) -> Any:
    return None


FAMILIES: Mapping[str, Family] = {
    "mining": Family(
        [(extract, "extract", lambda *_, **__: extract.Extracted((), ()))],
        ["agents/mining", "agents/mining_step.py", "language/requests.py"],
        ["language/data/*.toml remember"],
    ),
    "mining: learnt weights": Family(
        [(extract.message_intent, "hear", lambda *_: message_intent.Heard("request", -100.0))],
        ["language/message_intent.py"],
        ["language/data/intent.gz"],
    ),
    "lessons of conduct": Family(
        [(lesson_changes, "hear", lambda _: lesson_changes.Remarks())],
        ["agents/keeping", "language/standing_rules.py"],
        ["language/data/*.toml conduct"],
    ),
    "corrections": Family(
        [(resolve, "resolve", nothing), (corrections, "resolve", nothing)],
        ["agents/validating"],
        ["agents/validating/data/*.toml"],
    ),
    "conflicts": Family(
        [(contradiction, "judge", lambda *_: contradiction.Judgement(contradicts=False))],
        ["agents/detecting"],
    ),
    "promotion: triggers": Family(
        [(promotion_categories, "called", lambda _: (None, ""))], [], ["agents/promoting/data/*.toml"]
    ),
    "promotion: what holds": Family(
        [(promotion_categories, "lasting", lambda *_: [])],
        ["agents/promoting/promotion_categories.py"],
        ["language/data/*.toml lasting"],
    ),
    "sameness": Family(
        [
            (
                place,
                "compare",
                lambda one, other: note_comparison.Verdict("same" if _plain(one, other) else "different"),
            )
            for place in (note_comparison, contradiction)
        ],
        ["text/sameness"],
        ["text/data/sameness.toml"],
    ),
    "grading": Family(
        [(rules, "rules", lambda: ()), (rules, "phrases", lambda: ())],
        ["safety/injection.py", "safety/rules.py", "safety/binding.py", "safety/prohibition.py"],
        ["safety/data/*.toml"],
    ),
}


def _plain(one: str, other: str) -> bool:
    return normalise(one) == normalise(other)


def row(some: Sequence[Talk]) -> dict[str, Score]:
    """Return all scores as the rules stand."""
    found = {}
    if some:
        found = {"asked": requests(some), "lessons": lessons(some), "corrections": corrected(some)}
    return found | {
        "requests": asked(),
        "conduct": conduct(),
        "corrections.third": corrections.third(),
        "contradictions": of_pairs("contradiction", lambda a, b: contradiction.judge(a, b).contradicts),
        "promoted": notes(),
        "same": of_pairs("same", lambda a, b: note_comparison.compare(a, b).relation == "same"),
        "graded high": hostile(),
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--talks", type=Path, metavar="FOLDER")
    parser.add_argument("--only-all", action="store_true", help="only the first row")
    parser.add_argument("--wrong", action="store_true")
    given = parser.parse_args()
    apart()
    some = list(talks(given.talks)) if given.talks else []
    today = row(some)
    print(f"| left out | {' | '.join(today)} | lines | bytes of data |\n|{'---|' * (len(today) + 3)}")
    print(f"| nothing | {' | '.join(map(str, today.values()))} | | |", flush=True)
    figures = {"nothing": {name: str(one) for name, one in today.items()}}
    for name, family in {} if given.only_all else FAMILIES.items():
        with family.left_out():
            found = {key: str(one) for key, one in row(some).items()}
        lines, size = family.size()
        cells = (text if text != str(today[key]) else "" for key, text in found.items())
        print(f"| {name} | {' | '.join(cells)} | {lines:,} | {size:,} |", flush=True)
        figures[name] = {**found, "lines": str(lines), "bytes": str(size)}
    for name, one in today.items() if given.wrong else ():
        print(f"\n{name}", *(f"+ {line}" for line in one.wrong), *(f"- {line}" for line in one.missed), sep="\n")
    keep(figures)


if __name__ == "__main__":
    main()
