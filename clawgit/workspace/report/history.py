"""One pass over all history."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from clawgit.git import churn, health, history, repository
from clawgit.git.churn import Gap, Touch
from clawgit.git.repository import Oid, Repository
from clawgit.workspace.report import checkpoint as checkpoints
from clawgit.workspace.report.checkpoint import Checkpoint
from clawgit.workspace.report.parts import Parts

See = Callable[[Touch], None]
Progress = Callable[[int, int], None]
"""Is told how many are done, of how many."""

MERGED = 2
"""So many parents make a merge."""


class Reach(Struct, frozen=True):
    """How much of the history was read: `read` of `commits`, newest first, back to `since` (ISO 8601).

    `gaps` are commits of which not all is here. `shallow` tells that the clone knows nothing older.
    """

    commits: int = 0
    read: int = 0
    since: str | None = None
    gaps: tuple[Oid, ...] = ()
    shallow: bool = False
    note: str = ""

    @property
    def whole(self) -> bool:
        """Whether nothing was left out."""
        return self.read == self.commits and not (self.gaps or self.shallow or self.note)


def reached(repo: Repository) -> frozenset[Oid]:
    """Return the commits that HEAD reaches; none before the first."""
    return frozenset(churn.reachable(repo, "HEAD")) if repository.head(repo) else frozenset()


def read(repo: Repository, parts: Parts, told: Mapping[str, See], checkpoint: Checkpoint, progress: Progress) -> Reach:
    """Tell each part in `told` of every commit of every branch, newest first.

    However long that takes: `checkpoint` keeps what was read, so that a reading that is interrupted goes on there.
    """
    commits = churn.reachable(repo, "--all")
    if health.promisors(repo):
        return Reach(len(commits), note="the clone is partial: old contents would have to be fetched one by one")
    shallow = bool(history.cut_off(repo))
    listening = dict(told)
    gaps: list[Oid] = []
    count, since = 0, None
    try:
        for at, touch in checkpoints.read(repo, commits, checkpoint, "*.md"):
            progress(at, len(commits))
            if isinstance(touch, Gap):
                gaps.append(touch.commit)
                continue
            count, since = at, touch.date
            _tell(listening, touch, parts)
    except Exception as exc:  # noqa: BLE001 - what was read so far is worth having
        return Reach(len(commits), count, since, tuple(gaps), shallow, parts.why(exc))
    except BaseException:
        checkpoint.save()
        raise
    checkpoint.finish()
    progress(len(commits), len(commits))
    return Reach(len(commits), len(commits), since, tuple(gaps), shallow)


def _tell(listening: dict[str, See], touch: Touch, parts: Parts) -> None:
    """Tell everybody; who fails is not told again."""
    for name, see in list(listening.items()):
        try:
            see(touch)
        except Exception as exc:  # noqa: BLE001 - the others want to hear the rest
            parts.failed(name, exc)
            del listening[name]
