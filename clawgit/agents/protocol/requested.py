"""What the operator asked for, in his own sentence."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from clawgit.agents.heard import Heard, message_of
from clawgit.agents.protocol.batch import Turn
from clawgit.agents.protocol.operations import Operation
from clawgit.language import due_dates, sentences
from clawgit.language.own_words import own_words
from clawgit.triage import inbox
from clawgit.triage.pattern import MINER, Pattern
from clawgit.triage.triage import triage
from clawgit.workspace.message import one_line

_LONGEST = 240
_LEAST = 4  # letters beyond the words that ask


def asks(text: str, patterns: Sequence[Pattern]) -> bool:
    """Tell whether the operator asks in so many words that something be kept."""
    return any(one.route == MINER for one in triage(text, patterns).matches)


def messages(state: Path, patterns: Sequence[Pattern]) -> frozenset[str]:
    """Return the flagged messages in which the operator asked for something to be kept, as mentions name them."""
    some = (one for one in inbox.flags(state) if one.text and asks(one.text, patterns))
    heard = (Heard(one.text, "operator", datetime.fromisoformat(one.at).timestamp()) for one in some)
    return frozenset(message_of(one.mention) for one in heard)


def operation(turn: Turn, patterns: Sequence[Pattern]) -> Operation | None:
    """Return the line that a request comes to by itself: the sentence that asks; None where nothing was asked for.

    A sentence that ends with the request takes the next one with it.
    """
    matches = [one for one in triage(turn.text, patterns).matches if one.route == MINER]
    if not matches:
        return None
    first = matches[0]
    own = list(sentences.sentences(own_words(turn.text)))
    at = next((at for at, one in enumerate(own) if one.start <= first.start < one.end), None)
    if at is None:
        return None
    end = own[at].end
    if len(turn.text[first.end : end].strip(" \t\n.!:,;")) < _LEAST and at + 1 < len(own):
        end = own[at + 1].end
    text = one_line(turn.text[own[at].start : end])
    if len(text) > _LONGEST or len(text) <= len(first.text):
        return None
    said = datetime.fromisoformat(turn.time).date() if turn.time else None
    return Operation("add", (turn.n,), text, "event" if due_dates.days(text, said) else "knowledge")
