"""How sure it is that a line should stay."""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from clawgit.agents.promoting import lasting, spoken
from clawgit.agents.promoting.triggers import KINDS, LOOKALIKES, STRONG, WEAK, Category, pattern

OFTEN = 3
"""Shown in so many sessions, a line is flagged whatever it says."""
_FIRST, _MORE = 0.5, 0.1
_FIRM, _HINT, _HINTS, _RULE = 0.45, 0.22, 0.28, 0.2
_HOME, _ABOUT = 0.02, 0.04
_LASTS, _ALSO_LASTS, _BOUND = 0.2, 0.1, 0.05
_DAY, _ALSO_DAY, _DAY_OF_LASTING = -0.3, -0.1, -0.15
_SEVERAL, _HEADED, _PARTICULAR, _TAGGED, _MARKED = 0.1, 0.15, 0.1, 0.2, 0.2
_DOUBTED, _ASKED, _OPEN, _BRIEF, _LONG = -0.3, -0.4, -0.2, -0.15, -0.1
_SHORTEST, _LONGEST = 12, 600
_WORDS = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SPECIFIC = re.compile(r"\d|(?<=[^.!?:\-*\s] )[A-Z][\w-]{2,}|\b[A-Z]{2,}\b|: \S")
_EIGHT = 8
_OF_IT = re.compile(
    r"[^.;,:]{0,40}?(?::|\b(?:is|are|has|have|gets?|wants?|needs?|holds?|covers?|pays?|takes?|stays?|becomes?|will)\b)"
)


class Weight(Struct, frozen=True):
    """A confidence from 0 to 1, the category it is highest for, and the parts that make it up, in order."""

    confidence: float
    category: Category | None = None
    parts: tuple[tuple[str, float], ...] = ()


class Said(Struct, frozen=True):
    """A line with what stands around it: titles above it, its tag, whether a task is open, sessions it was shown in."""

    text: str
    section: tuple[str, ...] = ()
    tag: str | None = None
    checked: bool | None = None
    sessions: int = 0


@lru_cache(maxsize=1024)  # what says again and again that all is well
def weigh(said: Said) -> Weight:
    """Return how sure it is; a line that calls no category has none, and counts only if it is shown often."""
    own = LOOKALIKES.sub(lambda match: "\0" * len(match[0]), spoken.told(said.text))
    called = {category: found for category in KINDS if (found := _called(own, category))}
    category = max(called, key=lambda one: called[one][1] + _at_home(own, one), default=None)
    if category and said.sessions >= OFTEN and called[category][1] < _FIRM:
        category = None  # it is asked for again and again, whatever it is about
    parts = [*_calls(called, category), *_about(said, own, category), *_often(said.sessions)]
    if category is None and said.sessions < OFTEN:
        return Weight(0.0)
    total = sum(value for _, value in parts)
    return Weight(round(min(max(total, 0.0), 1.0), 2), category, tuple(parts))


def _called(own: str, category: Category) -> tuple[str, float] | None:
    """Return what calls a category in a line, and its weight: a trigger, words that say it, words at home in it.

    The last are nothing in a line that has no sign of holding on.
    """
    return max(_callers(own, category), key=lambda one: one[1], default=None)


def _callers(own: str, category: Category) -> Iterator[tuple[str, float]]:
    trigger = _trigger(own, category)
    if trigger:
        yield trigger
    if trigger and trigger[1] == STRONG:
        return
    if words := lasting.firm(own, category):
        yield words, _FIRM
    elif hints := _hints(own, category):
        yield "”, “".join(hints[:2]), _HINTS if len(hints) > 1 else _HINT
    if category == "decision" and (rule := lasting.lasting(own).get("from now on")):
        yield rule, _RULE


def _hints(own: str, category: Category) -> list[str]:
    """Return the words at home in a category, none where no other word says that the line holds on."""
    signs = {word.casefold() for word in lasting.lasting(own).values()}
    hints = lasting.hints(own, category) if signs else []
    return hints if signs - set(hints) else []


def _trigger(own: str, category: Category) -> tuple[str, float] | None:
    """Return the trigger of a category that a line holds; a weak one is more where something is said of it."""
    for strong in (True, False):
        for match in pattern(category, strong=strong).finditer(own):
            if not (KINDS[category].act and spoken.denied(own, match.start(), match.end())):
                said = _CJK.match(match[0]) or _OF_IT.match(own, match.end()) or not own[: match.start()].strip()
                return match[0].strip(), STRONG if strong else WEAK if said else _HINTS
    return None


def _at_home(own: str, category: Category) -> float:
    """Return what a category has before others that are called as loudly: each word more that is at home in it.

    A decision, and a wish, is about something, which goes first.
    """
    about = category == "decision" or (category == "explicit" and not _trigger(own, category))
    return _HOME * min(len(lasting.hints(own, category)), 3) - (_ABOUT if about else 0)


def _calls(called: dict[Category, tuple[str, float]], first: Category | None) -> Iterator[tuple[str, float]]:
    if first is None:
        return
    word, value = called[first]
    yield f"“{word}” ({first})", value
    for category in [one for one in called if one != first and called[one][1] > _HINTS][:2]:
        yield f"also “{called[category][0]}” ({category})", _SEVERAL


def _about(said: Said, own: str, category: Category | None) -> Iterator[tuple[str, float]]:
    """Yield what speaks for a line that holds a trigger, and what against it."""
    if category is None:
        return
    title = said.section[-1] if said.section else ""
    if title and (_trigger(title, category) or lasting.firm(title, category)):
        yield f"stands under “{title[:40]}”", _HEADED
    if said.tag == "decision":
        yield "tagged #decision", _TAGGED
    if _SPECIFIC.search(own) or _size(said.text) >= _EIGHT:
        yield "names particulars", _PARTICULAR
    kept = category == "explicit"
    lasts = [f"{name}: “{word}”" for name, word in lasting.lasting(own).items()]
    short = [f"{name}: “{word}”" for name, word in lasting.day(own).items()]
    if kept and not short:
        yield "asked to be kept", _MARKED
    for at, what in enumerate(lasts[:2]):
        yield what, _BOUND if what.startswith("in bounds") else _ALSO_LASTS if at else _LASTS
    for at, what in enumerate(short[:2]):
        yield what, _ALSO_DAY if at else _DAY_OF_LASTING if len(lasts) > 1 else _DAY
    yield from _against(said, own, kept=kept)


def _against(said: Said, own: str, *, kept: bool) -> Iterator[tuple[str, float]]:
    """Yield what speaks against a line; `kept` tells that it was asked to be kept, also if it is a task."""
    signs = (
        ("a question", _ASKED, spoken.asked(said.text)),
        ("not settled", _DOUBTED, spoken.doubted(own)),
        ("an open task", _OPEN, said.checked is False and not kept),
        ("few words", _BRIEF, len(said.text) < _SHORTEST and not _CJK.search(said.text)),
        ("long", _LONG, len(said.text) > _LONGEST),
    )
    yield from ((what, value) for what, value, true in signs if true)


def _often(sessions: int) -> Iterator[tuple[str, float]]:
    if sessions >= OFTEN:
        yield f"shown in {sessions} sessions", min(_FIRST + _MORE * (sessions - OFTEN), 0.9)


def _size(text: str) -> int:
    return len(_WORDS.findall(text)) + len(_CJK.findall(text)) // 2
