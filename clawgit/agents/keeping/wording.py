"""Words a lesson in the voice of the file."""
# ruff: noqa: RUF001 -- the marks of many scripts

import re
from typing import Literal

from clawgit.agents.keeping import frames, principles
from clawgit.agents.keeping.aspects import Aim
from clawgit.text.entry import entries

Voice = Literal["first", "second", "plain"]
_FIRST = {
    "en": re.compile(r"\bI\b|\b[Mm]y\b"),
    "de": re.compile(r"\b(?:[Ii]ch|[Mm]ein\w*)\b"),
    "es": re.compile(r"\b(?:[Yy]o|[Mm]is?|soy|tengo|digo|respondo)\b"),
    "fr": re.compile(r"\b(?:[Jj]e|[Mm]on|[Mm]es)\b|\b[Jj]'"),
}
_SECOND = re.compile(r"\b(?:[Yy]ou|[Yy]our|[Dd]u|[Dd]eine?\w*|[Tt]ú|[Tt]us?|[Tt]u|[Tt]on|[Tt]es)\b")
_SHARE = 0.34
_TAIL = re.compile(
    r"(?i)(?:[\s,]+(?:please|pls|thanks|thank you|ok(?:ay)?|bitte|danke|por favor|gracias|s'il te plaît|stp|merci"
    r"|from now on|any ?more|any longer|in (?:the )?future|remember that for next time|that's all))+[\s.!]*$"
    r"|[，,、](?:谢谢|好吗|好不好|拜托)[。！]*$"
)
_BECAUSE = re.compile(r"(?i),? (?:because|since|as) (?:i|it|that)\b.*$|, (?:i|it) (?:can't|cannot|don't|hate)\b.*$")
_PERSONS = (
    (r"\bI'm\b", "they are"),
    (r"\bI've\b", "they have"),
    (r"\bI'd\b", "they would"),
    (r"\bI\b", "they"),
    (r"\bme\b", "them"),
    (r"\bmy\b", "their"),
    (r"\bmine\b", "theirs"),
)
_OWN_HUMAN = re.compile(r"(?i)\b(?:my|your) human\b")
_SPECIFIC = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|ten|weekends?|weekdays|mornings?|evenings?|night|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday|telegram|whatsapp|signal|slack|discord|phone|mobile|voice)\b"
    r"|\b(?:telefon|handy|wochenende|morgens|abends|móvil|noche|mañanas|téléphone|soir|matin|week-end)\b"
    r"|手机|晚上|早上|周末|電話|夜|朝|週末|휴대폰|밤|아침|주말|[一二三四五两]个?(?:句|行)"
)


def tidied(said: str) -> str:
    """Return a wish without what only leads it, or ends it: one sentence that begins large and ends in a mark."""
    body = " ".join(said.split())
    lead = frames.LEAD.match(body)
    body = body[lead.end() :] if lead and len(body) - lead.end() > len(body) // 4 else body
    body = _BECAUSE.sub("", _TAIL.sub("", body.rstrip(" .!。！"))).strip(" ,;:，、-–—")
    if not body:
        return ""
    mark = "。" if re.search(r"[\u3041-\u30ff\u4e00-\u9fff]$", body) else "."
    return body[0].upper() + body[1:] + ("" if body[-1] in ".!?。！？)" else mark)


def specific(said: str) -> bool:
    """Tell whether a wish says more than its side of conduct: a number, a place, a time."""
    return bool(_SPECIFIC.search(said.casefold()))


def voice(soul: str, lang: str) -> Voice:
    """Return in whose voice a file speaks."""
    rows = [one.text for one in entries(soul)]
    if not rows or lang not in _FIRST:
        return "plain"
    if sum(bool(_FIRST[lang].search(row)) for row in rows) > _SHARE * len(rows):
        return "first"
    return "second" if sum(bool(_SECOND.search(row)) for row in rows) > _SHARE * len(rows) else "plain"


def principle(aim: Aim | None, said: str, said_lang: str, soul: str, soul_lang: str) -> str:
    """Return the line that a wish becomes, "" where there are no words for it.

    What only names a side of conduct becomes the sentence that stands for that side; what says more, or has no name,
    keeps the operator's words.
    """
    speaks = voice(soul, soul_lang)
    known = principles.sentence(aim, soul_lang, speaks) if aim else ""
    own = tidied(said)
    asks = bool(frames.BIDS.search(own)) and not frames.BLAMES.search(own)
    if known and not (specific(said) and asks):
        return known
    if not asks:
        return known
    return _spoken(own, soul, speaks) if said_lang == "en" == soul_lang else own


def _spoken(own: str, soul: str, speaks: Voice) -> str:
    """Return an English wish as the file would say it."""
    human = _OWN_HUMAN.search(soul)
    who = human[0].lower() if human else "the operator"
    for pattern, other in _PERSONS:
        own = re.sub(pattern, other, own)
    own = re.sub(r"\bthem\b", who, own, count=1)
    if who not in own:
        own = re.sub(r"\btheir\b", f"{who}'s", own, count=1)
    if speaks == "first":
        own = re.sub(r"\byours\b", "mine", re.sub(r"\byour\b", "my", re.sub(r"\byou\b", "I", own)))
        own = principles.first(own)
    return own[0].upper() + own[1:]
