"""What an existing workspace hides."""

from pathlib import Path

from msgspec import Struct, field

from clawgit.git import repository_health
from clawgit.git.git_command import without_fetching
from clawgit.git.repository import Oid, Repository
from clawgit.workspace import file_roles
from clawgit.workspace.openclaw_limits import Limits
from clawgit.workspace.report import lost_lines, report_files, report_history, report_parts
from clawgit.workspace.report.lost_lines import Loss, Losses, Taken
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
        failed = {failure.part for failure in self.failures}
        past = failed & {"history"} or (self.history is not None and not self.history.whole)
        blind = {
            "secrets in files": failed & {"files", "secrets"},
            "secrets in history": past or failed & {"files", "secrets", "secrets in history"},
            "lost journal lines": past or failed & {"files", "lost lines"},
            "lost notes": past or failed & {"files", "lost lines"},
            "identity": past or failed & {"files", "identity"},
        }
        return tuple(part for part, why in blind.items() if why)


def report(
    root: Path,
    repo: Repository | None,
    *,
    limits: Limits | None = None,
    notes: Path | None = None,
    progress: Progress = lambda _done, _of: None,
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
    odd = [one for one in files.odd if one.kind != "elsewhere"]
    head: frozenset[Oid] = parts.look("history", frozenset(), report_history.reached, repo) if repo else frozenset()
    versions, leaks, reach, sides = Versions(head), Leaks(), None, Sides()
    journals: tuple[Loss, ...] = ()
    notes: tuple[Loss, ...] = ()
    if repo:
        losses = Losses(repo, head, {said for row in files.said.values() for said in row} - {""})
        told = {"identity": versions.see, "secrets in history": leaks.see, "lost lines": losses.see}
        reach = parts.look("history", None, report_history.read, repo, parts, told, checkpoint, progress)
        if files.odd or files.texts:  # else nothing could be read, and all would seem lost
            journals, notes = parts.look("lost lines", ((), ()), _lost, losses, files)
        odd += parts.look("submodules", [], report_parts.submodules, repo, index)
        odd += parts.look("ignored files", [], report_parts.hidden, repo, files.texts)
        odd += parts.look("attributes", [], report_parts.converted, repo, files.texts)
        sides = parts.look("branches", sides, report_parts.sides, repo)
    raw = parts.look("raw conversations", Dumps(), report_parts.dumps, files.texts, files.memory)
    return Report(
        str(root),
        _sizes(files),
        parts.look("identity", (), versions.files, repo, files.texts, whole=not reach or reach.whole),
        parts.look("sizes", (), report_parts.unseen, files.texts, limits),
        journals,
        notes,
        parts.look("secrets", Secrets(), leaks.secrets, files.hits, root),
        parts.look("repeated lines", Repeats(), report_parts.repeats, files, frozenset(raw.paths)),
        raw,
        tuple(odd),
        sides,
        reach,
        tuple(parts.failures),
    )


def _lost(losses: Losses, files: Files) -> tuple[tuple[Loss, ...], tuple[Loss, ...]]:
    """Return what journals and notes lost, the largest losses first, and raw conversations last."""
    ours: dict[bool, list[Taken]] = {True: [], False: []}
    for one in losses.taken():
        if files.readable(one.path):
            ours[file_roles.journal_day(one.path) is not None].append(one)
    listed = (lost_lines.losses(losses.repo, taken, files.texts) for taken in ours.values())
    journals, notes = (tuple(sorted(lost, key=lambda loss: (loss.dump, -loss.lines))) for lost in listed)
    return journals, notes


def _sizes(files: Files) -> Sizes:
    journals = sum(file_roles.journal_day(path) is not None for path in files.texts)
    memories = sum(bool(said) for rows in files.said.values() for said in rows)
    return Sizes(len(files.texts), journals, memories, sum(one.kind == "elsewhere" for one in files.odd))
