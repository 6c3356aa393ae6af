"""Hears in a message what the operator says of conduct."""

import re
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.heard import Heard
from clawgit.agents.keeping import SPOKEN, frames, proving
from clawgit.agents.keeping.aside import Aside
from clawgit.agents.keeping.aspects import Aim, aims, may_speak, read, turned
from clawgit.agents.keeping.conduct import contradicts
from clawgit.agents.keeping.remarking import aside
from clawgit.agents.keeping.sieve import Sieve
from clawgit.agents.keeping.signal import Kind, Signal
from clawgit.agents.keeping.wording import specific, tidied
from clawgit.agents.mining import machine, wording
from clawgit.agents.mining import refusing as why
from clawgit.agents.mining.signs import tongue
from clawgit.agents.mining.wishes import wish
from clawgit.language.detect import language
from clawgit.language.own_words import own_words
from clawgit.language.sentences import Sentence, sentences
from clawgit.safety import injection, secrets

_LONGEST, _PAGE, _QUOTED = 240, 1500, 40
_SHORT = 60
_UNLIKE = re.compile(r"\b(?:too|not|n't|again|nicht|zu|pas|trop|demasiad\w*)\b|n't\b|太|别|不|すぎ|ない|너무|않")
_MANNER = re.compile(
    r"\b(?:answer|reply|respond|speak|talk|write to me|write me|say|call me|address|greet|explain|sign off|start|begin"
    r"|end|quote|cite|antwort\w*|sprich|rede|sag|nenn|schreib mir|respond\w*|habla|llámame|répond\w*|parle|appelle)\b"
    r"|回答|称呼|叫我|说话|答え|返事|呼ん|話し|대답|답|불러|말해"
)
_MANNERLY = re.compile(
    r"\b(?:answer|reply|respond|speak|talk|explain|write|start|begin|end|sign off|greet|address|call|tell|treat)\b"
    r"(?: \w+){0,2} (?:me|us)\b"
    r"|\b(?:answer|reply|respond|speak|talk|explain)\b (?:\w+ )?(?:in|with|like|as|without|using)\b"
)
_SIGNS = Sieve((frames.STANDING.pattern, proving.CONFIRMS.pattern))
_STANDING, _CONFIRMS = 0, 1
_BARRED = frozenset({"order", "permission", "not meant", "quoted", "machine text"})
"""Reasons for which a message is not heard any further."""
_DUTY = re.compile(r"\b(?:must|should|has to|have to|needs? to)\b", re.IGNORECASE)


class Remarks(Struct, frozen=True):
    """What a message tells, and for every other sentence about conduct the reason why it does not.

    `aside` is what it remarks on the answer before it, where its sentences tell nothing by themselves.
    """

    signals: tuple[Signal, ...]
    refused: tuple[str, ...]
    aside: Aside | None = None


def hear(heard: Heard) -> Remarks:
    """Return what a message of the operator says of conduct, and of how to work (spec P2).

    Quotes, code, what others wrote, tasks, questions and fiction give nothing.
    """
    named = _named(heard)
    if any(one.strong for one in named.signals) or not _BARRED.isdisjoint(named.refused):
        return named
    found = aside(heard)
    misread = found is not None and found.form == "welcome" and all(one.kind == "wish" for one in named.signals)
    ruled = found is not None and found.sure and found.form != "blame"
    if named.signals and not (ruled or misread):
        return named
    return Remarks((), named.refused, found)


def _named(heard: Heard) -> Remarks:
    """Return what the sentences of a message say of the sides of conduct that have a name, and of work."""
    text = heard.text
    if not _may_tell(text):
        return Remarks((), ())
    if heard.origin != "operator" or len(text) > _PAGE or secrets.scan(text) or _written(text):
        return Remarks((), ())
    own = own_words(text)
    if why.material(own):
        return Remarks((), ())
    own = machine.without(own, machine.lines(own))
    led = frames.REPORTED.search(own)
    if led:
        own = own[: led.start()]
    every = list(sentences(own))
    once_more = any(_repeats(one, text) for one in every)
    signals, refused = list[Signal](), list[str]()
    for one in every:
        found = _sentence(heard, text, one, once_more=once_more)
        if isinstance(found, Signal):
            signals += (found, *_further(found))
        elif found:
            refused.append(found)
    return Remarks(tuple(signals), tuple(refused))


def _written(text: str) -> bool:
    """Tell whether a message holds what is, or is to be, written to somebody."""
    return bool(frames.LETTER.search(text) or frames.DICTATED.search(text))


def _may_tell(text: str) -> bool:
    """Tell at once whether a message may say anything of conduct, or of how to work."""
    signs = _SIGNS.may(text.replace("\u2019", "'"))
    return _STANDING in signs or _CONFIRMS in signs or may_speak(text)


def _repeats(one: Sentence, text: str) -> bool:
    """Tell whether a short sentence says of its neighbour that it was not the first time."""
    said = text[one.start : one.end]
    brief = len(said) <= _SHORT and not aims(said)
    return brief and any(sign.search(said) for sign in (frames.AGAIN, frames.STANDING, frames.LASTS))


