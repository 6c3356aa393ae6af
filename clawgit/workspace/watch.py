"""Captures what others write as soon as they pause."""

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event

from msgspec import Struct, field

from clawgit.errors import Advice, ClawgitError, Command, workspace_gone
from clawgit.git import difference, git_state, repository, repository_health
from clawgit.workspace import clock, enforcement, file_roles, foreign_commits, seen_versions
from clawgit.workspace.capture_and_enforce import Held, Outcome, capture_all, landed_again
from clawgit.workspace.change import Captured
from clawgit.workspace.observer import Observer, Warn
from clawgit.workspace.uncommitted import uncommitted
from clawgit.workspace.workspace import Workspace

Signature = tuple[int, ...] | None


class Quiet(Struct):
    """Since when each file has stood as it stands; times are seconds of a clock that never goes back.

    A file's own times are only compared with each other: a clock that somebody set back must not hold a file up.
    """

    seconds: float
    patience: float = 15.0
    _since: dict[str, tuple[Signature, float, float]] = field(default_factory=dict)

    def look(self, files: Mapping[str, Signature], now: float) -> frozenset[str]:
        """Return the files that may be captured, given how all uncommitted ones stand `now`.

        As long as somebody still writes one of them the group is not complete; after `patience` seconds those that
        are quiet no longer wait for the others.
        """
        self._since = {path: self._seen(path, signature, now) for path, signature in files.items()}
        quiet = frozenset(path for path, (_, still, _) in self._since.items() if now - still >= self.seconds)
        waited = max((now - first for _, _, first in self._since.values()), default=0.0)
        return quiet if len(quiet) == len(files) or waited >= self.patience else frozenset()

    def _seen(self, path: str, signature: Signature, now: float) -> tuple[Signature, float, float]:
        before, still, first = self._since.get(path, (signature, now, now))
        return signature, still if before == signature else now, first


AGAIN_SECONDS = 60.0
"""What was held back, or went unnoticed, is looked at again after so long."""
PACKING_SECONDS = 86_400.0
"""How often git is asked to pack, and what was seen long ago is dropped: whoever only watches has no job for it."""
RESTLESS_SECONDS = 60.0
"""So long the identity is left to whoever goes on writing in it; who never pauses does not keep it for ever."""
COMMITTING_SECONDS = 1.0
"""A commit of ours would make theirs fail, so theirs is waited for; how long at most, `commit_open` knows."""

_GOING = 20
"""Tenths of a second in which a workspace that is being deleted is gone."""

Tell = Callable[[Outcome], None]


class Watch:
    """Watches the workspace at `root`: the folder that is there now, and no other that takes its place.

    `warn` is told what may be overwritten without having been seen; each opened workspace is given to `prepare`.
    """

    def __init__(
        self, root: Path, warn: Warn = lambda _: None, prepare: Callable[[Workspace], object] = lambda _: None
    ) -> None:
        """Begin to watch: what is written from now on is seen."""
        self._root = root
        self._gitdir = repository.find(root).gitdir
        self._inode = root.stat().st_ino
        self._observer = Observer(root, warn)
        self._prepare = prepare

    def run(self, tell: Tell, stop: Event) -> None:
        """Commit what others write, one capture for each group of writes, until `stop` is set.

        Every version that is closed meanwhile is kept, whatever is written over it. Raises ClawgitError when the
        workspace is gone, or is another one now.
        """
        rounds = _Rounds(
            self._root, self._gitdir, tell, self._observer.follow, self._require_same, prepare=self._prepare
        )
        written = True
        try:
            while not stop.is_set():
                self._require_same()
                try:
                    rounds.turn(time.monotonic(), written=written)
                    written = self._observer.wait()
                except Exception:
                    for _ in range(_GOING):
                        self._require_same()  # it goes while it is looked at: a folder is deleted from its leaves on
                        time.sleep(0.1)
                    raise
        finally:
            self._observer.close()

    def _require_same(self) -> None:
        try:
            inode = self._root.stat().st_ino
        except OSError as exc:
            raise workspace_gone(f"{self._root} is gone", fix=Advice("git clone BACKUP, or restore it")) from exc
        if self._inode != inode or not (self._root / ".git").exists():
            raise workspace_gone(f"{self._root} was replaced", fix=Command("clawgit -C {} doctor", self._root))


