"""What must not go out to other machines."""

from collections.abc import Callable, Iterator

from clawgit.errors import Advice, ClawgitError, purge_revived, secret_outgoing
from clawgit.git.churn import Gap
from clawgit.git.repository import Repository
from clawgit.workspace import outgoing_secrets

Gate = Callable[[str, str], Iterator[ClawgitError]]
"""Yields what stands against giving commits away: asked with the name of the place, and what git tells a hook."""


def gate(repo: Repository, unread: Callable[[Gap], None] = lambda _: None) -> Gate:
    """Return the gate of a repository for sync and the pre-push hook: no secret goes out, and nothing purged.

    `unread` is called with each commit of which not all is here.
    """

    def against(place: str, lines: str) -> Iterator[ClawgitError]:
        verb, allow = ("comes in", "server allow REPO.git") if repo.bare else ("goes out", "hooks allow")
        if revived := outgoing_secrets.revived(repo, place, lines):
            yield purge_revived(
                f"nothing {verb}: it would bring back what was purged: {revived[0][:10]}",
                fix=Advice("clawgit init DIR --from URL   # a fresh copy, without the old history"),
            )
        for leak in outgoing_secrets.leaks(repo, place, lines):
            if isinstance(leak, Gap):
                unread(leak)
            else:
                fix = Advice(f"{leak.fix}; if it is none: clawgit {allow} {leak.fingerprint}")
                yield secret_outgoing(f"nothing {verb}: {leak.words}", fix=fix)

    return against


def check_received(repo: Repository, lines: str) -> Iterator[ClawgitError]:
    """Yield what stands against a push to a server; `lines` is what git tells a pre-receive hook.

    The objects are in quarantine, and no reference has moved.
    """
    rows = (line.split(" ", 2) for line in lines.splitlines())
    yield from gate(repo)("", "".join(f"{name} {new} {name} {old}\n" for old, new, name in rows))
