"""What each family of the miner's rules is worth: a table in which each is left out in turn.

    python benchmarks/memory/mining.py   on the labelled messages of corpora
    python benchmarks/memory/mining.py --talks FOLDER --data FOLDER   and on conversations of others
    python benchmarks/memory/mining.py --talks FOLDER --wrong   and prints what is kept and should not be, and back
    python benchmarks/memory/mining.py --ablation   with the size of each family, on requests.fresh.toml,
        on corpora/messages by phrases alone, and on corpora/messages.held-out

`--talks` names a folder of conversations with `NAME.labels.json` beside each: a line is worth keeping that comes from a
turn of `keep`, and what is `explicit` there should be kept. `--data` names one with convert.py and conversations as
JSON, in which a turn is worth keeping when a fact was annotated in it. Both are somebody else's, and stay there.
"""

import argparse
import json
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib import families
from benchmarks.lib.apart import apart
from benchmarks.lib.conversations import Turn, turns
from benchmarks.lib.families import Area, Family, Score
from benchmarks.lib.results import keep
from clawgit.agents.mining import extract as extracting
from clawgit.agents.mining.extract import extract
from clawgit.agents.mining.finding import Extracted
from clawgit.language import logic, message_intent, pasted, requests
from clawgit.language.own_words import own_words

CORPORA = sorted((Path(__file__).parents[2] / "corpora").glob("requests*.toml"))
MESSAGES = sorted((Path(__file__).parents[2] / "corpora/messages").glob("*.jsonl"))
HELD_OUT = sorted((Path(__file__).parents[2] / "corpora/messages.held-out").glob("*.jsonl"))
KEY = "sk-proj-" + "Zk3vQ9mT2xLr8WbN5cYh" * 2
SAID = datetime(2026, 5, 4, 10)  # noqa: DTZ001 - a day on the wall


@dataclass(frozen=True)
class Data:
    """Messages, and groups of them: of each group one at least should be kept."""

    name: str
    turns: tuple[Turn, ...]
    wanted: tuple[frozenset[int], ...]


def annotated(name: str, turns: Iterable[Turn]) -> Data:
    """Return messages of which each with a fact should be kept."""
    every = tuple(turns)
    return Data(name, every, tuple(frozenset((at,)) for at, one in enumerate(every) if one.gold))


def labelled(place: Path) -> Data:
    """Return the rows of a corpus."""
    rows = [row for group in tomllib.loads(place.read_text("utf-8")).values() for row in group]
    return annotated(
        place.stem, (Turn("", "", SAID, text.replace("{key}", KEY), "", bool(tag), by) for by, text, tag, *_ in rows)
    )


def talks(folder: Path) -> Data:
    """Return what the operator says in the labelled conversations of a folder, and what he asks to be kept."""
    every: list[Turn] = []
    wanted: list[frozenset[int]] = []
    for place in sorted(folder.glob("*.labels.json")):
        labels = json.loads(place.read_text("utf-8"))
        said = json.loads(place.with_name(place.name.replace(".labels", "")).read_text("utf-8"))
        gold = {turn for one in labels["keep"] for turn in one["turns"]}
        at: dict[str, int] = {}
        for session in said["sessions"]:
            before = ""
            for number, turn in enumerate(session["turns"], 1):
                name = f"{session['id']}:{number}"
                if turn["by"] == "operator":
                    at[name] = len(every)
                    moment = datetime.fromisoformat(turn["time"])
                    every.append(Turn(place.stem, "", moment, turn["text"], before, name in gold))
                before = turn["text"] if turn["by"] == "agent" else before
        wanted += [frozenset(at[one] for one in row["turns"] if one in at) for row in labels["keep"] if row["explicit"]]
    return Data(f"{folder.name} talks", tuple(every), tuple(wanted))


def read(turn: Turn) -> Extracted:
    """Return what the rules make of a turn."""
    return extract(turn.text, turn.said, by="agent" if turn.by == "agent" else "operator")


def words(key: str) -> Family:
    """Return the words of a key of every language."""
    real = requests._listed  # noqa: SLF001
    without = lambda one: set() if one == key else real(one)  # noqa: E731
    return Family([(requests, "_listed", without)], data=[f"language/data/*.toml remember.{key}"])


KEYS = (*requests.KINDS, "recalls", "notes", "withdrawn")
AROUND = ("lead", "wishes", "fill", "causes", "is_that", "ahead", "supposed", "stems", "endings")
UNHEARD = message_intent.Heard("request", -100.0)
FAMILIES: dict[str, Family] = {
    "phrases": Family(
        [(requests, "find", lambda _: None)], ["language/requests.py"], ["language/data/*.toml remember"]
    ),
    "learnt weights": Family(
        [(message_intent, "hear", lambda *_: UNHEARD)], ["language/message_intent.py"], ["language/data/intent.gz"]
    ),
    **{f"words: {key}": words(key) for key in (*KEYS, *AROUND)},
    "what denies a verb": Family(
        [(requests, "_told", lambda *_: False)],
        [requests._told, requests._not_asked],  # noqa: SLF001
    ),
    "what supposes": Family(
        [(requests, "_supposed", lambda _: False)],
        [requests._supposed, requests._doubts],  # noqa: SLF001
        ["language/data/*.toml remember.supposed"],
    ),
    "small words for names": Family([(requests, "_small", frozenset)], [requests._small]),  # noqa: SLF001
    "what is pasted": Family([(extracting, "own_talk", own_words)], ["language/pasted.py"]),
    "what is quoted or code": Family([(pasted, "own_words", str)], ["language/own_words.py"]),
    "mostly quoted": Family([(extracting, "_QUOTED", 1.0)]),
    "questions": Family([(extracting, "_reason", lambda _: extracting.NOT_ASKED)], [extracting._reason]),  # noqa: SLF001
    "small letters after a point": Family(
        [(extracting, "_parts", lambda one: iter((one,)))],
        [extracting._parts, extracting._shortened],  # noqa: SLF001
    ),
    "what leans on it": Family(
        [(logic, "leans", lambda *_: False)],
        [logic.leans, extracting._leaning],  # noqa: SLF001
    ),
    "what it leans on": Family([(logic, "dangles", lambda *_: "")], [logic.dangles]),
    "orders": Family([(extracting.injection, "scan", lambda _: ())]),
    "the least that is said": Family([(extracting, "_BRIEF", 1), (extracting, "_MUCH", 1)]),
    "the least of a decision": Family([(extracting, "_MUCH", 4)]),
}


