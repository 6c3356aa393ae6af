"""Checks of everything that goes to other machines."""

from collections.abc import Callable, Iterator

from clawgit.errors import Advice, ClawgitError, purge_revived, secret_outgoing
from clawgit.git.churn import Gap
from clawgit.git.repository import Repository
from clawgit.workspace import outgoing_secrets, purged_objects


def list_obstacles(
    repo: Repository, place: str, lines: str, note_gap: Callable[[Gap], None] = lambda _: None
) -> Iterator[ClawgitError]:
    """Yield obstacles to giving commits away, for sync and the hooks: no secret goes out, and nothing purged.

    `place` is the name of the remote, `lines` is the input of git's pre-push hook. `note_gap` is called with each
    commit with missing objects.
    """
    verb, allow = ("comes in", "server allow REPO.git") if repo.bare else ("goes out", "hooks allow")
    commits = outgoing_secrets.list_outgoing(repo, place, outgoing_secrets.read_updates(lines))
    if revived := purged_objects.list_reached(repo, commits, purged_objects.read_register(repo)):
        yield purge_revived(
            f"nothing {verb}: it would bring back what was purged: {revived[0][:10]}",
            fix=Advice("clawgit purge --text - < FILE   # once more; or a fresh copy: clawgit init DIR --from URL"),
        )
    for leak in outgoing_secrets.leaks(repo, place, lines):
        if isinstance(leak, Gap):
            note_gap(leak)
        else:
            fix = Advice(f"{leak.fix}; if it is none: clawgit {allow} {leak.fingerprint}")
            yield secret_outgoing(f"nothing {verb}: {leak.words}", fix=fix)


def check_received(repo: Repository, lines: str) -> Iterator[ClawgitError]:
    """Yield obstacles to a push to a server; `lines` is the input of git's pre-receive hook.

    The objects are in quarantine, and no reference has moved.
    """
    rows = (line.split(" ", 2) for line in filter(None, lines.split("\n")))
    yield from list_obstacles(repo, "", "".join(f"{name} {new} {name} {old}\n" for old, new, name in rows))
