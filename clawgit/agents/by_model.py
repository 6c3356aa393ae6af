"""Reads messages with a language model, and checks it."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Any, Literal

from clawgit.agents.adviser import Adviser
from clawgit.agents.by_rules import ByRules
from clawgit.agents.heard import Heard
from clawgit.agents.mining import days
from clawgit.agents.mining.finding import LONGEST, LONGEST_QUOTE, Extracted, Finding, Kind
from clawgit.language.iso_dates import parse_date
from clawgit.llm import fencing
from clawgit.safety.redaction import redacted
from clawgit.text.sameness.reading import denies
from clawgit.workspace.message import one_line

_KINDS: dict[str, Kind] = {"decision": "decision", "event": "event", "knowledge": "fact", "skill": "lesson"}
_IDLE = frozenset({"chit-chat", "question", "machine text"})
_FACTS = re.compile(r"\d+(?:[.,:/-]\d+)*|(?<=\s)[A-Z][\w'-]{2,}")
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_WORD = re.compile(r"[^\W\d_]+")
_SHORT, _STEM = 3, 5
_BORNE_OUT = 0.75
_BRIEF = 12
_ENDS = ".!?。！？\n"  # noqa: RUF001
_MOST = 20
_ASKED = """\
Material: one message, what was said just before it, who said it and when. Return the entries that it is worth, as a
list, often empty. Of each entry: `quote`, at most 160 characters of the message, letter for letter; `text`, the entry;
`tag`; `day` as YYYY-MM-DD where the entry has one."""


class ByModel:
    """Asks a model about the messages of the operator, and `rules` about the others, or where it does not answer."""

    def __init__(self, adviser: Adviser, rules: ByRules) -> None:
        self._adviser, self._rules = adviser, rules

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence where the model did not answer."""
        return self._adviser.notes

    @property
    def usage(self) -> Mapping[str, float]:
        """What the model was asked."""
        return self._adviser.usage

    def __call__(self, heard: Heard) -> Extracted:
        """Return what a message gives. Raises BudgetError when no more may be asked."""
        by_rules = self._rules(heard)
        if heard.origin != "operator" or not (by_rules.findings or _worth_asking(by_rules)):
            return by_rules
        when, text, earlier = self._rules.when(heard), redacted(heard.text), redacted(heard.before)
        before = f"Before it was said:\n{fencing.fenced(earlier)}\n\n" if earlier else ""
        said = f"Said on {when:%A, %Y-%m-%d at %H:%M}:" if when else "Said:"
        material = f"{before}{said}\n{fencing.fenced(text)}"
        found = self._adviser.ask(_ASKED, material, f"{when}\0{earlier}\0{text}", _shape())
        return by_rules if found is None else _checked(found.entries, heard, when, by_rules)


def _worth_asking(by_rules: Extracted) -> bool:
    """Tell whether a message of which the rules keep nothing may hold something all the same."""
    reasons = {reason for reason, _ in by_rules.refused}
    return "order" not in reasons and bool(reasons - _IDLE)


def _checked(found: "Iterable[Any]", heard: Heard, said: datetime | None, rest: Extracted) -> Extracted:
    """Return what a model found, as far as the message bears it out."""
    kept: list[Finding] = []
    refused = list(rest.refused)
    for one in found:
        reason = _doubt(one, heard, said)
        if reason:
            refused.append((reason, one.text))
        else:
            day = parse_date(one.day or "")
            kept.append(Finding(one_line(one.text), one.quote, one.tag, _KINDS[one.tag], day))
    return Extracted(tuple(kept), tuple(refused))


def _doubt(one: Any, heard: Heard, said: datetime | None) -> str:
    """Return why an entry is not believed, "" where the message has its words, numbers, names and days."""
    if _plain(one.quote) not in _plain(heard.text) or len(_plain(one.quote)) < min(_BRIEF, len(_plain(heard.text))):
        return "quote not said"
    if denies(one.text) != denies(_around(heard.text, one.quote)):
        return "made up"
    known = _days(heard, said)
    text = _DAY.sub(lambda match: "" if match[0] in known else match[0], one.text)
    if (one.day and one.day not in known) or _DAY.search(text):
        return "other date"
    source = _plain(f"{heard.before} {heard.text}").casefold()
    if any(fact.casefold() not in source for fact in _FACTS.findall(text)):
        return "made up"
    words = [word for word in _WORD.findall(text.casefold()) if len(word) > _SHORT]
    told = sum(word[:_STEM] in source for word in words)
    return "made up" if told < len(words) * _BORNE_OUT else ""


def _around(text: str, quote: str) -> str:
    """Return the sentences that a quote stands in."""
    plain, wanted = _plain(text), _plain(quote)
    start, end = plain.find(wanted), plain.find(wanted) + len(wanted)
    first = max(plain.rfind(mark, 0, start) for mark in _ENDS) + 1
    last = min((at for mark in _ENDS if (at := plain.find(mark, end - 1)) >= 0), default=len(plain))
    return plain[first:last]


def _days(heard: Heard, said: datetime | None) -> frozenset[str]:
    """Return the days that a message speaks of, and the one on which it was said, in ISO 8601."""
    written = set(_DAY.findall(heard.text))
    if said is None:
        return frozenset(written)
    ways = (days.exact(days.days(heard.text, said.date(), past=past)) for past in (False, True))
    return frozenset(written | {day.isoformat() for way in ways for day in way} | {said.date().isoformat()})


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", one_line(text))


@cache
def _shape() -> "type[Any]":
    from pydantic import BaseModel, Field  # noqa: PLC0415 - an extra, and slow to load

    class Entry(BaseModel):
        quote: str = Field(min_length=1, max_length=LONGEST_QUOTE)
        text: str = Field(min_length=1, max_length=LONGEST)
        tag: Literal["decision", "event", "knowledge", "skill"]
        day: str | None = None

    class Entries(BaseModel):
        entries: list[Entry] = Field(max_length=_MOST)

    return Entries
