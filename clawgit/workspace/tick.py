"""Captures, then puts back what nobody approved."""

from dataclasses import dataclass, field

from clawgit.errors import ClawgitError
from clawgit.workspace.capturing import Outcome, Wanted, capture_all
from clawgit.workspace.enforcement import Enforced, enforce
from clawgit.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Tick:
    """What became of it: what was captured, what was put back, and why nothing could be captured, None where it was."""

    outcome: Outcome = field(default_factory=Outcome)
    enforced: Enforced = field(default_factory=Enforced)
    refusal: ClawgitError | None = None


def tick(workspace: Workspace, wanted: Wanted = lambda _: True) -> Tick:
    """Capture what others wrote in the files that are `wanted`, then put back what nobody approved.

    In this order, since a capture keeps an edit as a proposal where it can; but whatever keeps it from capturing does
    not keep unapproved text in the identity.
    """
    outcome, refusal = Outcome(), None
    try:
        outcome = capture_all(workspace, wanted)
    except ClawgitError as exc:
        refusal = exc
    return Tick(outcome, enforce(workspace), refusal)
