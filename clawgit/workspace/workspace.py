"""The workspace, and the one way to write to it."""

import os
import re
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.git import disk, repository
from clawgit.git.repository import Oid, Repository
from clawgit.safety.paths import check
from clawgit.workspace import config, entries, scope
from clawgit.workspace.contents import decoded

if TYPE_CHECKING:  # what only a write needs is loaded when one begins
    from clawgit.git import transaction
    from clawgit.workspace.change import Change
    from clawgit.workspace.planning import Planner
    from clawgit.workspace.risk import Risk

Clock = Callable[[], datetime]
After = Callable[["Applied"], None]

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of a change: `commit` is None when there was nothing to do."""

    commit: Oid | None
    change: str
    files: tuple[str, ...] = ()
    captured: Oid | None = None
    risk: "Risk | None" = None
    notes: tuple[str, ...] = ()


@dataclass
class Workspace(AbstractContextManager["Workspace"]):
    """An open workspace. Leave it as a context manager, or call `close`, when the last change has been made.

    `clock` returns the present moment as an aware datetime.
    """

    repo: Repository
    clock: Clock = field(default=lambda: datetime.now().astimezone())
    _written: set[str] = field(default_factory=set)

    @property
    def root(self) -> Path:
        """The folder itself."""
        return self.repo.root

    @property
    def state(self) -> Path:
        """The folder of what is kept, but not tracked."""
        return self.repo.commondir / "clawgit" / "state"

    @cached_property
    def config(self) -> config.Config:
        """What CONFIG.md says, read once."""
        return config.load(self.root)

    @property
    def managed(self) -> bool:
        """Whether `.clawgit/format` is in HEAD."""
        return repository.blob_id(self.repo, self.head, scope.FORMAT) is not None

    @property
    def head(self) -> Oid | None:
        """The commit at HEAD."""
        return repository.head(self.repo)

    @property
    def branch(self) -> str:
        """The branch that every change goes to: `branch` of CONFIG.md, else main or master, else the one at hand."""
        if self.config.branch:
            return self.config.branch
        known = [name for name in ("main", "master") if repository.resolve(self.repo, f"refs/heads/{name}")]
        return known[0] if known else repository.branch(self.repo) or "main"

    @property
    def operator(self) -> tuple[str, str]:
        """The operator's name and address, as a commit can hold them."""
        name, email = map(_plain, repository.identity(self.repo) or ("", ""))
        return (name, email) if name and email else ("operator", "operator@localhost")

    def now(self) -> datetime:
        """Return the present moment in the operator's time zone, to the second."""
        moment = self.clock()
        zone = self.config.zone
        return (moment.astimezone(zone) if zone else moment).replace(microsecond=0)

    def read(self, path: str) -> str | None:
        """Return the text of a file as it is on disk, None when there is none.

        Raises ClawgitError for what is no text, lies behind a link or is too large.
        """
        file = disk.read(self.repo, path)
        return decoded(path, file.data) if file else None

    def rows(self) -> dict[str, entries.Row]:
        """Return the sidecar by entry id."""
        return entries.parse(self.read(entries.PATH) or "")

    def require_managed(self) -> None:
        """Raise ClawgitError unless clawgit may write here."""
        if not self.managed:
            raise ClawgitError(f"{self.root} is not managed by clawgit", fix=f"clawgit init '{self.root}'")
        text = repository.read(self.repo, self.head, scope.FORMAT) or b""
        version = text.split()[0] if text.split() else b""
        if not version.isdigit() or int(version) > FORMAT_VERSION:
            raise ClawgitError(
                f"{scope.FORMAT} says {version.decode('utf-8', 'replace')!r}; this clawgit writes {FORMAT_VERSION}",
                fix="pip install --upgrade clawgit",
            )

    def apply(self, change: "Change", *, after: Iterable[After] = ()) -> Applied:
        """Write a change as exactly one commit, after what others wrote in its files has been captured.

        Raises ClawgitError with every file as it was when it is refused, BusyError when somebody keeps the workspace.
        """
        from clawgit.workspace import evidence  # noqa: PLC0415
        from clawgit.workspace.planning import Planner, Setting  # noqa: PLC0415

        self.require_managed()
        cited = self._uncommitted(evidence.paths(change.evidence))
        captured = self.capture(cited) if cited else None
        planner = Planner(Setting(self.repo, self._author(change), self.now(), self.config), change)
        written = self._write(planner.paths, planner.decide)
        applied = _applied(change, planner, written, captured)
        return _told(applied, after)

    def _author(self, change: "Change") -> tuple[str, str]:
        if change.agent:
            name = _plain(change.agent) or "agent"
            return name, f"{name.replace(' ', '-')}@localhost"
        return self.operator

    def _uncommitted(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Return those of `paths` whose file on disk is not what HEAD holds.

        Raises ClawgitError for one outside our scope: that is for its owner to commit.
        """
        files = ((path, disk.read(self.repo, path), repository.read(self.repo, self.head, path)) for path in paths)
        found = {path: committed for path, file, committed in files if file and file.data != committed}
        for path, committed in found.items():
            if not (scope.captured(path) or (path.endswith(".md") and committed is not None)):
                raise ClawgitError(
                    f"{path} has changes that are not committed, and is not clawgit's to commit",
                    fix=f"git add '{path}' && git commit '{path}'",
                )
        return tuple(found)

    def capture(self, paths: Iterable[str]) -> Oid | None:
        """Commit what others wrote in `paths`; return the commit, None when there was nothing."""
        from clawgit.git import transaction  # noqa: PLC0415
        from clawgit.workspace import capture  # noqa: PLC0415

        self.require_managed()
        wanted = tuple(dict.fromkeys(check(path) for path in paths))

        def decide(snapshot: transaction.Snapshot) -> transaction.Plan:
            found = capture.commit(snapshot, capture.take(self.repo, snapshot, wanted), self.now())
            return transaction.Plan((found,) if found else ())

        commits = self._write(wanted, decide).commits
        return commits[-1] if commits else None

    def first_commit(self, decide: "transaction.Planner", paths: Iterable[str]) -> "transaction.Written":
        """Write the commit that makes the workspace managed, on the branch at hand."""
        written = self._write(tuple(paths), decide, unborn=True)
        self.__dict__.pop("config", None)  # CONFIG.md has just come, and may name that branch
        return written

    def _write(
        self, paths: tuple[str, ...], decide: "transaction.Planner", *, unborn: bool = False
    ) -> "transaction.Written":
        from clawgit.git import transaction  # noqa: PLC0415
        from clawgit.workspace.merging import merge_forward  # noqa: PLC0415

        branch = (repository.branch(self.repo) if unborn else None) or self.branch
        written = transaction.write(self.repo, branch, paths, decide, merge_forward, unborn=unborn)
        self._written.update(paths)
        return written

    def close(self) -> tuple[str, ...]:
        """Look once more at what was written, a moment later; return a sentence for each thing put right."""
        if not self._written:
            return ()
        from clawgit.git import recover  # noqa: PLC0415
        from clawgit.workspace.merging import merge_forward  # noqa: PLC0415

        paths = tuple(sorted(self._written))
        self._written.clear()
        return recover.look_again(self.repo, paths, merge_forward, time.monotonic() + 1)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close, also after an error."""
        self.close()


def _plain(name: str) -> str:
    """Return a name without what would make a commit unreadable, as git itself leaves it out."""
    return " ".join(re.sub(r"[<>\x00-\x1f\x7f]", " ", name).encode("utf-8", "replace").decode().split())


def _told(applied: Applied, after: Iterable[After]) -> Applied:
    """Tell everybody who asked; the change has landed, so that what goes wrong with them is no more than a note."""
    for callback in after:
        try:
            callback(applied)
        except Exception as exc:  # noqa: BLE001 - whatever it is
            applied = replace(applied, notes=(*applied.notes, f"after the change: {exc}"))
    return applied


def _applied(change: "Change", planner: "Planner", written: "transaction.Written", captured: Oid | None) -> Applied:
    commits = written.commits
    healed = tuple(f"{path} got back lines that its writer had not seen" for path in planner.united)
    notes = (*written.notes, *healed)
    if not planner.changes:
        return Applied(None, change.id, captured=commits[-1] if commits else captured, notes=notes)
    captured = commits[-2] if len(commits) > 1 else captured
    return Applied(commits[-1], change.id, planner.files, captured, planner.risk, notes)


def open_workspace(path: Path) -> Workspace:
    """Return the workspace that encloses `path`: any git repository with SOUL.md, MEMORY.md or memory/.

    Raises ClawgitError for anything else.
    """
    repo = repository.find(path)
    known: Mapping[str, bool] = {name: os.path.lexists(repo.root / name) for name in ("SOUL.md", "MEMORY.md", "memory")}
    workspace = Workspace(repo)
    if not any(known.values()) and not workspace.managed:
        raise ClawgitError(
            f"{repo.root} is not a workspace: it has no SOUL.md, MEMORY.md or memory/",
            fix=f"clawgit init '{repo.root}'",
        )
    return workspace