def _sentence(heard: Heard, text: str, one: Sentence, *, once_more: bool) -> Signal | str:
    """Return what a sentence tells, the reason why not, or "" where it has nothing to do with conduct."""
    said = text[one.start : one.end].replace("\u2019", "'")
    bare = frames.LEAD.sub("", one.own.replace("\0", "")).strip()
    found = aims(said)
    if not (found or frames.STANDING.search(said) or proving.confirmed(said)):
        return ""
    if reason := _unfit(one, said, bare):
        return reason
    if not found and (thing := proving.confirmed(said)) and proving.reported(heard.before, said):
        return _signal("capability", heard, thing, None, _quote(text, one), strong=False)
    kind, strong = _kind(heard, said, bare, found, once_more=once_more)
    if kind is None:
        return "in passing" if found else ""
    aim = found[0] if found and kind != "operation" else None
    if Aim("ask", -1) in found:
        return "permission"
    words_ = said if kind != "operation" else tidied(said)
    return _signal(kind, heard, words_, aim, _quote(text, one), strong=strong)


def _unfit(one: Sentence, said: str, bare: str) -> str:
    """Return why a sentence is refused whatever it wants, "" for one that is not."""
    lower = one.own.lower()
    reasons: tuple[tuple[str, Callable[[], object]], ...] = (
        ("too long", lambda: len(said) > _LONGEST),
        ("quoted", lambda: one.own.count("\0") > _QUOTED or not bare),
        ("machine text", lambda: machine.machine(one.own)),
        ("question", lambda: _asks(said, bare)),
        ("not meant", lambda: frames.DOUBTS.search(bare) or tongue(one.own).role.search(lower)),
        ("for this time only", lambda: frames.LOCAL.search(said)),
        ("about somebody else", lambda: _of_others(bare)),
        ("order", lambda: frames.PERILS.search(bare) or injection.scan(f"- {tidied(said)}")),
    )
    return next((reason for reason, holds in reasons if holds()), "")


def _asks(said: str, bare: str) -> bool:
    if not frames.ASKS.search(said) or frames.ASKED_FOR.search(bare):
        return False
    return not (frames.TAG.search(said) and frames.BIDS.search(bare))


def _of_others(bare: str) -> bool:
    other, us = frames.OTHERS.search(bare), frames.ADDRESSED.search(bare)
    if other is None or frames.BIDS.search(bare):
        return False
    return us is None or us.start() >= other.start()


def _of_acts(found: tuple[Aim, ...]) -> bool:
    """Tell whether a sentence is of what the agent does, so that it names what it does it with."""
    return bool(found) and found[0].aspect in ("ask", "echo", "summing")


def _kind(heard: Heard, said: str, bare: str, found: tuple[Aim, ...], *, once_more: bool) -> tuple[Kind | None, bool]:
    standing = bool(frames.STANDING.search(said))
    bids = bool(frames.BIDS.search(frames.POLITE.sub("", bare)))
    addressed = bool(frames.ADDRESSED.search(bare))
    made = frames.ARTEFACT.search(said) and not frames.OURS.search(said) and not _of_acts(found)
    if frames.WORKS.search(said) or made:
        duty = bool(frames.WORKS.search(said) and _DUTY.search(bare))
        works = bool(frames.FOREVER.search(said)) and (bids or duty)
        return ("operation", True) if works else (None, False)
    if found:
        if frames.PRAISES.search(said) and not _UNLIKE.search(said):
            praised = addressed and found[0].sign != 0
            return ("praise", once_more or bool(frames.LASTS.search(said))) if praised else (None, False)
        remark = bool(frames.BARE.search(bare)) and bool(heard.before) and len(bare) <= _SHORT
        again = once_more or bool(frames.AGAIN.search(said))
        if (addressed or remark) and not bids and turned(said) and (frames.BLAMES.search(said) or again):
            return "complaint", again or standing
        corrects = found[0].aspect != "apology" and turned(said) and contradicts(found[0], heard.before)
        return ("wish", standing or again or corrects) if bids or (standing and addressed) else (None, False)
    lower = bare.casefold()
    if standing and bids and ((wish(said.lower()) and _MANNER.search(lower)) or _MANNERLY.search(lower)):
        return "wish", True
    return None, False


def _further(signal: Signal) -> Iterator[Signal]:
    """Yield what else a sentence wants: `be brief, and no emojis`; one that says more keeps its words as a whole."""
    if signal.aim is None or signal.kind not in ("wish", "complaint") or specific(signal.words):
        return
    for aim, against in read(signal.words)[1:]:
        if aim.sign and (against or signal.kind == "wish"):
            yield replace(signal, aim=aim)


def _quote(text: str, one: Sentence) -> str:
    return wording.quote(text, one.start, one.end)


def _signal(kind: Kind, heard: Heard, said: str, aim: Aim | None, quote: str, *, strong: bool) -> Signal | str:
    pointer = heard.pointer(quote)
    if pointer is None or heard.time is None:
        return "cannot be cited"
    words_ = " ".join(said.split())
    return Signal(kind, words_, aim, strong, pointer, heard.mention, heard.time, heard.session, language(said, SPOKEN))
