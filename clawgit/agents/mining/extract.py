"""Finds what the operator says is to be kept."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from functools import cache
from itertools import islice, takewhile
from typing import Literal

from msgspec.structs import replace

from clawgit.agents.mining.finding import LONGEST, TAGS, Extracted, Finding, Kind, quote
from clawgit.agents.mining.message_text import dated, days, exact
from clawgit.language import detect, lexicon, logic, message_intent, requests
from clawgit.language.message_intent import Heard, Intent
from clawgit.language.pasted import own_talk
from clawgit.language.requests import FEWEST, Request, weight
from clawgit.language.sentences import Sentence, sentences
from clawgit.safety import injection, secrets
from clawgit.safety.redaction import redacted

By = Literal["operator", "agent"]
NOT_ASKED, QUESTION, WITHDRAWN, ORDER, LONG, SECRET = (
    "not said outright", "question", "taken back", "order", "too long", "secret",
)  # fmt: skip
_LONGEST = 20_000
"""Letters of a message that are read; nobody says more."""
_SHOWN = 200
_QUOTED = 0.5
"""The share of a sentence that may be quoted."""
_ASKS = ("?", "\uff1f")
_AFTER = "\"')*_] \u201d\u2019\u300d\u300f"
_SPACE = re.compile(r"\s+")
_POINT = re.compile(r"[.!?\u2026]+\s+(?=\w)")
_LAST = re.compile(r"\w{3,}\Z")
_NEAR = 16
_BRIEF = 5
"""Words, or letters of East Asia, three for two, that a sentence says at least beyond those that ask."""
_FEW = 4
"""As many of a decision that the weights hear."""
_MUCH = 8
"""As many for what tells of a decision, or is to be kept by itself when `keep that` may mean what is before it."""
_NUMBER = 2
"""Words that a number stands for."""
_BACK = 4
"""Sentences behind a request in which it may be limited, or taken back."""
_LEADS = " ,\uff0c\u3001"
_COLONS = frozenset(":\uff1a")
_KINDS: dict[requests.Kind, Kind] = {
    "asks": "note",
    "labels": "note",
    "keeps": "note",
    "decisions": "decision",
    "decided": "decision",
    "lessons": "lesson",
}
_MEANT: dict[Intent, Kind] = {"request": "note", "decision": "decision", "plan": "event", "rule": "lesson"}


def extract(text: str, said: datetime | None, *, by: By = "operator", learnt: bool = True) -> Extracted:
    """Return the sentences of a message that the operator asked to be kept or called decided, whole.

    `said` is when, on his clock: the days that they name are written behind them. For every other sentence the reason
    why not. What is quoted, pasted, code, or said by the agent is nobody's request. Without `learnt` only phrases are
    heard, and no weights.
    """
    leaks = secrets.scan(text[:_LONGEST])
    shown = redacted(text[:_LONGEST]) if leaks else text[:_LONGEST]
    hidden = tuple(f"[{leak.rule}]" for leak in leaks)
    every = list(_every(own_talk(shown)))
    findings: dict[str, Finding] = {}
    places: dict[str, tuple[int, int]] = {}
    refused: list[tuple[str, str]] = []
    at = 0
    while at < len(every):
        asked = _asked(every, at, learnt=learnt) if by == "operator" else None
        if asked is None:
            refused.append((_reason(every[at]), shown[every[at].start : every[at].end][:_SHOWN]))
            at += 1
            continue
        (request, first, last), cut = asked, False
        leads = isinstance(request, Request) and not every[at].own[: request.lead].strip()
        leads = leads and _reason(every[at]) != QUESTION
        if isinstance(request, Request) and leads and first == at:  # what only leads to it says nothing
            begin = requests.thing(every[at].own, request)
            every[at] = replace(every[at], start=every[at].start + begin, own=every[at].own[begin:])
            cut = begin > request.start
        spans = list(_spans(every, first, last))
        for parts in spans:
            found = _finding(shown, parts, request, said, every, first, hidden)
            if isinstance(found, Finding):
                found = replace(found, text=found.text[:1].upper() + found.text[1:]) if cut else found
                if isinstance(request, Request) and request.kind == "keeps" and len(spans) == 1:
                    found = _once(found, findings, places, parts)
                places[found.text.casefold()] = (parts[0].start, parts[-1].end)
                findings.setdefault(found.text.casefold(), found)
            else:
                refused.append((found, shown[parts[0].start : parts[-1].end][:_SHOWN]))
        at = max(at, last) + 1
    return Extracted(tuple(findings.values()), tuple(refused))


def _once(
    found: Finding, findings: dict[str, Finding], places: dict[str, tuple[int, int]], parts: Sequence[Sentence]
) -> Finding:
    """Take out the findings whose sentences lie in a new one; it has the kind of one that is more than a note."""
    start, end = parts[0].start, parts[-1].end
    for key in [key for key, (first, last) in places.items() if start <= first and last <= end and key in findings]:
        old = findings.pop(key)
        found = replace(found, kind=old.kind, tag=old.tag) if found.kind == "note" else found
    return found


def statements(own: str) -> Iterator[tuple[Sentence, Heard]]:
    """Yield the sentences of a message that are no question and hardly quote, each with what it is most likely for.

    The message is given with what is not its writer's blotted out.
    """
    every = list(_every(own))
    for at, one in enumerate(every):
        if _reason(one) != QUESTION and one.own.count("\0") <= _QUOTED * len(one.own):
            yield one, heard(every, at)


def said_sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of the writer's own talk in a message, by their places in it."""
    return _every(own_talk(text[:_LONGEST]))


