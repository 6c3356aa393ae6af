"""What an existing workspace hides."""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct, field

from clawgit.git import repository_health
from clawgit.git.git_command import without_fetching
from clawgit.git.repository import Oid, Repository
from clawgit.workspace import file_roles
from clawgit.workspace.openclaw_limits import Limits
from clawgit.workspace.report import lost_lines, report_files, report_history, report_parts
from clawgit.workspace.report.lost_lines import Loss, Losses
from clawgit.workspace.report.report_files import Files, Oddity
from clawgit.workspace.report.report_history import Checkpoint, Progress, Reach
from clawgit.workspace.report.report_parts import Dumps, Failure, Parts, Repeats, Sides, Unseen
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
    index = parts.look("the index", {}, repository_health.index, repo) if repo else {}
    files = parts.look("files", Files(), report_files.read, root, index)
    past = _past(repo, files, parts, checkpoint, progress) if repo else _Past()
    raw = parts.look("raw conversations", Dumps(), report_parts.dumps, files.texts, files.memory)
    odd = [one for one in files.odd if one.kind != "elsewhere"]
    if repo:
        odd += parts.look("submodules", [], report_parts.submodules, repo, index)
        odd += parts.look("ignored files", [], report_parts.hidden, repo, files.texts)
        odd += parts.look("attributes", [], report_parts.converted, repo, files.texts)
    return Report(
        str(root),
        _sizes(files),
        parts.look("identity", (), past.versions.files, repo, files.texts, whole=not past.reach or past.reach.whole),
        parts.look("sizes", (), report_parts.unseen, files.texts, limits),
        past.journals,
        past.notes,
        parts.look("secrets", Secrets(), past.leaks.secrets, files.hits, root),
        parts.look("repeated lines", Repeats(), report_parts.repeats, files, frozenset(raw.paths)),
        raw,
        tuple(odd),
        parts.look("branches", Sides(), report_parts.sides, repo) if repo else Sides(),
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
        lost = lost_lines.losses(losses.repo, mine, files.texts)
        return tuple(sorted(lost, key=lambda loss: (loss.dump, -loss.lines)))

    past.journals = listed(lambda path: not lost_lines.curated(path))
    past.notes = listed(lost_lines.curated)


def _sizes(files: Files) -> Sizes:
    journals = sum(file_roles.journal_day(path) is not None for path in files.texts)
    memories = sum(bool(said) for rows in files.said.values() for said in rows)
    return Sizes(len(files.texts), journals, memories, sum(one.kind == "elsewhere" for one in files.odd))
