"""Phrases of notes, in six languages."""

import datetime as dt
import random
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

WORDS = Path(__file__).parent / "words"
LANGUAGES = ("en", "de", "es", "zh", "ja", "ko")
CATEGORIES = ("decision", "architecture", "financial", "legal", "people", "milestone", "strategy", "explicit")
EMOJI = ("✅", "🚲", "☕", "🌧️", "🦞", "🙂", "🔧")
CHOICE = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
SLOT = re.compile(r"\{([a-z]+)(\d?)\}")


@dataclass(frozen=True)
class Note:
    """One note; `category` is the one of a careful human, empty if he keeps it not."""

    text: str
    language: str
    category: str = ""


@cache
def tongue(language: str) -> dict[str, Any]:
    """Return the data of a language, with that of all languages below it."""
    common, own = (tomllib.loads((WORDS / f"{name}.toml").read_text("utf-8")) for name in ("common", language))
    return own | {part: common[part] | own[part] for part in ("words", "numbers")}


@cache
def identity() -> dict[str, str]:
    """Return the files that describe the people at work."""
    return {name: str(text) for name, text in tomllib.loads((WORDS / "identity.toml").read_text("utf-8")).items()}


@cache
def templates(language: str, kind: str) -> tuple[Note, ...]:
    data = tongue(language)
    if kind not in ("keep", "alike"):
        return tuple(Note(text, language) for text in data["day"][kind])
    sorts = data[kind].items()
    return tuple(Note(text, language, sort * (kind == "keep")) for sort, texts in sorts for text in texts)


def fill(text: str, language: str, day: dt.date, chance: random.Random) -> str:
    """Make the choices of a template and fill its slots; one slot has one value throughout."""
    data = tongue(language)
    values: dict[str, dict[str, str]] = {}

    def value(slot: re.Match[str]) -> str:
        values_of_slot = values.setdefault(slot[1], {})
        while slot[0] not in values_of_slot:
            text = _value(slot[1], data, day, chance)
            if text not in values_of_slot.values():
                values_of_slot[slot[0]] = text
        return values_of_slot[slot[0]]

    return SLOT.sub(value, CHOICE.sub(lambda match: chance.choice(match[1].split("|")), text))


def _value(name: str, data: dict[str, Any], day: dt.date, chance: random.Random) -> str:
    if name in data["words"]:
        return str(chance.choice(data["words"][name]))
    if name in data["numbers"]:
        form, low, high, step = data["numbers"][name]
        return str(form.format(chance.randrange(low, high + 1, step)))
    match name:
        case "operator":
            return str(data["operator"])
        case "time":
            return f"{chance.randrange(6, 23):02}:{chance.randrange(60):02}"
        case "date":
            return str(day - dt.timedelta(chance.randrange(1, 12)))
        case "later":
            return str(day + dt.timedelta(chance.randrange(40, 900)))
    raise KeyError(name)


class Pen:
    """Writes notes; a new one was never written before."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.seen: set[str] = set()
        self.past: list[Note] = []

    def note(self, kind: str, language: str, day: dt.date, category: str = "") -> Note:
        if kind == "same" and self.past and self.chance.random() < 0.12:
            old = self.chance.choice(self.past[-400:])  # carried over from some day before
            return Note(old.text, old.language)
        open_ones = [
            template for template in templates(language, kind) if not category or template.category == category
        ]
        for _ in range(60):
            template = self.chance.choice(open_ones)
            text = fill(template.text, language, day, self.chance)
            if kind in ("same", "counted") or text not in self.seen:
                break
        if kind not in ("same", "counted"):
            self.seen.add(text)
            if not template.text.startswith(("{host", "{lib")):  # names stay as they are
                text = text[:1].upper() + text[1:]
            if kind != "correction" and self.chance.random() < 0.04:
                text = f"{text} {self.chance.choice(EMOJI)}"
        note = Note(text, language, template.category)
        if kind in ("plain", "alike"):
            self.past.append(note)
        return note