def _every(own: str) -> Iterator[Sentence]:
    return (part for one in sentences(own) for part in _parts(one))


def _parts(one: Sentence) -> Iterator[Sentence]:
    """Yield the sentences of one that goes on in small letters after a point, as people type."""
    begun = 0
    for point in _POINT.finditer(one.own):
        word = _LAST.search(one.own, max(begun, point.start() - _NEAR), point.start())
        if word and word[0].casefold() not in _shortened():
            own = one.own[begun : point.end()].rstrip()
            yield replace(one, start=one.start + begun, end=one.start + begun + len(own), own=own, ended=True)
            begun = point.end()
    yield replace(one, start=one.start + begun, own=one.own[begun:])


@cache
def _shortened() -> frozenset[str]:
    return frozenset(word for iso in lexicon.scripts() for word in lexicon.words(iso, "sentences", "shortened"))


def _reason(one: Sentence) -> str:
    return QUESTION if one.own.rstrip(_AFTER).endswith(_ASKS) else NOT_ASKED


def _asked(every: Sequence[Sentence], at: int, *, learnt: bool) -> tuple[Request | Intent, int, int] | None:
    """Return what a sentence asks or is for, and from which to which sentence it goes; None where it is nothing."""
    one = every[at]
    if one.own.count("\0") > _QUOTED * len(one.own):
        return None
    request = requests.find(one.own)
    question = _reason(one) == QUESTION
    phrased = request and not (one.bullet and not every[0].bullet) and not (question and not request.wish)
    if request and phrased and (found := _extent(every, at, request, learnt=learnt)):
        return found
    if not learnt or one.bullet:
        return None
    said = heard(every, at)
    if said.score < message_intent.weights().strict or (question and said.intent != "request"):
        return None
    return _meant(every, at, said.intent, _MUCH if question else _FEW if said.intent == "decision" else _BRIEF)


def heard(every: Sequence[Sentence], at: int) -> Heard:
    """Return what a sentence of a message is most likely for."""
    before, behind = every[at - 1].own if at else "", every[at + 1].own if at + 1 < len(every) else ""
    return message_intent.hear(before, every[at].own, behind)


def _meant(every: Sequence[Sentence], at: int, intent: Intent, least: int) -> tuple[Intent, int, int] | None:
    """Return from which to which sentence goes what no phrase announces; None where it says less than `least` words."""
    first = last = at
    isos = detect.candidates(every[at].own)
    while logic.dangles(every[first].own, isos) and _near(every, first - 1, at):
        first -= 1
    if sum(weight(one.own) for one in every[first : last + 1]) < least:
        return None
    return intent, first, _leaning(every, last, isos)


def _leaning(every: Sequence[Sentence], last: int, isos: tuple[str, ...]) -> int:
    """Return the last of the sentences behind one that limit it: `unless the site is down`."""
    if every[last].bullet:
        return last
    behind = islice(every, last + 1, last + 1 + _BACK)
    return last + len(list(takewhile(lambda more: logic.leans(more.own, isos) and not _asks(more), behind)))


