"""What an operator decides about single facts."""

from datetime import date
from typing import TYPE_CHECKING

from msgspec.structs import replace

from clawgit.agents import decay_engine, organizer
from clawgit.agents.running import View
from clawgit.errors import Command, already_expired, already_set, date_past, fact_unclear
from clawgit.workspace import fact_register, memory
from clawgit.workspace.change import Change
from clawgit.workspace.fact_register import Fact

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace


def listed(workspace: "Workspace") -> list[Fact]:
    """Return the facts of the register, by class, those that are over first last."""
    return sorted(
        organizer.registered(View(workspace)).values(),
        key=lambda one: (one.state != "live", one.category, one.expires or date.max, one.id),
    )


def find(workspace: "Workspace", wanted: str) -> Fact:
    """Return the fact that an id or its beginning names. Raises ClawgitError for none, or several."""
    found = [one for one in listed(workspace) if wanted and one.id.startswith(wanted)]
    if len(found) != 1:
        words = f"several facts begin with {wanted}" if found else f"there is no fact {wanted}"
        raise fact_unclear(words, fix=Command("clawgit facts list --all"))
    return found[0]


def places(workspace: "Workspace", one: Fact) -> list[str]:
    """Return where the memories stand that say a fact, as `MEMORY.md:7`."""
    return [f"{known.path}:{known.line}" for known in memory.memories(workspace) if known.id in one.sources]


def renewed(workspace: "Workspace", one: Fact, until: date | None) -> Change:
    """Return the change that has a fact hold until a day, without one for a whole term from today."""
    today = workspace.now().date()
    last = until or fact_register.term(one.category, today)
    if last and last < today:
        raise date_past(f"{last} has passed", fix=Command("clawgit facts renew {}", one.id))
    view = View(workspace)
    before = organizer.registered(view)
    after = {**before, one.id: replace(one, state="live", expires=last, kept=True)}
    return _required(organizer.changed(view, before, after, today, agent=None), one)


def expired(workspace: "Workspace", one: Fact) -> Change:
    """Return the change that takes a fact to the archive today."""
    today = workspace.now().date()
    if one.state != "live":
        raise already_expired(f"{one.id} is over already", fix=Command("clawgit facts renew {}", one.id))
    view = View(workspace)
    before = organizer.registered(view)
    over = replace(one, expires=today, kept=True)
    return _required(decay_engine.archived(view, before, {**before, one.id: over}, [over], today, agent=None), one)


def _required(change: Change | None, one: Fact) -> Change:
    if change is None:
        raise already_set(f"{one.id} is so already", fix=Command("clawgit facts show {}", one.id))
    return change
