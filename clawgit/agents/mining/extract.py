"""Extracts from a message what is worth keeping."""

from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.mining import machine, wording
from clawgit.agents.mining import refusing as why
from clawgit.agents.mining.days import days, exact
from clawgit.agents.mining.finding import LONGEST, TAGS, Extracted, Finding
from clawgit.agents.mining.kinds import kind
from clawgit.agents.mining.listed import listed
from clawgit.agents.mining.signs import signs, tongue, words
from clawgit.agents.mining.tongue import Tongue
from clawgit.agents.mining.weights import BIT, HINT, score
from clawgit.agents.mining.wishes import wish
from clawgit.language.own_words import own_words
from clawgit.language.sentences import Sentence, sentences
from clawgit.safety import secrets
from clawgit.safety.redaction import redacted

By = Literal["operator", "agent"]
_LONGEST = 100_000
"""Letters of a message that are read; nobody says more."""
_PAGE = 1200
"""Letters of a message beyond which what is not about its writer seems to come from elsewhere."""
_SHOWN = 200
"""Letters of a refused sentence that are told."""
_DECIDES, _OPEN = BIT["decide"], BIT["hedge"] | BIT["if"] | BIT["you"]
_PAST, _SELF, _US, _YOU, _ELIDED = (BIT[one] for one in ("past", "self", "us", "you", "elided"))
_PASTED = BIT["pasted"]
_ANSWER, _NOTE, _DECISION = BIT["answer"], HINT["note"], HINT["decision"]
_CONCRETE = BIT["number"] | BIT["when"] | BIT["name"]
_TALK = BIT["reaction"] | BIT["greeting"] | BIT["stance"] | BIT["you"]
_FINITE = listed("is are was were am be been has have had do did does will would can could i'm it's")
_TIMED = BIT["when"] | BIT["number"]
_BINDING = (why.ORDER, why.QUESTION, why.ROLE)
_LEAD = 120
_DETAIL = -1.0
"""Weight of a sentence that goes along with the one before it."""
_SPOKEN = 3
"""Spaces of a sentence whose writer would have ended the next one too."""
_EARLY = 2
_LITTLE = BIT["content 0-1"] | BIT["content 2-3"]


class _Said(Struct, frozen=True):
    """A message: `question` is what it answers, `hidden` are the marks in the place of its secrets."""

    text: str
    at: datetime | None
    by: By
    name: str
    question: str
    hidden: frozenset[str]
    long: bool = False


class _Read(Struct, frozen=True):
    """One sentence with what was read from it.

    `reason` says why it is refused, `start` where it begins with those that it leans on, `opening` leads its list, and
    not `alone` is one that means nothing without the question before it.
    """

    sentence: Sentence
    lower: str
    known: Tongue
    signs: int
    reason: str
    start: int
    opening: str = ""
    alone: bool = True


def extract(text: str, said: datetime | None, *, by: By = "operator", name: str = "", before: str = "") -> Extracted:
    """Return what is worth keeping of a message, and why the rest is not (spec P1).

    `said` is when, `name` what its speaker is called, `before` the turn of the other side before it. Takes time in
    proportion to the length of the message.
    """
    rest = len(text) > _LONGEST
    if rest:
        text = text[:_LONGEST].rsplit(None, 1)[0]  # a secret cut in two would not be seen
    leaks = secrets.scan(text)
    shown = redacted(text) if leaks else text
    hidden = frozenset(f"[{leak.rule}]" for leak in leaks)
    message = _Said(shown, said, by, name, wording.asked(before), hidden, len(shown) > _PAGE)
    own = own_words(shown)
    spans = machine.lines(own)
    refused = [(why.LONG, "the rest")] if rest else []
    refused += [(why.MACHINE, shown[start:end].strip()[:_SHOWN]) for start, end in spans]
    findings: dict[str, Finding] = {}
    for read in _joined(_read(message, machine.without(own, spans)), message):
        found, reason = (None, read.reason) if read.reason else _finding(message, read)
        if found and found.text.casefold() not in findings:
            findings[found.text.casefold()] = found
        else:
            refused.append((reason or why.POOR, shown[read.start : read.sentence.end][:_SHOWN]))
    return Extracted(tuple(findings.values()), tuple(refused))


def _read(message: _Said, own: str) -> Iterator[_Read]:
    """Yield the sentences with what each is refused for; after the opening of a role-play all belong to it."""
    playing = careful = False
    material = why.material(own)
    lead: _Read | None = None
    whole = len(own.rstrip())
    for sentence in sentences(own):
        read = _one(message, sentence, lead if sentence.bullet else None)
        if not sentence.ended and careful and sentence.end >= whole and not sentence.own[0].islower():
            read = replace(read, reason=read.reason if read.reason in _BINDING else why.INCOMPLETE)
        careful = sentence.ended and not sentence.bullet and sentence.own.count(" ") >= _SPOKEN
        if not sentence.bullet:
            lead = read if read.lower.endswith((":", "：")) else None  # noqa: RUF001
        playing = playing or read.reason == why.ROLE
        if playing or material:
            read = replace(read, reason=read.reason or (why.ROLE if playing else why.POOR))
        yield read


