"""What a plan depends on besides its snapshot."""

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.git import repository
from clawgit.git.repository import Oid, Repository
from clawgit.store.database import StateStore
from clawgit.workspace.config import Config
from clawgit.workspace.conversation import Conversations, Sessions, none_kept
from clawgit.workspace.trust.approvals import Trust

if TYPE_CHECKING:
    from clawgit.workspace.foreign_commits import Run


class Setting(Struct, frozen=True):
    """The moment, CONFIG.md, and what is known of the past.

    `leaked` are the secrets that history holds already, by fingerprint; `recorded` returns the files that OpenClaw
    drops from the prompt when they are edited from outside, with the SHA-256 of what its agent left there ("" where it
    is dropped already); `runs` is what others committed themselves, by path;
    `trust` is what the operator approved, `operator` returns the names by which the operator is called, and `ask` notes
    the blobs that a caller asked for without approval; `approvals` returns what is approved by now; `conversations`
    returns what was said; `attended` tells that the operator sits there; `flushed` returns the journals that a
    memory flush of OpenClaw wrote last, with their SHA-256; `replaced` notes the id of an item whose place a newer
    one takes; `sessions` are asked what the operator wants back.
    """

    repo: Repository
    when: datetime
    config: Config
    leaked: Container[str] = ()
    recorded: Callable[[], Mapping[str, str]] = dict
    runs: "Mapping[str, Sequence[Run]]" = field(default_factory=dict)
    trust: Trust = field(default_factory=Trust)
    operator: Callable[[], Collection[str]] = tuple
    ask: Callable[[Mapping[str, tuple[Oid, ...]]], object] = lambda _: None
    approvals: Callable[[], Trust] = Trust
    conversations: Conversations = none_kept
    attended: bool = True
    flushed: Callable[[], Mapping[str, str]] = dict
    replaced: Callable[[str], object] = lambda _: None
    sessions: Sessions = field(default_factory=Sessions)

    @property
    def head(self) -> Oid | None:
        """The commit at HEAD."""
        return repository.head(self.repo)

    @property
    def state(self) -> Path:
        """The folder of what is kept, but not tracked."""
        return self.repo.commondir / "clawgit" / "state"

    @property
    def store(self) -> StateStore:
        """The inbox, and what else git cannot know."""
        return StateStore(self.repo.commondir / "clawgit")

    def renewed(self) -> "Setting":
        """Return it with what the operator has approved until now: asked under the lock, nothing comes in between."""
        return replace(self, trust=self.approvals())
