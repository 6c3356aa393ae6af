"""Corrections that an agent suggests, for the operator to decide."""

from clawgit.agents import correction_candidates
from clawgit.agents.correction_candidates import Waiting
from clawgit.agents.messages_to_read import Heard, Told
from clawgit.agents.validating.contradicting_words import Candidate, Correction, Stored
from clawgit.agents.validating.resolve import stated
from clawgit.errors import UsageError
from clawgit.messages.pattern_cache import known
from clawgit.messages.triage import triage
from clawgit.workspace import write_guard
from clawgit.workspace.memory import find, memories
from clawgit.workspace.workspace import Workspace

REASON = "an agent says so; only the operator corrects"
_OPEN = "it does not say what is wrong"


def suggest(workspace: Workspace, text: str, about: str = "") -> Waiting:
    """File what an agent takes for a correction as a candidate, and return it as it stands; no memory changes.

    `about` is the id of the memory that is wrong, or its beginning. What was suggested before that day keeps what the
    operator decided of it. Raises ClawgitError for words that may not be kept, or an id that no memory has.
    """
    if not text.strip():
        raise UsageError("there is nothing that is true", fix='say both sides: "not Monday, Tuesday"')
    write_guard.check_words(text, "the correction")
    workspace.require_managed()
    one = _waiting(workspace, text.strip(), about)
    correction_candidates.file(workspace.state, [one])
    return correction_candidates.known_candidates(workspace.state).get(one.id, one)


def _waiting(workspace: Workspace, text: str, about: str) -> Waiting:
    now = workspace.now()
    told = Told(Heard(text, "agent", now.timestamp()), triage(text, known(workspace.root, None).patterns))
    stored = [Stored(one.id, one.text) for one in memories(workspace)]
    meant = find(workspace, about) if about else None
    outcome = stated(text, told.found, stored, Stored(meant.id, meant.text) if meant else None)
    trigger, sure = told.trigger
    said, true, choices = _sides(outcome)
    missing = "" if true else f"; {outcome.reason if isinstance(outcome, Candidate) else _OPEN}"
    if meant and not choices:
        choices = (meant.id,)
    at = now.isoformat(timespec="seconds")
    return Waiting(told.name, at, text, f"{REASON}{missing}", said, true, choices, "", trigger, sure)


def _sides(outcome: Correction | Candidate | None) -> tuple[str, str, tuple[str, ...]]:
    """Return what is known of both sides, and the memories that could be meant."""
    if isinstance(outcome, Correction):
        whole = outcome.entry is not None and outcome.said == outcome.entry.text
        return "" if whole else outcome.said, outcome.true, (outcome.entry.id,) if outcome.entry else ()
    if isinstance(outcome, Candidate):
        return outcome.said, outcome.true, tuple(one.id for one in outcome.choices)
    return "", "", ()
