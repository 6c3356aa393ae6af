"""A message that may correct something."""

from msgspec import Struct

from clawgit.agents.heard import Heard
from clawgit.agents.validating.outcome import Turn
from clawgit.messages.pattern import VALIDATOR
from clawgit.messages.triage import Triage
from clawgit.text.identity import named, normalise
from clawgit.workspace import message
from clawgit.workspace.cursors import Cursor

_QUOTE = 160


class Step(Struct, frozen=True):
    """How far is read with a message, and over how many: the flag that it answers, or the conversations."""

    flag: str = ""
    reached: tuple[tuple[Cursor, int], ...] = ()
    read: int = 1


class Told(Struct, frozen=True):
    """A message that may correct something, with what triage says of it and the turns before it."""

    heard: Heard
    found: Triage
    before: tuple[Turn, ...] = ()
    step: Step = Step()

    @property
    def name(self) -> str:
        """The id of the candidate that it may be."""
        return named("\0".join(("candidate", str(self.heard.day), normalise(self.heard.text))))

    @property
    def trigger(self) -> tuple[str, str]:
        """The words that called the validator, and how sure they are."""
        matches = [one for one in self.found.matches if one.route == VALIDATOR]
        best = next((one for one in matches if one.trigger_confidence == "high"), matches[0] if matches else None)
        return (best.text, best.trigger_confidence or "medium") if best else ("", "medium")


def quote(text: str) -> str:
    """Return the words of a message as evidence quotes them."""
    return message.one_line(text)[:_QUOTE]
