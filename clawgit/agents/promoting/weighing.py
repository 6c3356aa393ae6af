"""How sure it is that a line should stay."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from clawgit.agents.promoting import spoken
from clawgit.agents.promoting.triggers import KINDS, LOOKALIKES, STRONG, WEAK, Category, pattern

OFTEN = 3
"""Shown in so many sessions, a line is flagged whatever it says."""
_FIRST, _MORE = 0.5, 0.1
_SEVERAL, _HEADED, _PARTICULAR, _TAGGED, _MARKED = 0.1, 0.15, 0.1, 0.2, 0.2
_ROUTINE, _DOUBTED, _ASKED, _OPEN, _BRIEF, _LONG = -0.3, -0.3, -0.4, -0.2, -0.15, -0.1
_SHORTEST, _LONGEST = 12, 600
_WORDS = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SPECIFIC = re.compile(r"\d|(?<=[^.!?:\-*\s] )[A-Z][\w-]{2,}|\b[A-Z]{2,}\b|: \S")
_EIGHT = 8


@dataclass(frozen=True, slots=True)
class Weight:
    """A confidence from 0 to 1, the category it is highest for, and the parts that make it up, in order."""

    confidence: float
    category: Category | None = None
    parts: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """A line with what stands around it: titles above it, its tag, whether a task is open, sessions it was shown in."""

    text: str
    section: tuple[str, ...] = ()
    tag: str | None = None
    checked: bool | None = None
    sessions: int = 0


def weigh(said: Said) -> Weight:
    """Return how sure it is; a line without a trigger has no category, and counts only if it is shown often."""
    own = LOOKALIKES.sub(lambda match: "\0" * len(match[0]), spoken.told(said.text))
    called = {category: found for category in KINDS if (found := _called(own, category))}
    category = max(called, key=lambda one: called[one][1], default=None)
    parts = [*_calls(called, category), *_about(said, own, category), *_often(said.sessions)]
    if category is None and said.sessions < OFTEN:
        return Weight(0.0)
    total = sum(value for _, value in parts)
    return Weight(round(min(max(total, 0.0), 1.0), 2), category, tuple(parts))


def _called(own: str, category: Category) -> tuple[str, float] | None:
    """Return the trigger of a category that a line holds, and its weight."""
    for strong, value in ((True, STRONG), (False, WEAK)):
        for match in pattern(category, strong=strong).finditer(own):
            if not (KINDS[category].act and spoken.denied(own, match.start(), match.end())):
                return match[0].strip(), value
    return None


def _calls(called: dict[Category, tuple[str, float]], first: Category | None) -> Iterator[tuple[str, float]]:
    if first is None:
        return
    word, value = called[first]
    yield f"“{word}” ({first})", value
    if first == "explicit":
        yield "asked to be kept", _MARKED
    for category in [one for one in called if one != first][:2]:
        yield f"also “{called[category][0]}” ({category})", _SEVERAL


def _about(said: Said, own: str, category: Category | None) -> Iterator[tuple[str, float]]:
    """Yield what speaks for a line that holds a trigger, and what against it."""
    if category is None:
        return
    title = said.section[-1] if said.section else ""
    if title and _called(title, category):
        yield f"stands under “{title[:40]}”", _HEADED
    if said.tag == "decision":
        yield "tagged #decision", _TAGGED
    if _SPECIFIC.search(own) or _size(said.text) >= _EIGHT:
        yield "names particulars", _PARTICULAR
    yield from _against(said, own, kept=category == "explicit")


def _against(said: Said, own: str, *, kept: bool) -> Iterator[tuple[str, float]]:
    """Yield what speaks against a line; `kept` tells that it was asked to be kept, also if it is a task."""
    signs = (
        ("a question", _ASKED, spoken.asked(said.text)),
        ("not settled", _DOUBTED, spoken.doubted(own)),
        ("an open task", _OPEN, said.checked is False and not kept),
        ("a day's work", _ROUTINE, spoken.routine(own) and not kept),
        ("few words", _BRIEF, len(said.text) < _SHORTEST and not _CJK.search(said.text)),
        ("long", _LONG, len(said.text) > _LONGEST),
    )
    yield from ((what, value) for what, value, true in signs if true)


def _often(sessions: int) -> Iterator[tuple[str, float]]:
    if sessions >= OFTEN:
        yield f"shown in {sessions} sessions", min(_FIRST + _MORE * (sessions - OFTEN), 0.9)


def _size(text: str) -> int:
    return len(_WORDS.findall(text)) + len(_CJK.findall(text)) // 2
