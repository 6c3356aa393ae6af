"""Captures what others write as soon as they pause."""

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from threading import Event

from clawgit.errors import Advice, ClawgitError, Command, workspace_gone
from clawgit.git import git_state, repository, repository_health
from clawgit.workspace import clock, file_roles, seen_versions
from clawgit.workspace.capture_and_enforce import (
    CapturedAndEnforced,
    Held,
    Outcome,
    capture_and_enforce,
    list_rested,
)
from clawgit.workspace.change import Captured
from clawgit.workspace.enforcement import enforce, enforces
from clawgit.workspace.observer import Observer, Warn
from clawgit.workspace.workspace import Workspace

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
_EJECTING = 100
"""Tenths of a second that an ejection may take after its commit."""

Tell = Callable[[Outcome], None]
Signature = tuple[int, ...] | None


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
        self._heads: tuple[Signature, ...] = ()
        self._told: set[Held] = set()
        self._packed = time.monotonic()
        self._restless_since: float | None = None

    def run(self, tell: Tell, stop: Event) -> None:
        """Commit what others write, one capture for each group of writes, until `stop` is set.

        Every version that is closed meanwhile is kept, whatever is written over it. Raises ClawgitError when the
        workspace is gone, or is another one now.
        """
        written, due = True, 0.0
        try:
            while not stop.is_set():
                self._require_same()
                try:
                    now, heads = time.monotonic(), tuple(_sign(self._gitdir / name) for name in ("HEAD", "logs/HEAD"))
                    if heads != self._heads:
                        self._observer.follow()
                    if written or heads != self._heads or now >= due:
                        self._heads, due = heads, now + self.look(now, tell)
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

    def look(self, now: float, tell: Tell) -> float:
        """Capture what rests, unless somebody's commit is open; return after how many seconds to look again.

        Whatever keeps that from being done, nothing unapproved stays in the identity.
        """
        with Workspace(repository.find(self._root), attended=False) as workspace:
            self._prepare(workspace)
            if not workspace.managed and not enforces(workspace):
                for _ in range(_EJECTING):
                    if (workspace.repo.commondir / "clawgit").exists():
                        time.sleep(0.1)  # an ejection takes this folder away last
                workspace.require_managed()
            if git_state.commit_open(workspace.repo):
                self._say(CapturedAndEnforced(enforced=enforce(workspace)), tell)
                return COMMITTING_SECONDS
            rested, restless = frozenset[str](), frozenset[str]()
            with suppress(ClawgitError):  # of CONFIG.md: the capture says so
                rested, restless = list_rested(workspace)
            done = capture_and_enforce(workspace, rested.__contains__, puts_back=self._puts_back(restless, now))
            self._say(done, tell)
            if not restless and now - self._packed >= PACKING_SECONDS:
                self._packed = now
                _tidy(workspace)
            return workspace.config.capture_quiet_seconds if restless else AGAIN_SECONDS

    def _puts_back(self, restless: Collection[str], now: float) -> bool:
        """Return whether to put back now: a capture keeps an edit in the inbox, once its writer has paused."""
        if not any(map(file_roles.guarded, restless)):
            self._restless_since = None
        elif self._restless_since is None:
            self._restless_since = now
        return self._restless_since is None or now - self._restless_since >= RESTLESS_SECONDS

    def _say(self, done: CapturedAndEnforced, tell: Tell) -> None:
        """Tell what was captured and put back, and of what was held back only what is new."""
        refusal = (Held("", done.refusal.message, str(done.refusal.fix)),) if done.refusal else ()
        held = [one for one in (*done.outcome.held, *refusal) if one not in self._told]
        self._told.update(held)
        kept = {item.path: f": clawgit show {item.id}" for item in done.enforced.taken}
        back = (f"{path} was not as approved, and was put back{kept.get(path, '')}" for path in done.enforced.restored)
        notes = (*done.secrets, *back)
        captured = (*done.outcome.captured, *((Captured(notes=notes),) if notes else ()))
        if captured or held:
            tell(Outcome(captured, tuple(held)))


def _tidy(workspace: Workspace) -> None:
    """Drop what goes by age, unless the clock may be wrong: `clawgit doctor` tells that."""
    if clock.doubt(workspace) is None:
        seen_versions.expire(workspace.repo, workspace.clock())
        repository_health.pack(workspace.repo)


def _sign(place: Path) -> Signature:
    with suppress(OSError):
        status = place.lstat()
        return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return None