class _Rounds(Struct):
    """One look after the other, each at a workspace opened anew."""

    root: Path
    gitdir: Path
    tell: Tell
    committed: Callable[[], object]
    require_same: Callable[[], object] = lambda: None
    prepare: Callable[[Workspace], object] = lambda _: None
    due: float = 0.0
    packed: float = field(default_factory=time.monotonic)
    quiet: Quiet | None = None
    heads: tuple[Signature, ...] = ()
    told: set[Held] = field(default_factory=set)
    resting: dict[str, tuple[Signature, float]] = field(default_factory=dict)
    restless: frozenset[str] = frozenset()
    restless_since: float | None = None

    def turn(self, now: float, *, written: bool) -> None:
        """Look, if something was written or committed, or it is time to."""
        heads = tuple(_signature(self.gitdir / name) for name in ("HEAD", "logs/HEAD"))
        if written or heads != self.heads or now >= self.due:
            if heads != self.heads:
                self.heads = heads
                self.committed()
            self.due = now + self._look(now)

    def _look(self, now: float) -> float:
        """Capture what is quiet, unless somebody's commit is open; return after how many seconds to look again.

        Whatever keeps that from being done, nothing unapproved stays in the identity.
        """
        with Workspace(repository.find(self.root), attended=False, job=True) as workspace:
            self.prepare(workspace)
            self.restless = frozenset()
            try:
                workspace.require_managed()
                seconds = self._capture(workspace, now) if not git_state.commit_open(workspace.repo) else None
            except ClawgitError as exc:
                self.require_same()  # it may have gone while git looked at it
                if not workspace.managed and not enforcement.enforces(workspace):
                    raise  # it was given back
                self._say(Outcome(held=(Held("", exc.message, str(exc.fix)),)))
                seconds = AGAIN_SECONDS
            if self._is_due(now):
                self._enforce(workspace)
            return COMMITTING_SECONDS if seconds is None else seconds

    def _is_due(self, now: float) -> bool:
        """Return whether to put back now: a capture keeps an edit in the inbox, once its writer has paused."""
        if not any(file_roles.guarded(path) for path in self.restless):
            self.restless_since = None
        elif self.restless_since is None:
            self.restless_since = now
        return self.restless_since is None or now - self.restless_since >= RESTLESS_SECONDS

    def _enforce(self, workspace: Workspace) -> None:
        done = enforcement.enforce(workspace)
        kept = {item.path: item.id for item in done.taken}
        notes = tuple(
            f"{path} was not as approved, and was put back" + (f": clawgit show {kept[path]}" if path in kept else "")
            for path in done.restored
        )
        if notes:
            self._say(Outcome((Captured(notes=notes),)))

    def _capture(self, workspace: Workspace, now: float) -> float:
        seconds = workspace.config.capture_quiet_seconds
        self.quiet = self.quiet or Quiet(seconds)
        self.quiet.seconds = seconds
        if landed := landed_again(workspace):
            self._say(Outcome((Captured(notes=landed),)))
        files = {one.path: _signature(self.root / one.path) for one in _uncommitted(workspace)}
        self.resting = {path: kept for path, kept in self.resting.items() if _rests(kept, files.get(path), now)}
        awake = {path: signature for path, signature in files.items() if path not in self.resting}
        ready = self.quiet.look(awake, now)
        head = workspace.head
        moved = not awake and foreign_commits.last_look(workspace.repo, workspace.store, head) != head
        if not awake and now - self.packed >= PACKING_SECONDS:
            self.packed = now
            _tidy(workspace)
        if ready or moved:
            outcome = capture_all(workspace, ready.__contains__)
            self.resting |= {one.path: (files.get(one.path), now + AGAIN_SECONDS) for one in outcome.held}
            self._say(outcome)
        self.restless = frozenset(awake.keys() - ready)
        return seconds if self.restless else AGAIN_SECONDS

    def _say(self, outcome: Outcome) -> None:
        """Tell what was captured, and of what was held back only what is new."""
        new = tuple(one for one in outcome.held if one not in self.told)
        self.told.update(new)
        if outcome.captured or new:
            self.tell(Outcome(outcome.captured, new))


def _tidy(workspace: Workspace) -> None:
    """Drop what goes by age, unless the clock may be wrong: `clawgit doctor` tells that."""
    if clock.doubt(workspace) is None:
        seen_versions.expire(workspace.repo, workspace.clock())
        repository_health.pack(workspace.repo)


def _uncommitted(workspace: Workspace) -> Iterable[difference.Different]:
    return uncommitted(workspace.repo, workspace.config.captured_globs)


def _rests(kept: tuple[Signature, float], signature: Signature, now: float) -> bool:
    return kept[0] == signature and now < kept[1]


def _signature(place: Path) -> Signature:
    with suppress(OSError):
        status = place.lstat()
        return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return None
