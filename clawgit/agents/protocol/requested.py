"""What the operator asked for, in his own sentence."""

from collections.abc import Sequence

from clawgit.agents.mining.extract import extract
from clawgit.agents.protocol.batch import Turn
from clawgit.agents.protocol.operations import Operation
from clawgit.language import sentences
from clawgit.language.own_words import own_words
from clawgit.triage.pattern import MINER, Pattern
from clawgit.triage.triage import triage
from clawgit.workspace.message import one_line

_LONGEST = 240
_LEAST = 4  # letters beyond the words that ask


def operation(turn: Turn, patterns: Sequence[Pattern]) -> Operation | None:
    """Return the line that a request comes to by itself: the sentence that asks; None where nothing was asked for.

    A sentence that ends with the request takes the next one with it.
    """
    matches = [one for one in triage(turn.text, patterns).matches if one.route == MINER]
    if not matches:
        return _said_outright(turn)
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
    return Operation("add", (turn.n,), text, "knowledge")


def _said_outright(turn: Turn) -> Operation | None:
    """Return the line of a request in words that triage does not know."""
    found = extract(turn.text, None).findings
    if not found:
        return None
    return Operation("add", (turn.n,), found[0].text, "decision" if found[0].kind == "decision" else "knowledge")