def _extent(every: Sequence[Sentence], at: int, request: Request, *, learnt: bool) -> tuple[Request, int, int] | None:
    """Return the request with the first and the last sentence that it is about; None where they say too little."""
    one, first, last = every[at], at, at
    isos = detect.candidates(one.own)
    said = weight(one.own[request.end :])
    if request.kind == "keeps" and requests.announces(one.own) and at + 1 < len(every):
        first = last = at + 1
        said = weight(every[last].own)
    elif request.kind == "keeps":
        before = weight(one.own[: request.start])
        leads = one.own[request.end :].lstrip()[:1] in _COLONS
        points = _points(one, request, isos)
        reason = said if learnt and points and _says_little(one.own[request.end :]) else 0
        said += before - reason
        least = _MUCH if points or said < _BRIEF else _BRIEF
        while not leads and (said < least or logic.dangles(every[first].own, isos)) and _near(every, first - 1, at):
            first, least = first - 1, _BRIEF
            said += weight(every[first].own)
        said += reason
        topic = detect.eastern(one.own) and not weight(one.own[request.end :])  # `note the deadline.`
        much = 2 * _MUCH if topic else _MUCH
        if not leads and said < much and first == at and at + 1 < len(every) and not _asks(every[at + 1]):
            last = at + 1  # `note this down.` at the start means what comes
            said += weight(every[last].own)
        if first < at == last and not any(map(weight, (one.own[: request.lead], one.own[request.end :]))):
            last = at - 1  # it says nothing else
    elif said < (FEWEST if request.kind == "asks" else _BRIEF) and at + 1 < len(every):
        last = at + 1
        said += weight(every[last].own)
        while every[last].bullet and last + 1 < len(every) and every[last + 1].bullet:
            last += 1
            said += weight(every[last].own)
    least = FEWEST if request.kind == "asks" else _BRIEF
    if said < (least if least != _BRIEF else _BRIEF - _NUMBER * any(map(str.isdigit, one.own))):
        return None
    return request, first, _leaning(every, last, isos)


def _points(one: Sentence, request: Request, isos: tuple[str, ...]) -> bool:
    """Tell whether the words that ask have one that stands for what was said: `keep that`."""
    words = one.own[: request.end]
    return any(logic.finder(lexicon.phrases(iso, "conduct", "points")).search(words) for iso in isos)


def _says_little(behind: str) -> bool:
    """Tell whether words behind `keep that` are a reason, `I look it up every year`, and not themselves the thing."""
    return message_intent.hear("", behind.strip(_LEADS), "").score < message_intent.weights().loose


def _asks(one: Sentence) -> bool:
    return _reason(one) == QUESTION or requests.find(one.own) is not None


def _near(every: Sequence[Sentence], first: int, at: int) -> bool:
    """Tell whether a sentence is one that the words after it may mean: of the same message, and no question."""
    return first >= 0 and _reason(every[first]) != QUESTION and every[at].end - every[first].start <= LONGEST


def _spans(every: Sequence[Sentence], first: int, last: int) -> Iterator[tuple[Sentence, ...]]:
    """Yield the sentences of each entry: each bullet with the words that lead its list, else all as one."""
    bullets = [at for at in range(first + 1, last + 1) if every[at].bullet]
    if bullets and not every[first].bullet:
        yield from ((every[first], every[at]) for at in bullets)
    else:
        yield tuple(every[first : last + 1])


def _finding(
    shown: str,
    parts: Sequence[Sentence],
    request: Request | Intent,
    said: datetime | None,
    every: Sequence[Sentence],
    at: int,
    hidden: Sequence[str],
) -> Finding | str:
    """Return the entry of some sentences, or why there is none."""
    joined = parts[-1].start - parts[0].end > 1 and parts[-1].bullet
    pieces = [(one.start, one.end) for one in parts] if joined else [(parts[0].start, parts[-1].end)]
    raw = " ".join(shown[start:end] for start, end in pieces)
    behind = (one.own for one in every[at : at + len(parts) + _BACK])
    if requests.withdrawn("\n".join(behind)):
        return WITHDRAWN
    if any(mark in raw for mark in hidden) or secrets.scan(raw):
        return SECRET
    text, day = _dated(raw, said)
    if len(text) > LONGEST:
        return LONG
    if injection.scan(f"- {text}"):
        return ORDER
    kind = _KINDS[request.kind] if isinstance(request, Request) else _MEANT[request]
    return Finding(text, quote(shown, *pieces[-1]), TAGS[kind], kind, day)


def _dated(raw: str, said: datetime | None) -> tuple[str, date | None]:
    """Return words on one line with the days that they name, and the first day that is exact."""
    if said is None:
        return _SPACE.sub(" ", raw).strip(), None
    times = days(raw, said.date(), past=False, plan=True)
    return _SPACE.sub(" ", dated(raw, times)).strip(), next(exact(times), None)
