"""One run of the page, and how it asks."""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.web import incognito
from clawgit.web.browser_session import Sessions
from clawgit.web.command_answers import Answer, Commands, command
from clawgit.web.kept_answers import PATIENCE, KeptAnswers, Stamp
from clawgit.web.page_address import Address
from clawgit.web.terminal_code import Codes

Approve = Literal["code", "off"]
_RESULTS = 32


class Site(Struct):
    """What all requests share.

    `authority` is the `host:port` that is answered. With `read_only` nothing can be done on the page, with `incognito`
    words are hidden. `approve` is ui_approve of CONFIG.md.
    """

    root: Path
    commands: Commands
    kept: KeptAnswers
    authority: str
    codes: Codes
    approve: Approve = "code"
    read_only: bool = False
    incognito: bool = False
    today: Callable[[], date] = date.today
    sessions: Sessions = field(default_factory=Sessions)
    results: OrderedDict[str, Any] = field(default_factory=OrderedDict)
    first: str = "today"

    @property
    def address(self) -> Address:
        """What makes addresses of pages."""
        return Address(self.sessions.root)

    def keep(self, result: object) -> str:
        """Keep what an act came to, and return the name it is found by; some of the last are kept."""
        name = secrets.token_urlsafe(9)
        self.results[name] = result
        while len(self.results) > _RESULTS:
            self.results.popitem(last=False)
        return name


def opened(
    commands: Commands,
    root: Path,
    places: Sequence[Path],
    authority: str,
    tell: Callable[[str], None] | None,
    today: Callable[[], date],
    *,
    patience: float = PATIENCE,
    **more: Any,
) -> Site:
    """Return the site of a workspace: `places` are the folders that its answers rest on, `tell` prints at a terminal.

    `patience` is for how many seconds a page waits for a slow answer; `more` are fields of Site.
    """
    kept = KeptAnswers(commands, places, patience=patience, today=today)
    return Site(root, commands, kept, authority, Codes(tell), today=today, **more)


class Look(Struct, frozen=True, dict=True):
    """One look at a page: what its address asks for, and what answers it; `patient` waits for slow answers."""

    site: Site
    state: Mapping[str, str]
    patient: bool = False

    @cached_property
    def stamp(self) -> Stamp:
        """What stands for the workspace as it is at this look."""
        return self.site.kept.stamp()

    def ask(self, name: str, *given: str, **options: object) -> Answer:
        """Return what a quick command answers."""
        return self._shown(self.site.commands.ask(command(name, *given, **options)))

    def slow(self, name: str, *given: str, **options: object) -> Answer:
        """Return what a slow command answers, perhaps that it is not done yet."""
        return self._shown(self.site.kept.ask(command(name, *given, **options), self.stamp, patiently=self.patient))

    def of_agent(self, agent: str, name: str) -> Answer:
        """Return what a command answers for the workspace of another agent of OpenClaw."""
        return self._shown(self.site.commands.ask(("--agent", agent, *command(name))))

    def get(self, key: str, default: str = "") -> str:
        """Return what the address says of a key."""
        return self.state.get(key, default)

    def _shown(self, found: Answer) -> Answer:
        hide = self.site.incognito and not found.error
        return replace(found, document=incognito.hidden(found.document), notes=()) if hide else found


class Shown(Struct, frozen=True):
    """What a page shows: the answers of commands by name, and what is drawn of them."""

    title: str
    parts: Mapping[str, Answer]
    more: Mapping[str, Any] = {}

    @property
    def pending(self) -> bool:
        """Whether some of it is not there yet."""
        return any(one.pending for one in self.parts.values())

    @property
    def document(self) -> dict[str, Any]:
        """The same for programs: each answer as its command prints it, and the command."""
        return {
            "page": self.title,
            "commands": {name: one.command for name, one in self.parts.items()},
            "parts": {name: one.document for name, one in self.parts.items()},
            "unknown": [name for name, one in self.parts.items() if not one.fine],
        }
