"""The form of a memory."""

import re

from clawgit.agents.protocol import facts
from clawgit.agents.protocol.checked import Fault
from clawgit.agents.protocol.operations import Operation
from clawgit.language import detect, logic, sentences

LONGEST = 240
_TAG = re.compile(r"\s*(?:[-*+]\s+)?\[\w+\]|\s*#\w+\b")
_LIST = re.compile(r"\s*(?:[-*+\u2022]|\d{1,2}[.)])\s+")
_ASKS = frozenset("?\uff1f")
_FAR = frozenset(("period", "shift", "end", "weekday of week"))
_TAGGED = frozenset(("add",))
_SURE = 3
"""Words of Latin letters from which on the language of a claim is told."""


def fault(operation: Operation, quoted: str, isos: tuple[str, ...]) -> Fault | None:
    """Return what is wrong with the form of an operation's text, None for nothing; `quoted` is what it goes back to."""
    text = operation.text
    if not any(map(str.isalnum, text)):
        return Fault("there is no text")
    if len(text) > LONGEST or "\n" in text:
        return Fault(f"one line of at most {LONGEST} characters, please: this has {len(text)}")
    if _LIST.match(text) or _TAG.match(text):
        return Fault("write the sentence alone, without a bullet or a tag: the tag has its own field")
    if text.rstrip("\"' )")[-1:] in _ASKS:
        return Fault("this is a question: write what is so")
    if len(list(sentences.sentences(text))) > 1:
        return Fault("these are several sentences: one operation for each")
    return _alone(text, isos) or _tongue(text, quoted) or _tag(operation)


def _alone(text: str, isos: tuple[str, ...]) -> Fault | None:
    if word := logic.dangles(text, isos):
        return Fault(f"'{word}' at the start means something that only the talk tells: name it")
    mentions = [one for one in facts.read(text, isos).mentions if one.sure]
    far = [one for one in mentions if one.form in _FAR]
    if far and not any(one.year for one in mentions):
        return Fault(f"'{text[far[0].start : far[0].end]}' is not understood later: write the date")
    return None


def _tongue(text: str, quoted: str) -> Fault | None:
    if not quoted:
        return None
    theirs, ours = detect.detect(quoted), detect.detect(text)
    if not theirs or not ours or theirs == ours:
        return None
    if detect.eastern(text) != detect.eastern(quoted):
        return Fault(f"the operator says this in another language ({theirs}): write it in that")
    if detect.eastern(text) or len(text.split()) < _SURE or theirs in detect.candidates(text):
        return None
    return Fault(f"the operator says this in another language ({theirs}): write it in that")


def _tag(operation: Operation) -> Fault | None:
    if operation.act in _TAGGED and operation.tag is None:
        return Fault("give it exactly one tag")
    return None
