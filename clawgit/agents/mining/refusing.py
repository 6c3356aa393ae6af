"""Why a sentence is refused, whatever it weighs."""
# ruff: noqa: RUF001 -- the marks of many scripts

import re

from clawgit.agents.mining.listed import listed
from clawgit.agents.mining.machine import machine
from clawgit.agents.mining.tongue import Tongue
from clawgit.agents.mining.weights import BIT, HINT
from clawgit.agents.mining.wishes import wish
from clawgit.safety import injection

QUESTION, CHAT, MACHINE, CLAIM, ROLE = "question", "chit-chat", "machine text", "claim", "role-play"
ORDER, INCOMPLETE, LONG, POOR = "order", "incomplete", "too long", "not worth it"

_MATERIAL = re.compile(
    r"\b(?:summari[sz]e|translate|proofread|paraphrase|rewrite|rephrase|shorten|reply to|respond to|tl;?dr)\b"
    r"(?: (?:it|this|that|below|above|for me)\b|[:.]?\s*$"
    r"| (?:the|this|my) (?:following|text|article|e?-?mail|message|letter|post)\b)"
    r"|\b(?:the|this) (?:following )?(?:article|text|e?-?mail|message|letter|post|thread|abstract)[^.:\n]{0,30}:\s"
    r"|总结一下|翻译|概括|要約し|訳して|翻訳し|요약해|번역해|\bfasse?\b.{0,40}\bzusammen|\bübersetze\b"
    r"|\bresume\b|\bresúme(?:lo)?\b|\brésume\b|\btraduis\b|\btraduce\b"
)
_LONGEST = 600
_DOUBT = re.compile(
    r"\b(?:ignore|always|never|must|from now|rules?|instructions?|prompt|key|token|password|secret|trust|allow|grant"
    r"|forward|https?|www|you are|system|admin|approve|obey)\b"
)
_SAYS = re.compile(
    r"(?:\b(?:says?|said|reads?|wrote|writes|quote|according to|article|post|tweet|email|mail|comment)\b[^\0]{0,60}"
    r"|[:：] ?)\0{12,}"
)
_HALF = 0.5
_BRIEF = 60
_AFTER = "\"')*_] ”’」』"
_ASKS = ("?", "？")
_ACTS = re.compile(r"\*[^*]+\*\Z")
_TASTE, _PERSON, _HABIT = BIT["taste"], BIT["self"] | BIT["kin"], BIT["habit"]
_ROLE, _PLANT, _UNSURE, _NOTE, _DECISION = (HINT[one] for one in ("role", "plant", "unsure", "note", "decision"))
_SHORT = listed(
    "a i ad ai am an as at be bf by ci cd cv db de dj do dr eu ex fc gf go gp ha he hi hp hr id if in ip is it kg"
    " km la le lo me mg ml mm mr ms my ny no of oh ok on or os pc pm pr ps qa re sf so st to tv ui uk un up us ux"
    " va vr vs we x y z pt px gb mb tb hz kb cm ft am pa ph s3 k8 fr sa su mo tu th u"
)
_PHRASE = 4
_VERB = re.compile(r"\b(?:is|are|am|was|were|has|have|had|do|does|did|will|can)\b|'(?:m|re|ve|ll)\b|\w(?:ed|s|t)\b|!")
_LAST = re.compile(r"(?<![\w.'/-])([^\W\d_]{1,2})\Z")
_BRACKETS = re.compile(r"[(\[（「『][^)\]）」』]*\Z")


def reason(own: str, lower: str, known: Tongue, signs: int, *, ended: bool) -> str:
    """Return why a sentence is refused whatever it weighs, else nothing; `signs` hint at what may match at all."""
    if len(own) > _LONGEST:
        return LONG
    if machine(own):
        return MACHINE
    if bidden := _bidden(own, lower, known, signs):
        return bidden
    if not ended and cut_off(own, lower, known):
        return INCOMPLETE
    if not (signs & _NOTE and known.note.search(lower)) and (passing := _passing(own, lower, known, signs)):
        return passing
    return POOR if "\0" in own and (_SAYS.search(own) or own.count("\0") > _HALF * len(own)) else ""


def _bidden(own: str, lower: str, known: Tongue, signs: int) -> str:
    """Tell a sentence that wants something of its reader, whatever else it says."""
    if (signs & _ROLE and known.role.search(lower)) or (own[0] == "*" and _ACTS.match(own)):
        return ROLE
    if signs & _PLANT and known.plant.search(lower) and not (known.lesson.search(lower) or wish(lower)):
        return ORDER
    return QUESTION if own.rstrip(_AFTER).endswith(_ASKS) or known.ask.search(lower) else ""


def _passing(own: str, lower: str, known: Tongue, signs: int) -> str:
    """Tell a sentence that is for now only."""
    own_matter = (signs & _TASTE and signs & _PERSON) or known.lesson.search(lower) or wish(lower)
    if known.order.search(lower) and not own_matter and not (signs & _DECISION and known.decision.search(lower)):
        return ORDER
    if signs & _UNSURE and known.unsure.search(lower):
        return POOR
    brief = len(own) <= _BRIEF and not signs & _HABIT
    return CHAT if brief and known.idle.search(lower) else ""


def material(own: str) -> bool:
    """Tell whether a message brings a text to work on, of which nothing is its bringer's word."""
    return ("\n" in own or ":" in own) and bool(_MATERIAL.search(own.lower()))


def cut_off(own: str, lower: str, known: Tongue) -> bool:
    """Tell whether a sentence without an end stops in its middle, or within a word."""
    if known.hangs.search(lower) or _BRACKETS.search(own):
        return True
    last = _LAST.search(lower)
    if known.letters == 0 and own.count(" ") < _PHRASE and not _VERB.search(lower):
        return True
    return bool(last and last[1].isascii() and last[1] not in _SHORT)


def planted(text: str) -> bool:
    """Tell whether an entry would bend whoever reads it."""
    return bool(_DOUBT.search(text.lower())) and bool(injection.scan(text))
