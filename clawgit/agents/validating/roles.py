"""Tells which of two values is wrong."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

import re
from collections.abc import Iterator
from dataclasses import dataclass

from clawgit.agents.validating.matter import alike, equal
from clawgit.agents.validating.values import Value, names, values

_SMALL = r"(?:(?:it's|it is|on|at|in|to|the|a|an|my|by|for|with|called|named|am|um|im|in|der|den|das|el|la|los|las|le|les|un|une|à|a|au|en|es|c'est|son|del|de|von|vom|mit|about|around|version|port|room|room number) ){0,3}[`\"'(]?$"
_NO_BEFORE = re.compile(
    rf"(?:\b(?:not|isn't|wasn't|aren't|weren't|never|no longer|instead of|rather than|nicht(?: mehr)?|statt|anstatt|keine?n?|no|en vez de|en lugar de|ya no|pas|plus|au lieu de|au lieu du|plutôt que) {_SMALL}"
    r"|(?:而不是|并不是|並不是|不是|不叫|不在|不用|不要|不)[`「『“]?$)",
    re.IGNORECASE,
)
_NO_AFTER = re.compile(
    r"^[`」』”]?\s?(?:ではなく|じゃなく|でなく|ではない|じゃない|ではありません|じゃありません|(?:이|가|번이|번)? ?아니|말고|は間違い|は違|any ?more|is wrong|was wrong|is outdated|is old|ist falsch|war falsch|stimmt nicht|est faux|está mal|是错|是錯|不对|不對)",
    re.IGNORECASE,
)
_OLD = re.compile(
    rf"(?:\b(?:was|were|used to be|war|era|était|vorher) {_SMALL}|\b(?:you said|you wrote|you have|you put|you noted|you told me|du sagtest|du hast|dijiste|tu as dit)\b[^,.;!?]{{0,40}}$"
    r"|(?:你说的?是?|你写的?是?|你记的?是?|原来是|之前是|以前是|本来是)$)",
    re.IGNORECASE,
)
_FROM = re.compile(rf"(?:\b(?:from|von|vom|de|du|del|desde) {_SMALL}|(?:从|從|由|把|将)$)", re.IGNORECASE)
_TO = re.compile(
    rf"(?:\b(?:to|auf|nach|zu|zum|a|al|à|au|en) {_SMALL}|(?:改成|改为|改為|改到|换成|換成|搬到|变成|調到|调到|から|에서 ?)$|(?:->|→|=>) ?$)",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"\b(?:went|took|from|raised|lowered|increas|reduc|upgrad|chang|mov|switch|updat|migrat|postpon|shift|renam|push|verschoben|umgestiegen|gestiegen|erhöht|geändert|gewechselt|umgezogen|umgestellt|cambi|movi|mudé|pas|changé|déplacé|déménag|repouss)\w*|改|换|換|搬|变|調|调|変|引っ越|移|바꾸|바꿨|바뀌|변경|옮|이사|올렸|내렸|移っ|乗り換え|切り替",
    re.IGNORECASE,
)
_UNIT = re.compile(r" ?(?:[a-zA-ZÀ-ɏ]+|[个個人名位件次天周年月本台杯岁歳]|명|개|번|달|살|마리|잔|권|병|대|시간|원)")
_JOINED = re.compile(
    r"(?: now| currently| instead| jetzt)?[\s,，、;:—–-]*(?:and|und|y|et|but|而|并|so)?[ ]?", re.IGNORECASE
)
_APART = re.compile(r"[.!?;。！？]\s|\n")
_NEAR, _FAR = 30, 60
_ARROW = re.compile(r"^ ?(?:->|→|=>) ?$")
_PHRASE = r"[^\s,;.!?()—–]+(?:\.[^\s,;.!?()—–]+)*(?: [^\s,;.!?()—–]+){0,3}?"
_END = r"(?=\s*(?:[,;.!?()—–\n]|$))"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\bnicht (?:mehr )?(?P<said>{_PHRASE}),? sondern (?P<true>{_PHRASE}){_END}",
        rf"\b(?:ist|heißt|heisst|sind|in|nutze|nutzen|verwenden|bei|mit|trinke|mag|wohne in) (?P<true>{_PHRASE}),? (?:und )?nicht (?:mehr )?(?:in |bei |mit )?(?P<said>{_PHRASE}){_END}",
        rf"\b(?P<true>[^\s,;.!?()]+) (?:an)?statt (?P<said>[^\s,;.!?()]+){_END}",
        rf"\bno (?:es|está en|se llama|era|uso|usamos|vivo en) (?P<said>{_PHRASE}),? (?:sino|es|se llama|uso|está en|vivo en) (?:en )?(?P<true>{_PHRASE}){_END}",
        rf"\b(?:es|se llama|uso|usamos|vivo en|está en) (?P<true>{_PHRASE}),? (?:y )?no (?:en )?(?P<said>{_PHRASE}){_END}",
        rf"\b(?:pas|plus) (?:à |en |un |une |le |la |du |de )?(?P<said>{_PHRASE}),? (?:mais|c'est|plutôt) (?:à |en |un |une |le |la |du |de )?(?P<true>{_PHRASE}){_END}",
        rf"\b(?:est|c'est|s'appelle|à|en|utilise|utilisons) (?P<true>{_PHRASE}),? (?:et )?pas (?:à |en |un |une |le |la )?(?P<said>{_PHRASE}){_END}",
        rf"\b(?P<true>{_PHRASE}) au lieu de (?P<said>{_PHRASE}){_END}",
        rf"\b(?:is|are|was|it's|that's|called|named|use|uses|using|in|at|by|with|to|like|likes|prefer|prefers|drinks?|eats?|speaks?|works? (?:at|for)|lives? in|on) (?P<true>{_PHRASE}),? (?:and |so )?not (?:in |at |by |with |on |to |the |a |an )?(?P<said>{_PHRASE}){_END}",
        rf"\b(?:isn't|not) (?:in |at |by |with |on |a |an |the )?(?P<said>{_PHRASE})[,;:—–-]+ ?(?:but |it's |it is |he's |she's |they're |rather )+(?:in |at |by |with |on |a |an |the )?(?P<true>{_PHRASE}){_END}",
    )
)

_DENSE = r"(?:\d+(?:\.\d+)+|[^\s,，.。、;；!！?？「」『』]{1,14}?)"
_BARE_DENSE = _DENSE.replace("」", "」はがを", 1)
_DENSE_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"(?:是|叫|在|用|喝|住|到了?)(?P<true>{_DENSE})[,，、]? ?(?:而)?(?:不是|不叫|不在|不用|不喝|不住在?)(?P<said>{_DENSE})(?=$|[,，.。!！?？了])",
        rf"不(?:是|叫|在|用|喝|住在?)(?P<said>{_DENSE})[,，、!！。]? ?(?:而)?(?:是|叫|在|用|喝|住在?)(?P<true>{_DENSE})(?=$|[,，.。!！?？了])",
        rf"(?:^|[、，,。は\s])(?P<said>{_BARE_DENSE})(?:ではなく|じゃなく|でなく)て?[、,]? ?(?P<true>{_DENSE})(?:です|でした|だよ|でしょ|だ|$|[。、!])",
        rf"(?:^|[、，,。はがを\s])(?P<said>{_BARE_DENSE}) ?から ?(?P<true>{_DENSE}) ?(?:に|へ) ?(?:乗り換え|移|変|切り替|引っ越)",
        rf"(?:^|[\s,.])(?P<said>{_DENSE})(?:이|가)? ?아니(?:라|고),? ?(?P<true>{_DENSE})(?:이야|야|예요|이에요|에요|입니다|이지|이래|래|지|였어|$|[,.!])",
        rf"(?:^|[\s,.])(?P<said>{_DENSE}) 말고 (?P<true>{_DENSE})(?:이야|야|예요|이에요|입니다|였어|로|으로|$|[,.!\s])",
        rf"^(?P<said>{_DENSE})[?？] ?(?:不对|不是|不|ちがう|違う|違います|いや|아니지?|아뇨)[,，、.。] ?(?:是|叫|在)?(?P<true>{_DENSE})(?:です|だよ|でしょ|이지|이야|야|예요|이에요|$|[,，。.!！\s])",
    )
)
_ECHO = re.compile(
    rf"^(?P<said>{_PHRASE})\? (?:no|nope|nein|non|wrong)[,.!]+ (?:it's |it is |es ist |c'est )?(?P<true>{_PHRASE})[.!]*$",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?<![\w.-])(?P<true>[\w.-]*\w) (?:instead of|rather than|and not|statt|anstatt|en vez de|au lieu de) (?P<said>[\w.-]*\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sides:
    """What was said, and what is true, in the words of the message."""

    said: str
    true: str


def told(sentence: str) -> Iterator[Sides]:
    """Yield what a sentence tells with both sides: first of values of one kind, then of any words."""
    yield from typed(sentence)
    for form in (*_FORMS, _INSTEAD, *(() if sentence.isascii() else _DENSE_FORMS)):
        for match in form.finditer(sentence):
            said, true = _bare(match["said"]), _bare(match["true"])
            if said and true and said.casefold() != true.casefold():
                yield Sides(said, true)


def echoed(text: str) -> Iterator[Sides]:
    """Yield the pair that an echo gives: `Monday? No. Tuesday.`."""
    for form in (_ECHO, _DENSE_FORMS[-1]):
        if match := form.match(text.strip()):
            yield Sides(_bare(match["said"]), _bare(match["true"]))


def typed(sentence: str) -> Iterator[Sides]:
    """Yield pairs of values of one kind of which the sentence says that one is wrong."""
    plain = values(sentence)
    every = sorted((*plain, *names(sentence, plain, opening=True)), key=lambda one: one.start)
    for at, one in enumerate(every):
        before = next((other for other in reversed(every[:at]) if alike(one, other)), None)
        after = next((other for other in every[at + 1 :] if alike(one, other)), None)
        right = _right(sentence, one, before, after)
        if right and not equal(one, right):
            yield Sides(_written(sentence, one), _written(sentence, right))


def _right(sentence: str, one: Value, before: Value | None, after: Value | None) -> Value | None:
    """Return which of the values around it is true where `one` is said to be wrong, None for neither."""
    head, tail = sentence[: one.start], sentence[_end(sentence, one) :]
    lead = sentence[_end(sentence, before) : one.start] if before else ""
    gap = sentence[_end(sentence, one) : after.start] if after else ""
    if denied := _NO_BEFORE.search(head):
        if before and _JOINED.fullmatch(head[_end(sentence, before) : denied.start()]):
            return before
        return after if after and len(gap) <= _NEAR and not _APART.search(gap) else None
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
    return words.strip(" \t\"'`*_()[]“”„«»")
