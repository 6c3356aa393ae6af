"""Counts captures with a known origin."""

from msgspec import Struct

from clawgit.git import history
from clawgit.git.history import Commit
from clawgit.store.calls import KnownCalls
from clawgit.workspace import commit_message
from clawgit.workspace.line_writers import SLACK_SECONDS, LineWriters
from clawgit.workspace.workspace_base import WorkspaceBase

_MAX_COMMITS = 100


class KnownOrigins(Struct, frozen=True):
    """The number of the last captures that name their calls, or match calls of a transcript.

    `unreported` are tools with calls in transcripts that the plugin did not report.
    """

    total: int = 0
    reported: int = 0
    matched: int = 0
    unreported: tuple[str, ...] = ()


def count_origins(workspace: WorkspaceBase) -> KnownOrigins:
    """Return how much is known of the last captures of memory and identity files."""
    calls, writers = KnownCalls(workspace.store), LineWriters(workspace)
    last = calls.list_last(2 * _MAX_COMMITS)
    if not last or not workspace.managed:
        return KnownOrigins()

    def is_matched(commit: Commit) -> bool:
        until = commit.date.timestamp()
        since = writers.find_look(commit.id, until)
        return any(calls.list_writes(path, since, until + SLACK_SECONDS) for path in commit.paths)

    captures = list(history.walk_log(workspace.repo, containing="Clawgit-Agent: capture", limit=_MAX_COMMITS))
    others = [commit for commit in captures if not commit_message.parse_message(commit.message).get("Tool-Call")]
    first_seen = min((call.time for call in last if call.is_seen), default=9e18)
    # Before its first report the plugin was not there, and missed nothing.
    missed = {call.tool for call in last if not call.is_seen and call.time > first_seen}
    reported_count, match_count = len(captures) - len(others), sum(map(is_matched, others))
    return KnownOrigins(len(captures), reported_count, match_count, tuple(sorted(missed)))