def scores(pairs: Iterable[tuple[bool, bool]]) -> dict[str, float]:
    """Return precision, recall and F1 of (mined, gold)."""
    both = Counter(pairs)
    hit, mined, gold = both[True, True], both[True, True] + both[True, False], both[True, True] + both[False, True]
    return {
        "precision": hit / max(mined, 1),
        "recall": hit / max(gold, 1),
        "F1": 2 * hit / max(mined + gold, 1),
    }


def measure(data: Data) -> dict[str, float]:
    """Return how many lines are kept, the share of them that comes from a turn worth it, and of what was wanted."""
    kept = [len(read(one).findings) for one in data.turns]
    good = sum(many for many, one in zip(kept, data.turns, strict=True) if one.gold)
    had = sum(any(kept[at] for at in group) for group in data.wanted)
    return {"lines": sum(kept), "precision": good / max(sum(kept), 1), "recall": had / max(len(data.wanted), 1)}


def table(every: list[Data]) -> dict[str, dict[str, dict[str, float]]]:
    """Print and return what is kept, with all rules and with each family left out."""
    print("| left out | " + " | ".join(f"{one.name}: lines | precision | recall" for one in every) + " |")
    print("|---" * (1 + 3 * len(every)) + "|")
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name, family in {"nothing": Family(), **FAMILIES}.items():
        with family.left_out():
            row = {one.name: measure(one) for one in every}
        cells = (f"{one['lines']:.0f} | {one['precision']:.2f} | {one['recall']:.2f}" for one in row.values())
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
        found[name] = row
    return found


def requested() -> Score:
    """Score what is kept of requests.fresh.toml."""
    data = labelled(CORPORA[0])
    kept = [len(read(one).findings) for one in data.turns]
    right = sum(many for many, one in zip(kept, data.turns, strict=True) if one.gold)
    had = sum(any(kept[at] for at in group) for group in data.wanted)
    return Score(sum(kept), right, len(data.wanted), had)


def by_phrases() -> Score:
    """Score of which messages phrases alone keep anything; a fact that nobody asks for is not theirs to find."""
    rows = [json.loads(line) for place in MESSAGES for line in place.read_text("utf-8").splitlines()]
    told = [
        (bool(extract(one["text"], SAID, learnt=False).findings), one["kind"] != "none")
        for one in rows
        if one["kind"] != "fact"
    ]
    return families.score(told)


def held_out() -> Score:
    """Score of which messages of writers whom the weights did not see anything is kept; of facts none is wanted."""
    rows = [json.loads(line) for place in HELD_OUT for line in place.read_text("utf-8").splitlines()]
    kept = [bool(extract(one["text"], SAID).findings) for one in rows]
    right = sum(had and one["kind"] != "none" for had, one in zip(kept, rows, strict=True))
    wanted = [had for had, one in zip(kept, rows, strict=True) if one["kind"] not in ("none", "fact")]
    return Score(sum(kept), right, len(wanted), sum(wanted))


AREAS = (
    Area("net", FAMILIES, requested),
    Area("net, phrases alone", {name: one for name, one in FAMILIES.items() if "learnt" not in name}, by_phrases),
    Area("net, held out", FAMILIES, held_out),
)


def wrong(data: Data) -> None:
    """Print what is kept of turns that are not worth it, and what was wanted and is not kept."""
    results = [read(one).findings for one in data.turns]
    for one, kept in zip(data.turns, results, strict=True):
        for line in kept if not one.gold else ():
            print(f"+ {one.conversation}: {line.text}")
    for group in data.wanted:
        if not any(results[at] for at in group):
            print("- " + " / ".join(" ".join(data.turns[at].text.split())[-300:] for at in sorted(group)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--talks", type=Path, help="a folder of conversations with labels beside them")
    parser.add_argument("--data", type=Path, help="a folder with convert.py and conversations as JSON")
    parser.add_argument("--only-all", action="store_true", help="only the first row: nothing is left out")
    parser.add_argument("--wrong", action="store_true", help="print what is wrong with each set")
    parser.add_argument("--ablation", action="store_true", help="print sizes too")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    apart()
    if given.ablation:
        keep(families.table(AREAS))
        return 0
    if given.only_all:
        FAMILIES.clear()
    every = [labelled(place) for place in CORPORA] + ([talks(given.talks)] if given.talks else [])
    if given.data:
        with tempfile.TemporaryDirectory(prefix="clawgit-mining-") as work:
            every.append(annotated("facts", turns(given.data, Path(work))))
    found = table(every)
    for one in every if given.wrong else ():
        print(f"\n{one.name}")
        wrong(one)
    keep(found)
    if given.json:
        print(json.dumps(found, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
