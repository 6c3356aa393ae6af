"""Finds standing rules of how to talk."""

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from clawgit.language import detect, lexicon, logic
from clawgit.language.own_words import straight
from clawgit.language.pasted import own_talk, weight
from clawgit.language.sentences import Sentence, sentences

TABLE = "conduct"
_LONGEST, _PAGE = 200, 900
"""Letters of a sentence that can be a rule, and of a message that is believed."""
_NEAR, _NEAR_EAST = 3, 8
"""Words, or letters of East Asia, that stand before `always` where it belongs to the order."""
_GAP = r"[\s,:;\u3001\uff0c\uff1a\u2013\u2014-]*"
_WORK = re.compile(
    r"[\w.~-]*/[\w./-]+|\b\w+\.[a-z]{2,4}\b|(?<!\w)--?[a-z][\w-]+|\b\w+_\w+|\b[a-z]+[A-Z]\w+|\S@\S|\d{5}"
)
"""What work is done with: paths, files, options, names in code."""
_CUT = re.compile(r"[,;\u2014\u2013\u3001\uff0c\uff1b]\s*|\s-\s")
_POINT = re.compile(r"(?<=[.!?\u2026])\s+(?=\w)")
_ASKS = re.compile(r"[?\uff1f]\W*$")
_LED = re.compile(r"[:\uff1a,\uff0c]\s*\n\s*$|[:\uff1a]\s*$")
_FIELDS = re.compile(r"(?:^[A-Z][\w-]{1,15}: \S[^\n]*\n){2}", re.MULTILINE)
_WORD = re.compile(r"\w+")

Languages = tuple[str, ...]


class Rule(Struct, frozen=True):
    """A sentence, characters `start` to `end` of a message, that orders something for always.

    `doubt` says why it cannot be taken as it stands, "" where it can. `work` tells whether it is about how work is
    done, with tools and machines, and not about talking.
    """

    start: int
    end: int
    doubt: str
    work: bool


def rules(text: str) -> Iterator[Rule]:
    """Yield the standing rules that a message gives in its writer's own talk, in order."""
    isos = languages(text)
    if not any(finder(key, isos).search(straight(text)) for key in ("standing", "stops", "forbids")):
        return
    every = [part for one in sentences(own_talk(text)) for part in _split(one)]
    for at, one in enumerate(every):
        said = straight(text[one.start : one.end])
        work = bool(_WORK.search(said) or finder("work", isos).search(said))
        talk = not work and bool(finder("talk", isos).search(said))
        doubt = _order(one.own.replace("\0", " ").lower(), isos, talk=talk)
        if doubt is not None:
            behind = every[at + 1].own if at + 1 < len(every) else ""
            plain = "" if talk else "it does not speak of talking"
            yield Rule(one.start, one.end, doubt or _doubt(text, one, said, behind, isos) or plain, work)


def _split(one: Sentence) -> Iterator[Sentence]:
    """Yield the parts of what somebody wrote in small letters throughout."""
    begun = 0
    for point in (*_POINT.finditer(one.own), None):
        end = point.start() if point else len(one.own)
        yield replace(one, start=one.start + begun, end=one.start + end, own=one.own[begun:end])
        begun = point.end() if point else end


def languages(text: str) -> Languages:
    """Return the languages of a text in which rules are heard."""
    known = lexicon.having(TABLE)
    return tuple(iso for iso in detect.candidates(text) if iso in known)


def _order(said: str, isos: Languages, *, talk: bool) -> str | None:
    """Return "" for a sentence that orders something for always, a doubt where only part of it does; None for none."""
    head, polite = (_ended(keys, isos, said) for keys in (("lead", "standing"), ("lead",)))
    always, rest = bool(finder("standing", isos).search(said[:head])), said[head:]
    idle = not _WORD.search(rest)
    stops = finder("stops", isos).match(said, polite)
    orders = finder("orders", isos).match(rest) and (always or _belongs(rest, isos))
    asks = always and not idle and finder("asks", isos).search(rest)
    if (stops and talk) or (not stops and (orders or asks)):
        return ""
    if not talk:
        return None
    if always and not idle:
        return "nothing shows that it is an order"
    return "it may hold for one case only" if _in_part(said, polite, isos) else None


