"""What each family of the rules that hear lessons of conduct is worth: each is left out in turn.

    python benchmarks/safety/conduct_ablation.py   on corpora, first row: nothing left out
    python benchmarks/safety/conduct_ablation.py --talks DIR   and on conversations with *.labels.json beside them
    python benchmarks/safety/conduct_ablation.py --talks DIR --totals
        only those, as totals: for data that nobody looks at

A lesson has landed right when a line for the right file cites one of its turns; a line that cites a turn of ordinary
talk, or is for the wrong file, is wrong. Reworded: a line that nobody said in these words.
"""

import argparse
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.families import Area, Family, Score
from benchmarks.lib.lives import PARTS, lives
from benchmarks.lib.results import keep
from clawgit.agents.keeping.lesson_changes import hear, injection
from clawgit.agents.messages_to_read import Heard
from clawgit.language import lexicon, standing_rules
from clawgit.workspace.commit_message import one_line

NOON, DAY = 1_777_896_000.0, 86_400.0
CONDUCT = Path(__file__).parents[2] / "corpora/conduct.toml"
COLUMNS = ("landed right", "landed wrong", "reworded", "waits right", "waits wrong", "missed")
KEYS = (
    "lead",
    "standing",
    "stops",
    "orders",
    "asks",
    "talk",
    "hedges",
    "others",
    "points",
    "leave",
    "forbids",
    "work",
)
ANYWHERE = ""


@dataclass(frozen=True)
class Talk:
    """What one operator says: `whose` names the lesson of a turn, `lessons` the file that each belongs to."""

    source: str
    heard: Sequence[Heard]
    whose: Mapping[str, str]
    lessons: Mapping[str, str]


def rows() -> Iterator[Talk]:
    """Yield the rows of the corpus that were held out."""
    for number, (text, where, _) in enumerate(tomllib.loads(CONDUCT.read_text("utf-8"))["held-out"]):
        turns = [Heard(text, "operator", NOON, f"c{number}", f"c{number}")]
        name = f"c{number}" if where else ""
        yield Talk("conduct", turns, {one.event: name for one in turns}, {name: where} if where else {})


def years(parts: Iterable[str] = PARTS) -> Iterator[Talk]:
    """Yield the lives of the corpora; the rules of old were tuned on all but the fifth."""
    for part in parts:
        for life in lives(part):
            lessons = {one["id"]: "soul" if one["identity"] else "lessons" for one in life.lessons}
            turns, whose, before = list[Heard](), dict[str, str](), ""
            for number, turn in enumerate(life.said):
                if turn.place[0] != "agent:main:main" or turn.who == "tool":
                    continue
                if turn.who == "assistant":
                    before = turn.text
                    continue
                event = f"{part}{life.soul}e{number}"
                turns.append(
                    Heard(turn.text, "operator", NOON + turn.day * DAY + number, f"d{turn.day}", event, before)
                )
                whose[event] = turn.whose if turn.whose in lessons else ""
            yield Talk("fifth life" if part == "fifth" else "lives 1-4", turns, whose, lessons)


def labelled(folder: Path) -> Iterator[Talk]:
    """Yield conversations whose lessons somebody marked; which file a lesson belongs to is not marked."""
    for file in sorted(folder.glob("*.labels.json")):
        labels = json.loads(file.read_text("utf-8"))
        talk = json.loads(file.with_name(file.name.replace(".labels", "")).read_text("utf-8"))
        marked = {turn: f"l{number}" for number, one in enumerate(labels["lessons"]) for turn in one["turns"]}
        turns, whose = list[Heard](), dict[str, str]()
        for session in (one for one in talk["sessions"] if one["kind"] == "direct"):
            before = ""
            for number, turn in enumerate(session["turns"], 1):
                before = turn["text"] if turn["by"] == "agent" else before
                if turn["by"] == "operator":
                    event, at = f"{session['id']}:{number}", datetime.fromisoformat(turn["time"]).timestamp()
                    turns.append(Heard(turn["text"], "operator", at, session["id"], event, before))
                    whose[event] = marked.get(event, "")
        yield Talk("talks", turns, whose, dict.fromkeys(marked.values(), ANYWHERE))


def counted(talk: Talk) -> Counter[str]:
    """Return what the rules make of a talk."""
    found, got = Counter[str](), set[str]()
    for one in talk.heard:
        for lesson in hear(one).lessons:
            name = talk.whose[one.event]
            right = bool(name) and talk.lessons[name] in ("lessons" if lesson.work else "soul", ANYWHERE)
            waits = bool(lesson.doubt) or lesson.work
            found[f"{'waits' if waits else 'landed'} {'right' if right else 'wrong'}"] += 1
            found["reworded"] += lesson.words not in one_line(one.text)
            got |= {name} - {""}
    found["missed"] = len(talk.lessons) - len(got)
    return found


def unlisted(key: str) -> Family:
    """Return what a list of the table `conduct` finds."""
    listed = lexicon.phrases
    without = lambda iso, *path: () if path[-1] == key else listed(iso, *path)  # noqa: E731
    return Family([(lexicon, "phrases", without)], data=[f"language/data/*.toml conduct.{key}"])


FAMILIES = {
    **{key: unlisted(key) for key in KEYS},
    "conditions": Family([(standing_rules.logic, "parts", lambda *_: ())], [standing_rules.logic.parts]),
    "own talk": Family([(standing_rules, "own_talk", str)], ["language/pasted.py"]),
    "injection": Family([(injection, "scan", lambda _: ())]),
}
"""Lists of the table `conduct`, then checks."""


def unread() -> Score:
    """Score what is heard of the rows held out and of the fifth life, whether it lands or waits."""
    talks = [*rows(), *years(["fifth"])]
    found = sum(map(counted, talks), Counter[str]())
    right = found["landed right"] + found["waits right"]
    wanted = sum(len(one.lessons) for one in talks)
    taken = right + found["landed wrong"] + found["waits wrong"]
    return Score(taken, right, wanted, wanted - found["missed"])


AREA = Area("conduct", FAMILIES, unread)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--talks", type=Path, help="a folder of conversations with labels")
    parser.add_argument("--totals", action="store_true", help="only these conversations")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    talks = [] if given.totals else [*rows(), *years()]
    talks += labelled(given.talks) if given.talks else ()
    found = []
    for name, family in {"nothing: as it is": Family(), **FAMILIES}.items():
        counts: dict[str, Counter[str]] = {}
        with family.left_out():
            for talk in talks:
                counts.setdefault(talk.source, Counter()).update(counted(talk))
        found += [{"left out": name, "on": source, **count} for source, count in counts.items()]
    keep(found)
    if given.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{'left out':22}{'on':12}" + "".join(f"{name:>14}" for name in COLUMNS))
    for row in found:
        print(f"{row['left out']:22}{row['on']:12}" + "".join(f"{row.get(name, 0):>14}" for name in COLUMNS))


if __name__ == "__main__":
    main()
