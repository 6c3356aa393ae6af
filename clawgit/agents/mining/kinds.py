"""What kind of thing a sentence tells."""

import re

from clawgit.agents.mining.finding import Kind
from clawgit.agents.mining.tongue import Tongue
from clawgit.agents.mining.weights import BIT, HINT
from clawgit.agents.mining.wishes import wish

_WILL = re.compile(r"\b(?:i|we)(?:'ll| will| won't)\b")
_PAST, _CHANGE, _HABIT = (BIT[one] for one in ("past", "change", "habit"))
_NOTE, _LESSON, _DECISION, _PREFERENCE, _DEED = (
    HINT[one] for one in ("note", "lesson", "decision", "preference", "deed")
)


def kind(lower: str, signs: int, known: Tongue, *, exact: bool, timed: bool) -> Kind:
    """Return the kind; `timed` tells whether a time is named, `exact` whether it is a day."""
    said: tuple[tuple[Kind, bool], ...] = (
        ("preference", wish(lower)),
        ("note", bool(signs & _NOTE and known.note.search(lower))),
        ("lesson", bool(signs & _LESSON and known.lesson.search(lower))),
        ("decision", bool((signs & _DECISION and known.decision.search(lower)) or (timed and _WILL.search(lower)))),
    )
    if plain := next((one for one, so in said if so), None):
        return plain
    past = bool(signs & _PAST) or (known.letters > 0 and bool(signs & _CHANGE) and timed)
    if signs & _PREFERENCE and known.preference.search(lower) and not (past and timed):
        return "preference"
    happened = past and (timed or (signs & _DEED and not signs & _HABIT))
    return "event" if happened or exact or (timed and known.happened.search(lower)) else "fact"