def _in_part(said: str, start: int, isos: Languages) -> bool:
    """Tell whether a clause orders something for always, or any clause forbids something."""
    for clause in (start, *(cut.end() for cut in _CUT.finditer(said, start))):
        at = _ended(("lead", "standing"), isos, said, clause)
        if finder("orders", isos).match(said, at) and finder("standing", isos).search(said, clause):
            return True
        if any(finder(key, isos).match(said, clause) for key in ("stops", "forbids")):
            return True
    return False


def _ended(keys: tuple[str, ...], isos: Languages, said: str, start: int = 0) -> int:
    """Return where phrases end that stand one behind the other from `start` on."""
    found = following(keys, isos).match(said, start)
    return found.end() if found else start


def _belongs(rest: str, isos: Languages) -> bool:
    """Tell whether what says `always` belongs to the order that a sentence begins with: next to it, or at the end."""
    for found in finder("standing", isos).finditer(rest):
        before = rest[: found.start()]
        near = len(before) <= _NEAR_EAST if detect.eastern(before) else len(_WORD.findall(before)) <= _NEAR
        if near or not _WORD.search(finder("lead", isos).sub("", rest[found.end() :])):
            return True
    return False


def _doubt(text: str, one: Sentence, said: str, behind: str, isos: Languages) -> str:
    """Return why an order is not taken as it stands, "" where nothing speaks against it."""
    lower = said.lower()
    reasons = (
        ("it is a question", _ASKS.search(said)),
        ("it holds in one case only", any(part.conditional for part in logic.parts(said, isos))),
        ("it may not be meant for always", finder("hedges", isos).search(straight(text).lower())),
        ("it may be about what the agent asks leave for", finder("leave", isos).search(lower)),
        ("it is about others, too", finder("others", isos).search(lower)),
        ("it points to something said before", _points(lower, isos)),
        ("the next sentence limits it", behind and logic.leans(behind.replace("\0", " "), isos)),
        ("what stands before it may say whose words it is", _LED.search(text[: one.start]) or _FIELDS.search(text)),
        ("most of it is quoted", one.own.count("\0") * 2 > len(one.own)),
        ("it is long", weight(said) > _LONGEST or weight(text) > _PAGE),
    )
    return next((reason for reason, holds in reasons if holds), "")


def _points(lower: str, isos: Languages) -> bool:
    """Tell whether a sentence ends with, or turns at, a word for something that was said before it."""
    bare = finder("standing", isos).sub(" ", lower)
    for found in finder("points", isos).finditer(bare):
        rest = bare[found.end() :]
        if detect.eastern(found[0]) or not _WORD.search(finder("lead", isos).sub("", _CUT.split(rest)[0])):
            return True
    return False


@cache
def finder(key: str, isos: Languages) -> "re.Pattern[str]":
    """Return what finds the phrases that the languages' tables list under a key, as `talk` or `forms.emoji`."""
    return re.compile(_source((key,), isos) or "(?!)", re.IGNORECASE)


@cache
def following(keys: tuple[str, ...], isos: Languages) -> "re.Pattern[str]":
    """Return what matches phrases of some keys that stand one behind the other."""
    return re.compile(rf"{_GAP}(?:(?:{_source(keys, isos) or '(?!)'}){_GAP})*", re.IGNORECASE)


def _source(keys: tuple[str, ...], isos: Languages) -> str:
    found = {one for key in keys for iso in isos for one in lexicon.phrases(iso, TABLE, *key.split("."))}
    return "|".join(map(_phrase, sorted(found, key=lambda one: (-len(one), one))))


def _phrase(phrase: str) -> str:
    parts = ".{1,50}?".join(re.escape(one.strip()) for one in phrase.split("\u2026"))
    return parts if detect.eastern(phrase) else rf"(?<!\w){parts}" + ("" if phrase.endswith("'") else r"(?!\w)")
