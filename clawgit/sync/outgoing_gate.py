"""What must not go out to other machines."""

from collections.abc import Callable, Iterator

from clawgit.errors import ClawgitError
from clawgit.git.churn import Gap
from clawgit.git.repository import Repository
from clawgit.workspace import outgoing_secrets

Gate = Callable[[str, str], Iterator[ClawgitError]]
"""Yields what stands against giving commits away: asked with the name of the place, and what git tells a hook."""


def gate(repo: Repository) -> Gate:
    """Return the gate of a repository: no secret goes out, and nothing that was purged, as a pre-push hook has it."""

    def against(place: str, lines: str) -> Iterator[ClawgitError]:
        if revived := outgoing_secrets.revived(repo, place, lines):
            yield ClawgitError(
                f"nothing went out: it would bring back what was purged: {revived[0][:10]}",
                fix="clawgit sync clone URL DIR   # a fresh copy, without the old history",
            )
        leaks = [one for one in outgoing_secrets.leaks(repo, place, lines) if not isinstance(one, Gap)]
        if leaks:
            first, many = leaks[0], f" and {len(leaks) - 1} more" if leaks[1:] else ""
            yield ClawgitError(
                f"nothing went out: {first.words}{many}",
                fix=f"{first.fix}; if it is none: clawgit hooks allow {first.fingerprint}",
            )

    return against
