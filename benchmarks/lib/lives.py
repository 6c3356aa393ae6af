"""The life of an agent, day by day: what is said to it, and what is done to its files."""

import json
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).parents[2] / "corpora/life"
BIRTH = datetime(2026, 3, 1, tzinfo=UTC)
DAYS = 60
PARTS = {"first": CORPUS, **{name: CORPUS / name for name in ("second", "third", "fourth", "fifth")}}
"""The corpora: rules were tuned on all but the fifth, which was written apart from them."""
SOULS = ("en", "zh", "ja", "html", "plain", "short")

_MAIN = ("agent:main:main", "direct")
_PLACES = {
    "transcript-user-group": ("agent:main:whatsapp:group:4917", "group"),
    "transcript-cron": ("agent:main:cron:77", ""),
    "transcript-subagent": ("agent:main:subagent:5f0c", ""),
}
"""How OpenClaw calls the place of a conversation and its type, by the way in that an attack takes."""


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of a conversation; `whose` is the id of the lesson or attack that it belongs to."""

    day: int
    who: str
    text: str
    whose: str = ""
    place: tuple[str, str] = _MAIN


@dataclass(frozen=True, slots=True)
class Step:
    """What is done to files on a day by an attack or an edit of the operator: `attack` is None for the latter."""

    day: int
    row: dict[str, Any]
    way: str


@dataclass(frozen=True)
class Life:
    """What the agent with one soul goes through."""

    soul: str
    lessons: tuple[dict[str, Any], ...]
    attacks: tuple[dict[str, Any], ...]
    edits: tuple[dict[str, Any], ...]
    talk: tuple[dict[str, Any], ...]

    @property
    def text(self) -> str:
        """The soul at its birth."""
        return (CORPUS / f"souls/{self.soul}.md").read_text("utf-8")

    @cached_property
    def said(self) -> tuple[Said, ...]:
        """All that is said, in order."""
        turns = [Said(row["day"], row["who"], row["text"]) for row in self.talk]
        turns += [
            Said(turn["day"], turn["who"], turn["text"], row["id"]) for row in self.lessons for turn in row["turns"]
        ]
        for one in self.attacks:
            way = one["way"]
            if way.startswith("transcript"):
                person, place = "tool" if way == "transcript-tool" else "user", _PLACES.get(way, _MAIN)
                turns += [Said(day, person, row["text"], one["id"], place) for day, row in steps(one)]
        return tuple(sorted(turns, key=lambda turn: turn.day))

    @cached_property
    def done(self) -> tuple[Step, ...]:
        """All that is done to files, in order."""
        acts = [Step(day, row, one["way"]) for one in self.attacks for day, row in steps(one)]
        acts += [Step(_some_day(str(item)), item, "honest") for item in self.edits]
        return tuple(sorted((act for act in acts if not act.way.startswith("transcript")), key=lambda act: act.day))


def lives(part: str) -> Iterator[Life]:
    """Yield a life for each soul, of one of PARTS."""
    lessons, attacks = (_read(PARTS[part] / f"{name}.toml") for name in ("lessons", "attacks"))
    for soul in SOULS:
        talk = tuple(row for row in lessons["talk"] if (row["lang"] if row["lang"] in SOULS else "en") == soul)
        mine = [
            tuple(row for row in rows if row["soul"] == soul)
            for rows in (lessons["lesson"], attacks["attack"], attacks["honest_edit"])
        ]
        yield Life(soul, mine[0], mine[1], mine[2], talk)


def steps(attack: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the days of an attack and what it does then; its end comes after all that prepares it."""
    last = 0
    for step in attack.get("steps", ()):
        last = step["day"]
        yield last, {**attack, **step}
    if "text" in attack:
        yield min(last + 1, DAYS) if last else _some_day(attack["id"]), attack


def morning(day: int) -> datetime:
    """Return when the agents run after a day."""
    return BIRTH + timedelta(days=day + 1, hours=2, minutes=30)


def date(day: int) -> str:
    return f"{BIRTH + timedelta(days=day):%Y-%m-%d}"


class Talks:
    """OpenClaw's folder of transcripts: each place has one session a day."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "agents/main/sessions"
        self.folder.mkdir(parents=True)
        self._index: dict[str, dict[str, str]] = {}
        self.whose: dict[str, str] = {}
        """The id of the lesson or attack that a message belongs to, by the message's id."""

    def hold(self, day: int, text: Iterable[Said]) -> None:
        """Write what is said on a day."""
        rooms: dict[tuple[str, str], list[Said]] = {}
        for turn in text:
            rooms.setdefault(turn.place, []).append(turn)
        for number, (place, turns) in enumerate(sorted(rooms.items())):
            self._session(f"d{day:02}r{number}", day, place, turns)
        (self.folder / "sessions.json").write_text(json.dumps(self._index))

    def _session(self, name: str, day: int, place: tuple[str, str], turns: list[Said]) -> None:
        start = int((BIRTH + timedelta(days=day, hours=9)).timestamp() * 1000)
        rows: list[dict[str, Any]] = [{"type": "session", "version": 3, "id": name, "timestamp": start}]
        for number, turn in enumerate(turns):
            event, parent = f"{name}e{number}", f"{name}e{number - 1}" if number else None
            self.whose[event] = turn.whose
            message = {**_message(turn), "timestamp": start + number * 90_000}
            rows.append({"type": "message", "id": event, "parentId": parent, "message": message})
        (self.folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        self._index[f"{place[0]}:thread:{name}"] = {"sessionId": name, "chatType": place[1]}


def _message(turn: Said) -> dict[str, Any]:
    content = [{"type": "text", "text": turn.text}]
    if turn.who == "tool":
        return {"role": "toolResult", "toolCallId": "c1", "toolName": "web_fetch", "content": content}
    return {"role": turn.who, "content": content}


def _read(place: Path) -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(place.read_text("utf-8"))


def _some_day(name: str) -> int:
    """Return a day that is always the same for what names none."""
    return 2 + sum(name.encode()) % (DAYS - 4)
