"""Tells which of two values is wrong."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

import re
from collections.abc import Iterator

from msgspec import Struct

from clawgit.agents.validating.forms import DENSE, ECHO, FORMS, INSTEAD
from clawgit.agents.validating.matter import alike, equal, words
from clawgit.agents.validating.measures import units
from clawgit.agents.validating.values import Value, names, values

_SMALL = r"(?:(?:it's|it is|on|at|in|to|the|a|an|my|by|for|with|called|named|am|um|im|in|der|den|das|el|la|los|las|le|les|un|une|à|a|au|en|es|c'est|son|del|de|von|vom|mit|about|around|version|port|room|room number) ){0,3}[`\"'(]?$"
_USES = r"(?:(?:use|used|using|go by|going by|live|living|work|working|drink|eat|take|taking|want|need|nutze|nutzen|trinke|wohne|uso|usamos|vivo|utilise|j'utilise|habite) (?:any )?)?"
_NO_BEFORE = re.compile(
    rf"(?:\b(?:not|isn't|wasn't|aren't|weren't|never|no longer|haven't been|hasn't been|instead of|rather than|in place of|nicht(?: mehr)?|statt|anstatt|keine?n?|no|en vez de|en lugar de|ya no|pas|plus|non|au lieu de|au lieu du|plutôt que) {_USES}{_SMALL}"
    r"|(?:而不是|并不是|並不是|不是|不叫|不在|不用|不要|不)\s?[`「『“]?$)",
    re.IGNORECASE,
)
_NO_AFTER = re.compile(
    r"^[`」』”]?\s?(?:ではなく|じゃなく|でなく|ではない|じゃない|ではありません|じゃありません|(?:이|가|번이|번)? ?아니|말고|は間違い|は違|any ?more|(?:is|was) (?:wrong\b|outdated\b|old\b|the (?:old|previous|former|last)|last \w+'s)|ist (?:falsch|veraltet)|war falsch|stimmt nicht|gilt nicht mehr|est faux|n'est plus|está mal|ya no|是错|是錯|不对|不對)",
    re.IGNORECASE,
)
_OLD = re.compile(
    rf"(?:\b(?:was|were|used to be|war|era|était|vorher) {_SMALL}|\b(?:left|dropped|ditched|abandoned|quit|stopped using|got rid of|gave up|scrap|scratch|scratch what [^,.;!?]{{0,20}} about|formerly|previously|dejamos|abandonné) {_SMALL}|\b(?:you said|you wrote|you have|you put|you noted|you told me|you keep saying|your notes say|du sagtest|du hast|dijiste|tienes|tu as dit|tu as (?:mis|noté))\b[^,.;!?]{{0,40}}$"
    r"|(?:你说的?是?|你写的?是?|你记的?是?|原来是|之前是|以前是|本来是)$)",
    re.IGNORECASE,
)
_FROM = re.compile(rf"(?:\b(?:from|von|vom|de|du|del|desde) {_SMALL}|(?:从|從|由|把|将)$)", re.IGNORECASE)
_TO = re.compile(
    rf"(?:\b(?:to|auf|nach|zu|zum|a|al|à|au|en) {_SMALL}|(?:改成|改为|改為|改到|换成|換成|搬到|变成|調到|调到|から|에서 ?)$|(?:->|→|=>) ?$)",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"\b(?:went|took|bump|rose|grew|fell|drop|climb|slip|raised|lowered|increas|reduc|upgrad|chang|mov|switch|updat|migrat|postpon|shift|renam|push|verschoben|verlegt|umgestiegen|gestiegen|erhöht|geändert|gewechselt|umgezogen|umgestellt|cambi|movi|mudé|mudamos|pasó|pasa|pas|changé|déplacé|déménag|repouss)\w*|改|换|換|搬|变|調|调|変|引っ越|移|바꾸|바꿨|바뀌|변경|옮|이사|올렸|내렸|移っ|乗り換え|切り替",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^(?:(?:so|and|but|that|then|because|und|aber|y|pero|et|mais) )+", re.IGNORECASE)
_TIMELY = re.compile(
    r"^(?:(?:now|currently|jetzt|nun|ahora|maintenant)(?: |$)|(?:이제|이젠|지금은?|요즘은?|앞으로는?)(?: |$)|今は|今では|これからは|现在是?|目前是?|如今)",
    re.IGNORECASE,
)
_IDLE = re.compile(r"从来|一直|根本|完全|绝")
_UNIT = re.compile(r" ?(?:[a-zA-ZÀ-ɏ]+|[个個人名位件次天周年月本台杯岁歳]|명|개|번|달|살|마리|잔|권|병|대|시간|원)")
_JOINED = re.compile(
    r"(?: now| currently| instead| jetzt)?[\s,，、;:—–-]*(?:and|und|y|et|but|而|并|so)?[ ]?", re.IGNORECASE
)
_APART = re.compile(r"[.!?;。！？]\s|\n")
_NEAR, _FAR, _REACH, _MOST = 30, 60, 120, 60
_ARROW = re.compile(r"^ ?(?:->|→|=>) ?$")


class Sides(Struct, frozen=True):
    """What was said, and what is true, in the words of the message."""

    said: str
    true: str


def told(sentence: str) -> Iterator[Sides]:
    """Yield what a sentence tells with both sides: first of values of one kind, then of any words."""
    yield from typed(sentence)
    for form in (*FORMS, INSTEAD, *(() if sentence.isascii() else DENSE)):
        for match in form.finditer(sentence):
            said, true = _bare(match["said"]), _bare(match["true"].rpartition(": ")[2])
            if (
                _tells(said)
                and _tells(true)
                and not (said[:1].isupper() and true[:1].islower())
                and said.casefold() != true.casefold()
            ):
                yield Sides(said, true)


def _tells(side: str) -> bool:
    """Tell whether a side names anything: small words alone do not."""
    return bool(side and (words(side) or values(side) or not side.isascii())) and not _IDLE.search(side)


def echoed(text: str) -> Iterator[Sides]:
    """Yield the pair that an echo gives: `Monday? No. Tuesday.`."""
    for form in (ECHO, DENSE[-1]):
        if match := form.match(text.strip()):
            yield Sides(_bare(match["said"]), _bare(match["true"]))


def typed(sentence: str) -> Iterator[Sides]:
    """Yield pairs of values of one kind of which the sentence says that one is wrong."""
    plain = values(sentence)
    known = (*plain, *units(sentence, plain))
    every = sorted((*known, *names(sentence, known, opening=True)), key=lambda one: one.start)[:_MOST]
    for at, one in enumerate(every):
        before = next((other for other in reversed(every[:at]) if alike(one, other)), None)
        after = next((other for other in every[at + 1 :] if alike(one, other)), None)
        right = _right(sentence, one, before, after)
        if right and not equal(one, right):
            yield Sides(_written(sentence, one), _written(sentence, right))


def denied(sentence: str, one: Value) -> bool:
    """Tell whether a sentence says of a value that it is wrong."""
    return bool(
        _NO_BEFORE.search(sentence[max(0, one.start - _REACH) : one.start])
        or _NO_AFTER.search(sentence[_end(sentence, one) :])
    )


def _right(sentence: str, one: Value, before: Value | None, after: Value | None) -> Value | None:
    """Return which of the values around it is true where `one` is said to be wrong, None for neither."""
    cut = max(0, one.start - _REACH)
    head, tail = sentence[cut : one.start], sentence[_end(sentence, one) :][:_REACH]
    lead = sentence[_end(sentence, before) : one.start] if before else ""
    gap = sentence[_end(sentence, one) : after.start] if after else ""
    if denied := _NO_BEFORE.search(head):
        if before and _JOINED.fullmatch(head[max(_end(sentence, before) - cut, 0) : denied.start()]):
            return before
        if after and len(gap) <= _NEAR and not _APART.search(gap):
            return after
        return before if before and not after and not _APART.search(lead) and len(lead) <= _FAR else None
    if _NO_AFTER.search(tail):
        return after if after and len(gap) <= _NEAR + _NEAR else before if before and len(lead) <= _NEAR else None
    if after and len(gap) <= _FAR and (_OLD.search(head) or _ARROW.match(gap)):
        return after if not _APART.search(gap) else None
    return after if after and _MOVED.search(sentence) and _moves(head, gap) else None


def _end(sentence: str, one: Value) -> int:
    """Return where a value ends, with what it counts."""
    unit = _UNIT.match(sentence, one.end) if one.kind.startswith("number ") else None
    return unit.end() if unit else one.end


def _written(sentence: str, one: Value) -> str:
    return sentence[one.start : one.end]


def _moves(before: str, between: str) -> bool:
    """Tell whether a value stands where something moved from, and the next where it moved to."""
    return bool(
        (_FROM.search(before) and _TO.search(between))
        or re.fullmatch(r"\s?(?:から|에서) ?|[\s원円개명]*(?:から|에서) ?", between)
    )


def _bare(words: str) -> str:
    words = _TIMELY.sub("", words.strip())
    return _LEADING.sub("", words.strip(" \t\"'`*_()[]“”„«»"))
