"""What each family of the rules that hear lessons of conduct is worth: each is left out in turn.

    python benchmarks/conduct_ablation.py                         on tests/corpora, first row: nothing left out
    python benchmarks/conduct_ablation.py --talks DIR             and on conversations with *.labels.json beside them
    python benchmarks/conduct_ablation.py --talks DIR --totals    only those, as totals: for data that nobody looks at

A lesson has landed right when a line for the right file cites one of its turns; a line that cites a turn of ordinary
talk, or the wrong file, is wrong. Reworded: a line that landed and has words that none of its turns has.
"""

import argparse
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from lives import PARTS, lives

from clawgit.agents.heard import Heard
from clawgit.agents.keeping import (
    aspects,
    frames,
    hearing,
    weighing,
    wording,
)

NOON, DAY = 1_777_896_000.0, 86_400.0
CONDUCT = Path(__file__).parent.parent / "tests/corpora/conduct.toml"
COLUMNS = ("landed right", "landed wrong", "reworded", "waits right", "waits wrong", "missed")
SOUL = "# Soul\n\n## Vibe\n\n- Have a view.\n- Look before asking.\n"
ANYWHERE = ""
_WORD = re.compile(r"[^\W_]{2,}|[\u3041-\u9fff\uac00-\ud7a3]")
_NEVER = re.compile(r"(?!)")
_GUARDS = frozenset(
    ("REPORTED", "LETTER", "DOUBTS", "ASKS", "LOCAL", "PERILS", "WORKS", "DICTATED", "OTHERS", "ARTEFACT")
)


@dataclass(frozen=True)
class Talk:
    """What one operator says: `whose` names the lesson of a turn, `lessons` the file that each belongs to."""

    source: str
    heard: Sequence[Heard]
    whose: Mapping[str, str]
    lessons: Mapping[str, str]


def rows() -> Iterator[Talk]:
    """Yield the rows of the corpus that were held out."""
    for number, (said, where, _) in enumerate(tomllib.loads(CONDUCT.read_text("utf-8"))["held-out"]):
        before = "Here is what I found, and a good deal more than that. " * 6
        turns = [
            Heard(text, "operator", NOON + at * DAY, f"c{number}s{at}", f"c{number}e{at}", before)
            for at, text in enumerate(said)
        ]
        name = f"c{number}" if where else ""
        yield Talk("conduct", turns, {one.event: name for one in turns}, {name: where} if where else {})


def years() -> Iterator[Talk]:
    """Yield the lives of the corpora; the rules of old were tuned on all but the fifth."""
    for part in PARTS:
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
    said = [hearing.hear(one) for one in talk.heard]
    signals = [signal for one in said for signal in one.signals]
    found, got = Counter[str](), set[str]()
    for lesson in weighing.weigh(signals, (), Counter()):
        text = _line(lesson)
        if not text:
            continue
        events = [match[1] for pointer in lesson.cited if (match := re.search(r"#([^ ]+)", pointer))]
        ids = {talk.whose[event] for event in events} - {""}
        place = "lessons" if lesson.kind == "operation" else "soul"
        waits = not lesson.proven or place == "lessons"
        right = bool(ids) and all(talk.lessons[one] in (place, ANYWHERE) for one in ids)
        found[f"{'waits' if waits else 'landed'} {'right' if right else 'wrong'}"] += 1
        own = " ".join(one.text for one in talk.heard if one.event in events)
        found["reworded"] += not waits and not _words(text) <= _words(own)
        got |= ids
    found["missed"] = len(talk.lessons) - len(got)
    return found


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _line(lesson: weighing.Lesson) -> str:
    one = lesson.newest
    if lesson.kind == "operation":
        return wording.tidied(one.words)
    return wording.principle(lesson.aim, one.words, one.lang, SOUL, one.lang)


def _patterns(module: Any, names: Iterator[str]) -> list[Any]:
    return [patch.object(module, name, _NEVER) for name in names if isinstance(getattr(module, name), re.Pattern)]


def families() -> Mapping[str, list[Any]]:
    """Return what is left out, by the name of its row."""
    return {
        "nothing: as it is": [],
        "marks of frames": [
            *_patterns(frames, (one for one in dir(frames) if one not in _GUARDS)),
            patch.object(hearing, "_may_tell", lambda _: True),
        ],
        "guards of frames": _patterns(frames, (one for one in dir(frames) if one in _GUARDS)),
        "aspects": [
            patch.object(hearing, "aims", lambda _: ()),
            patch.object(hearing, "read", lambda _: ()),
            patch.object(hearing, "turned", lambda _: False),
        ],
        "wording, principles": [patch.object(wording, "principle", lambda _, words, *__: wording.tidied(words))],
        "weighing": [patch.object(weighing, "_enough", lambda _: True)],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--talks", type=Path, help="a folder of conversations with labels")
    parser.add_argument("--totals", action="store_true", help="only these conversations")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    talks = [] if given.totals else [*rows(), *years()]
    talks += labelled(given.talks) if given.talks else ()
    found = []
    for family, patches in families().items():
        counts: dict[str, Counter[str]] = {}
        aspects.read.cache_clear()
        with ExitStack() as stack:
            for one in patches:
                stack.enter_context(one)
            for talk in talks:
                counts.setdefault(talk.source, Counter()).update(counted(talk))
        found += [{"left out": family, "on": source, **count} for source, count in counts.items()]
    if given.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{'left out':22}{'on':12}" + "".join(f"{name:>14}" for name in COLUMNS))
    for row in found:
        print(f"{row['left out']:22}{row['on']:12}" + "".join(f"{row.get(name, 0):>14}" for name in COLUMNS))


if __name__ == "__main__":
    main()
