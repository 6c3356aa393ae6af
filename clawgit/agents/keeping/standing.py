"""What the soul says already."""
# ruff: noqa: RUF001 -- the marks of many scripts

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from clawgit.agents.keeping import principles
from clawgit.agents.keeping.aspects import ONE_WAY, Aim, aims
from clawgit.language.own_words import own_words
from clawgit.language.sentences import sentences
from clawgit.text.entry import Entry, entries
from clawgit.text.sameness.relation import compare

_LONGEST = 25
"""Words of a line that is about one thing; a longer one is never replaced as a whole."""
_WHERE = re.compile(
    r"\b(?:on|in|at|for|when|while|during|after|before|with|unless|except|if)\b [^.,;]+"
    r"|\b(?:auf|am|im|bei|wenn|während|nach|vor|außer)\b [^.,;]+|\b(?:en|al|cuando|durante|salvo|por la)\b [^.,;]+"
    r"|\b(?:sur|quand|lors|pendant|sauf|le soir)\b [^.,;]+|[^，。]{1,10}(?:时|的时候|上)|[^、。]{1,10}(?:とき|時|では)"
    r"|[가-힣 ]{1,12}(?:때|에서)"
)


class Line(Struct, frozen=True):
    """A line of the soul, and what it asks of conduct."""

    entry: Entry
    aims: tuple[Aim, ...]

    @property
    def text(self) -> str:
        """Its words, on one row."""
        return " ".join(self.entry.text.split())


def lines(soul: str) -> tuple[Line, ...]:
    """Return the bullets and paragraphs of a soul."""
    return tuple(Line(one, tuple(dict.fromkeys(_aims(one.text)))) for one in entries(soul))


def _aims(text: str) -> Iterator[Aim]:
    known = principles.meaning(text)
    if known:
        yield known
        return
    for one in sentences(own_words(text)):
        yield from aims(text[one.start : one.end])


def said(there: Sequence[Line], text: str, aim: Aim | None, *, more: bool) -> Line | None:
    """Return the line that says so already; `more` tells that the new one names a number, a place or a time."""
    for one in there:
        if compare(one.text, text).relation == "same":
            return one
        if aim and not more and aim.sign and any(_covers(other, aim) for other in one.aims) and not _narrow(one.text):
            return one
    return None


def _covers(other: Aim, aim: Aim) -> bool:
    return other == aim or (other.aspect == aim.aspect and aim.aspect in ONE_WAY)


def against(there: Sequence[Line], text: str, aim: Aim | None) -> Line | None:
    """Return the line that cannot be followed together with a new one."""
    if aim is None:
        return None
    for one in there:
        if len(one.text.split()) > _LONGEST or _narrow(one.text) != _narrow(text):
            continue
        if any(aim.opposes(other) for other in one.aims[:1]) or _other_way(one, text, aim):
            return one
    return None


def _other_way(one: Line, text: str, aim: Aim) -> bool:
    return aim.sign == 0 and one.aims[:1] == (aim,) and compare(one.text, text).relation != "same"


def _narrow(text: str) -> str:
    """Return for when or where a line holds, "" where always."""
    found = _WHERE.search(text.casefold())
    return " ".join(found[0].split()) if found and not _WAY.search(found[0]) else ""


_WAY = re.compile(
    r"\b(?:in|on|at|with|en|auf)\b (?:\w+ )?(?:a question|words|english|german|spanish|french|british|american|chinese"
    r"|japanese|korean|deutsch|englisch|general|plain|simple|full|short|long|detail|einer frage|bullet|sentences)"
    r"|\bfor mistakes|\bwhen (?:you|i) (?:are|am|'re|'m) (?:not )?(?:sure|guessing)|\bwhen something is wrong"
    r"|\bbefore acting|\bat a time|\bwith (?:a|one) "
)
