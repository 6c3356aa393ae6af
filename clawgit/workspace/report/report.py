"""What an existing workspace hides."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec import Struct, field

from clawgit.git.git_command import without_fetching
from clawgit.git.repository import Oid, Repository
from clawgit.workspace import file_roles
from clawgit.workspace.openclaw_limits import Limits
from clawgit.workspace.report import lost_lines as report_losses
from clawgit.workspace.report import report_files, report_history
from clawgit.workspace.report import report_parts as report_repository
from clawgit.workspace.report.lost_lines import Loss, Losses
from clawgit.workspace.report.report_files import Files, Oddity
from clawgit.workspace.report.report_history import Checkpoint, Progress, Reach
from clawgit.workspace.report.report_parts import (
    Dumps,
    Failure,
    Parts,
    Repeats,
    Sides,
    Tracked,
    Unseen,
    dumps,
    repeats,
    unseen,
)
from clawgit.workspace.report.report_secrets import IdentityFile, Leaks, Secrets, Versions


class Sizes(Struct, frozen=True):
    """How much there is: files of ours, journals among them, lines that say something, Markdown left alone."""

    files: int = 0
    journals: int = 0
    memories: int = 0
    elsewhere: int = 0


class Report(Struct, frozen=True):
    """All that was found, each part on its own; `history` is None where there is none.

    `journals` are losses from journals, `notes` those from MEMORY.md and other notes, the largest first. `odd` are
    files and names that stand in the way, are left alone, or are only worth knowing. `failures` could not be seen.
    """

    workspace: str
    sizes: Sizes = field(default_factory=Sizes)
    identity: tuple[IdentityFile, ...] = ()
    caps: tuple[Unseen, ...] = ()
    journals: tuple[Loss, ...] = ()
    notes: tuple[Loss, ...] = ()
    secrets: Secrets = field(default_factory=Secrets)
    repeats: Repeats = field(default_factory=Repeats)
    dumps: Dumps = field(default_factory=Dumps)
    odd: tuple[Oddity, ...] = ()
    sides: Sides = field(default_factory=Sides)
    history: Reach | None = None
    failures: tuple[Failure, ...] = ()

    @property
    def unknown(self) -> tuple[str, ...]:
        """The parts of which nothing can be ruled out, for not all was looked at; what they do show stands."""
        failed = {one.part for one in self.failures}
        past = failed & {"history"} or (self.history is not None and not self.history.whole)
        blind = {
            "secrets in files": failed & {"files", "secrets"},
            "secrets in history": past or failed & {"files", "secrets", "secrets in history"},
            "lost journal lines": past or failed & {"files", "lost lines"},
            "lost notes": past or failed & {"files", "lost lines"},
            "identity": past or failed & {"files", "identity"},
        }
        return tuple(part for part, why in blind.items() if why)


def _silent(_done: int, _of: int) -> None:
    """Tell nobody."""


def report(
    root: Path,
    repo: Repository | None,
    *,
    limits: Limits | None = None,
    notes: Path | None = None,
    progress: Progress = _silent,
) -> Report:
    """Look at all of a workspace, however long that takes, and touch nothing in it.

    `repo` is None for a folder that is not under git; `limits` are OpenClaw's caps, where they are not the usual ones.
    In the folder `notes` is kept what was read of history, until all of it is; `progress` hears how far that is.
    Whatever is broken is a failure of its part, never an error.
    """
    with without_fetching():
        return _report(root, repo, limits, Checkpoint(notes), progress)


def _report(
    root: Path, repo: Repository | None, limits: Limits | None, checkpoint: Checkpoint, progress: Progress
) -> Report:
    parts = Parts()
    known = parts.look("the index", Tracked(), report_repository.tracked, repo) if repo else Tracked()
    files = parts.look("files", Files(), report_files.read, root, known.paths)
    past = _past(repo, files, parts, checkpoint, progress) if repo else _Past()
    raw = parts.look("raw conversations", Dumps(), dumps, files.texts, files.memory)
    odd = (*files.ours, *_odd(repo, known, files, parts)) if repo else files.ours
    return Report(
        str(root),
        _sizes(files),
        parts.look("identity", (), past.versions.files, repo, files.texts, whole=not past.reach or past.reach.whole),
        parts.look("sizes", (), unseen, files.texts, limits),
        past.journals,
        past.notes,
        parts.look("secrets", Secrets(), past.leaks.secrets, files.hits, root),
        parts.look("repeated lines", Repeats(), repeats, files, frozenset(raw.paths)),
        raw,
        odd,
        parts.look("branches", Sides(), report_repository.sides, repo) if repo else Sides(),
        past.reach,
        tuple(parts.failures),
    )


class _Past(Struct):
    """What history told."""

    versions: Versions = field(default_factory=lambda: Versions(()))
    leaks: Leaks = field(default_factory=Leaks)
    journals: tuple[Loss, ...] = ()
    notes: tuple[Loss, ...] = ()
    reach: Reach | None = None


def _past(repo: Repository, files: Files, parts: Parts, checkpoint: Checkpoint, progress: Progress) -> _Past:
    head = parts.look("history", frozenset[Oid](), report_history.reached, repo)
    standing = {said for row in files.said.values() for said in row} - {""}
    losses = Losses(repo, head, standing)
    past = _Past(Versions(head))
    told = {"identity": past.versions.see, "secrets in history": past.leaks.see, "lost lines": losses.see}
    past.reach = parts.look("history", None, report_history.read, repo, parts, told, checkpoint, progress)
    if files.odd or files.texts:  # else nothing could be read, and all would seem lost
        parts.look("lost lines", None, _lose, past, losses, files)
    return past


def _lose(past: _Past, losses: Losses, files: Files) -> None:
    """Fill in what was lost, the largest losses first, and raw conversations last."""
    taken = [one for one in losses.taken() if files.readable(one.path)]

    def listed(wanted: Callable[[str], bool]) -> tuple[Loss, ...]:
        mine = (one for one in taken if wanted(one.path))
        lost = report_losses.losses(losses.repo, mine, files.texts)
        return tuple(sorted(lost, key=lambda loss: (loss.dump, -loss.lines)))

    past.journals = listed(lambda path: not report_losses.curated(path))
    past.notes = listed(report_losses.curated)


def _odd(repo: Repository, known: Tracked, files: Files, parts: Parts) -> Iterator[Oddity]:
    looks: Iterable[tuple[str, Callable[[], Iterable[Oddity]]]] = (
        ("submodules", lambda: tuple(report_repository.submodules(repo, known.links))),
        ("ignored files", lambda: tuple(report_repository.hidden(repo, files.texts))),
        ("attributes", lambda: tuple(report_repository.converted(repo, files.texts))),
    )
    for part, look in looks:
        yield from parts.look(part, (), look)


def _sizes(files: Files) -> Sizes:
    journals = sum(file_roles.journal_day(path) is not None for path in files.texts)
    memories = sum(bool(said) for rows in files.said.values() for said in rows)
    return Sizes(len(files.texts), journals, memories, sum(one.kind == "elsewhere" for one in files.odd))
