"""Resolves a correction that is stated outside a conversation."""

from collections.abc import Sequence

from clawgit.agents.validating import cues
from clawgit.agents.validating.outcome import Candidate, Correction, Stored
from clawgit.agents.validating.replacing import within
from clawgit.agents.validating.resolve import resolve
from clawgit.triage.triage import Triage


def stated(
    text: str, found: Triage, stored: Sequence[Stored], about: Stored | None = None
) -> Correction | Candidate | None:
    """Return what `text` corrects among `stored`; `about` is the memory where it is named.

    Of that memory `text` may tell both sides, or the whole truth, which then takes the place of its words.
    """
    if about is None:
        return resolve(text, found, (), stored)
    if pair := within(text, about):
        return pair
    outcome = resolve(text, found, (), [about])
    if isinstance(outcome, Correction) and outcome.entry:
        return outcome
    if isinstance(outcome, Candidate) and cues.strongly(text):
        return outcome
    return Correction(about.text, text, about, text)
