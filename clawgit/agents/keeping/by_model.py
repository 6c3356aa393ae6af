"""Hears remarks with a language model, and checks it."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Literal

from clawgit.agents.adviser import Adviser
from clawgit.agents.heard import Heard
from clawgit.agents.keeping import SPOKEN, frames
from clawgit.agents.keeping.aspects import Aim, aims
from clawgit.agents.keeping.hearing import Remarks, hear
from clawgit.agents.keeping.signal import Kind, Signal
from clawgit.agents.keeping.wording import tidied
from clawgit.agents.mining.finding import LONGEST_QUOTE
from clawgit.language.detect import language
from clawgit.language.own_words import own_words
from clawgit.llm import fencing
from clawgit.safety import injection
from clawgit.safety.redaction import redacted
from clawgit.text.sameness.reading import denies
from clawgit.workspace.message import one_line

_KINDS: dict[str, Kind] = {"correction": "complaint", "wish": "wish", "praise": "praise", "operation": "operation"}
_WORD = re.compile(r"[^\W\d_]+")
_SHORT, _STEM, _BORNE_OUT = 3, 4, 0.6
_LEAST, _LONGEST, _MOST = 8, 200, 5
_ASKED = """\
Material: one message of the operator's, and what the agent had said just before. Return what it says of how the agent
should behave towards its operator, as a list, mostly empty. Tasks, facts, opinions, and what others say are none. Of
each: `quote`, at most 160 characters of the message, letter for letter; `rule`, one short sentence that orders the
agent, in the words of the message; `kind`: correction, wish, praise, or operation for how work is done (tools, tests,
files); `standing`: whether it is meant for always and not for this time."""


class ByModel:
    """Asks a model about messages that may speak of conduct; rules hear the others, or where it does not answer."""

    def __init__(self, adviser: Adviser) -> None:
        self._adviser = adviser

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence where the model did not answer."""
        return self._adviser.notes

    @property
    def usage(self) -> Mapping[str, float]:
        """What the model was asked."""
        return self._adviser.usage

    def __call__(self, heard: Heard) -> Remarks:
        """Return what a message says of conduct. Raises BudgetError when no more may be asked."""
        by_rules = hear(heard)
        if heard.origin != "operator" or not (by_rules.signals or by_rules.refused or _worth_asking(heard.text)):
            return by_rules
        text, earlier = redacted(heard.text), redacted(heard.before)
        before = f"Before it the agent said:\n{fencing.fenced(earlier)}\n\n" if earlier else ""
        material = f"{before}The operator said:\n{fencing.fenced(text)}"
        found = self._adviser.ask(_ASKED, material, f"{earlier}\0{text}", _shape())
        return by_rules if found is None else _checked(found.remarks, heard, by_rules)


def _worth_asking(text: str) -> bool:
    return bool(frames.ADDRESSED.search(text) and frames.STANDING.search(text))


def _checked(found: Iterable[Any], heard: Heard, by_rules: Remarks) -> Remarks:
    """Return what a model heard, as far as the operator's own words bear it out."""
    kept: list[Signal] = []
    refused = list(by_rules.refused)
    for one in found:
        reason = _doubt(one, heard)
        pointer = heard.pointer(one.quote) if not reason else None
        if reason or pointer is None or heard.time is None:
            refused.append(reason or "cannot be cited")
        else:
            kept.append(_signal(one, heard, pointer, heard.time))
    return Remarks(tuple(kept), tuple(refused))


def _signal(one: Any, heard: Heard, pointer: str, when: float) -> Signal:
    kind = _KINDS[one.kind]
    rule = tidied(one_line(one.rule))
    named = next(iter(aims(one.quote) or aims(rule)), None) if kind != "operation" else None
    said = one_line(one.quote) if named else rule
    lang = language(said, SPOKEN)
    return Signal(kind, said, named, one.standing, pointer, heard.mention, when, heard.session, lang)


def _doubt(one: Any, heard: Heard) -> str:
    """Return why a remark is not believed, "" where the message has its words."""
    own = _plain(own_words(heard.text).replace("\0", " "))
    quote, rule = _plain(one.quote), one_line(one.rule)
    if quote not in own or len(quote) < min(_LEAST, len(own)):
        return "quote not said"
    if aims(quote)[:1] == (Aim("ask", -1),) or aims(rule)[:1] == (Aim("ask", -1),):
        return "permission"
    if frames.PERILS.search(f"{quote} {rule}") or injection.scan(f"- {rule}") or injection.scan(f"- {quote}"):
        return "order"
    if one.kind != "operation" and frames.WORKS.search(rule):
        return "about work"
    if not aims(quote) and denies(rule) != denies(quote):
        return "made up"
    words = [word for word in _WORD.findall(rule.casefold()) if len(word) > _SHORT]
    told = sum(word[:_STEM] in own.casefold() for word in words)
    return "" if told >= len(words) * _BORNE_OUT or _means(rule, quote) else "made up"


def _means(rule: str, quote: str) -> bool:
    """Tell whether a rule wants of conduct what the quote wants, in whichever words."""
    return bool(aims(rule)) and aims(rule)[:1] == aims(quote)[:1]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", one_line(text.replace("\u2019", "'")))


@cache
def _shape() -> "type[Any]":
    from pydantic import BaseModel, Field  # noqa: PLC0415 - an extra, and slow to load

    class Remark(BaseModel):
        quote: str = Field(min_length=1, max_length=LONGEST_QUOTE)
        rule: str = Field(min_length=1, max_length=_LONGEST)
        kind: Literal["correction", "wish", "praise", "operation"]
        standing: bool

    class Said(BaseModel):
        remarks: list[Remark] = Field(max_length=_MOST)

    return Said