def _one(message: _Said, sentence: Sentence, lead: _Read | None) -> _Read:
    """Return a sentence as it is read, a bullet together with the words that lead its list."""
    said = words(sentence.own)
    known = tongue(sentence.own)
    lower = sentence.own.lower().replace("\u2019", "'")
    found = signs(sentence.own, said, known) | (_ANSWER if message.question else 0)
    if message.long and not found & (_SELF | _US):
        found |= _PASTED
    reason = _refused(message, sentence, lower, known, found)
    opening = ""
    if lead and lead.sentence.end - lead.start <= _LEAD:
        lower, found = f"{lead.lower} {lower}", found | lead.signs
        opening = message.text[lead.start : lead.sentence.end]
        reason = reason or (lead.reason if lead.reason in _BINDING else "")
        if not reason and message.by == "operator" and _binds(lead):
            return _Read(sentence, lower, known, found, "", sentence.start, opening)
    reason = reason or _weighed(message, lower, known, found)
    return _Read(sentence, lower, known, found, reason, sentence.start, opening)


def _binds(lead: _Read) -> bool:
    """Tell whether the words that lead a list say that all of it is worth keeping."""
    known, hints = lead.known, lead.signs
    return bool(
        (hints & _DECISION and known.decision.search(lead.lower)) or (hints & _NOTE and known.note.search(lead.lower))
    )


def _refused(message: _Said, sentence: Sentence, lower: str, known: Tongue, found: int) -> str:
    if message.hidden and any(mark in message.text[sentence.start : sentence.end] for mark in message.hidden):
        return why.ORDER if known.plant.search(lower) else why.POOR
    reason = why.reason(sentence.own, lower, known, found, ended=sentence.ended)
    return why.CLAIM if message.by == "agent" and reason in (why.POOR, why.ORDER) else reason


def _weighed(message: _Said, lower: str, known: Tongue, found: int) -> str:
    """Return why a sentence is too light, else nothing; what is asked to be remembered needs no weight."""
    if message.by == "agent":
        return "" if known.report.search(lower) and found & _CONCRETE else why.CLAIM
    if found & _NOTE and known.note.search(lower) and not found & _YOU:
        return ""
    if score(found) > 0 or wish(lower) or (found & _DECIDES and found & (_SELF | _US) and not found & _OPEN):
        return ""
    return why.CHAT if found & _TALK else why.POOR


def _joined(reads: Iterator[_Read], message: _Said) -> Iterator[_Read]:
    """Yield the sentences, each that leans on the one before it together with that one."""
    held: _Read | None = None
    for number, read in enumerate(reads):
        now = read
        if read.reason in ("", why.POOR) and read.known.leans.search(read.lower):
            if held and _bears(held, read):
                lower, found = f"{held.lower} {read.lower}", held.signs | read.signs
                held = replace(read, lower=lower, signs=found, start=held.start, opening=held.opening, reason="")
                continue
            if not read.reason:
                answers = message.question and number < _EARLY
                now = replace(read, alone=False) if answers else replace(read, reason=why.INCOMPLETE)
        if held:
            yield held
        held = now
    if held:
        yield held


def _bears(held: _Read, read: _Read) -> bool:
    """Tell whether a sentence says what the one after it speaks of, and both are short enough for one entry."""
    if read.reason:
        telling = not held.reason and score(read.signs) > _DETAIL
    else:
        telling = held.reason in ("", why.POOR) and not held.signs & _LITTLE
    return telling and held.alone and read.sentence.end - held.start <= LONGEST


def _finding(message: _Said, read: _Read) -> tuple[Finding | None, str]:
    """Return the entry of a sentence, or why there is none after all."""
    start, end = read.start, read.sentence.end
    own = message.text[start:end]
    timed = message.at and (read.signs & _TIMED or not own.isascii())
    times = days(own, message.at.date(), past=bool(read.signs & _PAST)) if message.at and timed else []
    times = [replace(one, start=one.start + start, end=one.end + start) for one in times]
    day = next(exact(times), None)
    what = kind(read.lower, read.signs, read.known, exact=day is not None, timed=bool(times))
    if message.by == "agent":
        what = "event"
    whole = wording.worded(message.text, start, end, times, read.opening)
    said = wording.bare(whole)
    if said != whole:
        read = replace(read, signs=signs(said, words(said), read.known))
    question = _question(message, read)
    speaker = message.name or wording.OPERATOR if question else _speaker(message, read)
    text = wording.entry(said, speaker, question)
    if len(text) > LONGEST:
        return None, why.LONG
    if secrets.scan(text):
        return None, why.POOR
    if why.planted(said) or (question and why.planted(question)):
        return None, why.ORDER
    quote = wording.quote(message.text, start, end)
    return Finding(text, quote, TAGS[what], what, day if what in ("event", "decision") else None), ""


def _speaker(message: _Said, read: _Read) -> str:
    """Return the name to begin an entry with, where it is about its speaker."""
    if message.by == "agent":
        return message.name
    about = read.signs & (_SELF | _ELIDED) or wish(read.lower)
    if message.name:
        about = about or read.signs & _US
    return (message.name or wording.OPERATOR) if about else ""


def _question(message: _Said, read: _Read) -> str:
    """Return the question that a sentence means nothing without."""
    if not message.question or message.by == "agent":
        return ""
    if not read.alone:
        return message.question
    fragment = not read.signs & (_PAST | _US | _ELIDED | _SELF)
    said = words(read.lower)
    return message.question if fragment and not read.known.letters and not _FINITE & set(said) else ""
