"""Captures what others write as soon as they pause."""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError, quoted
from clawgit.git import committing, difference, repository
from clawgit.workspace import following, scope
from clawgit.workspace.capturing import Held, Outcome, capture_all
from clawgit.workspace.quiet import Quiet, Signature
from clawgit.workspace.uncommitted import uncommitted
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    import watchfiles

AGAIN_SECONDS = 60.0
"""What was held back, or went unnoticed, is looked at again after so long."""
COMMITTING_SECONDS = 1.0
"""A commit of ours would make theirs fail, so theirs is waited for; how long at most, `commit_open` knows."""
_STEP, _TURN, _GROUP = 200, 1_000, 1_000  # milliseconds

Tell = Callable[[Outcome], None]


class Watch:
    """Watches the workspace at `root`: the folder that is there now, and no other that takes its place."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._gitdir = repository.find(root).gitdir
        self._inode = root.stat().st_ino

    def run(self, tell: Tell, stop: Event) -> None:
        """Commit what others write, one capture for each group of writes, until `stop` is set.

        Raises ClawgitError when the workspace is gone, or is another one now.
        """
        rounds = _Rounds(self._root, self._gitdir, tell)
        while not stop.is_set():
            folders = list(_folders(self._root))
            for changes in _changes(folders, stop):
                self._require_same()
                rounds.turn(time.monotonic(), written=bool(changes))
                if changes and list(_folders(self._root)) != folders:
                    break

    def _require_same(self) -> None:
        try:
            inode = self._root.stat().st_ino
        except OSError as exc:
            raise ClawgitError(f"{self._root} is gone", fix="git clone BACKUP, or restore the folder") from exc
        if self._inode != inode or not (self._root / ".git").exists():
            raise ClawgitError(
                f"{self._root} is not the workspace it was", fix=f"clawgit -C {quoted(self._root)} doctor"
            )


def _changes(folders: Iterable[Path], stop: Event) -> "Iterator[set[watchfiles.main.FileChange]]":
    """Yield what was written in `folders`, nothing where nothing was, at least once a second, until `stop` is set."""
    import watchfiles  # noqa: PLC0415 - only who watches pays

    return watchfiles.watch(
        *folders,
        watch_filter=None,
        debounce=_GROUP,
        step=_STEP,
        rust_timeout=_TURN,
        yield_on_timeout=True,
        stop_event=stop,
        recursive=False,
        ignore_permission_denied=True,
    )


def _folders(root: Path) -> Iterator[Path]:
    """Yield the folders in which files of our scope lie or may come to lie."""
    yield root
    for name in (*scope.FOLDERS, "agents/"):
        for folder, below, _ in os.walk(root / name):
            below[:] = sorted(one for one in below if not (Path(folder) / one / ".git").exists())
            yield Path(folder)


@dataclass
class _Rounds:
    """One look after the other, each at a workspace opened anew."""

    root: Path
    gitdir: Path
    tell: Tell
    due: float = 0.0
    quiet: Quiet | None = None
    heads: tuple[Signature, ...] = ()
    told: set[Held] = field(default_factory=set)
    resting: dict[str, tuple[Signature, float]] = field(default_factory=dict)

    def turn(self, now: float, *, written: bool) -> None:
        """Look, if something was written or committed, or it is time to."""
        heads = tuple(_signature(self.gitdir / name) for name in ("HEAD", "logs/HEAD"))
        if written or heads != self.heads or now >= self.due:
            self.heads = heads
            self.due = now + self._look(now)

    def _look(self, now: float) -> float:
        """Capture what is quiet, unless somebody's commit is open; return after how many seconds to look again."""
        with Workspace(repository.find(self.root)) as workspace:
            workspace.require_managed()
            if committing.commit_open(workspace.repo):
                return COMMITTING_SECONDS
            try:
                return self._capture(workspace, now)
            except ClawgitError as exc:
                self._say(Outcome(held=(Held("", exc.message, exc.fix),)))
                return AGAIN_SECONDS

    def _capture(self, workspace: Workspace, now: float) -> float:
        seconds = workspace.config.capture_quiet_seconds
        self.quiet = self.quiet or Quiet(seconds)
        self.quiet.seconds = seconds
        files = {one.path: _signature(self.root / one.path) for one in _uncommitted(workspace)}
        self.resting = {path: kept for path, kept in self.resting.items() if _rests(kept, files.get(path), now)}
        awake = {path: signature for path, signature in files.items() if path not in self.resting}
        ready = self.quiet.look(awake, now)
        head = workspace.head
        moved = not awake and following.last_look(workspace.repo, workspace.state, head) != head
        if ready or moved:
            outcome = capture_all(workspace, ready.__contains__)
            self.resting |= {one.path: (files.get(one.path), now + AGAIN_SECONDS) for one in outcome.held}
            self._say(outcome)
        return seconds if awake.keys() - ready else AGAIN_SECONDS

    def _say(self, outcome: Outcome) -> None:
        """Tell what was captured, and of what was held back only what is new."""
        new = tuple(one for one in outcome.held if one not in self.told)
        self.told.update(new)
        if outcome.captured or new:
            self.tell(Outcome(outcome.captured, new))


def _uncommitted(workspace: Workspace) -> Iterable[difference.Different]:
    return uncommitted(workspace.repo, workspace.config.captured_globs)


def _rests(kept: tuple[Signature, float], signature: Signature, now: float) -> bool:
    return kept[0] == signature and now < kept[1]


def _signature(place: Path) -> Signature:
    with suppress(OSError):
        status = place.lstat()
        return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return None
