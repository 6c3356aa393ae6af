"""The decay engine: archives facts whose term is over."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime

from msgspec.structs import replace

from clawgit.agents import organizer
from clawgit.agents.organizing import fact_files
from clawgit.agents.running import Learnt, Proposal, View
from clawgit.text.edit import append_block, bullet
from clawgit.workspace import clock
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.fact_register import Fact

NAME = "decay-engine"
FOLDER = "memory/archive/facts"


class DecayEngine:
    """Takes facts out of their files and the index when their last day has passed; nothing is deleted (seed 3).

    What was mentioned again holds for longer. While the clock may be wrong nothing leaves.
    """

    name = NAME
    notes: tuple[str, ...] = ()
    usage: Mapping[str, float] = {}

    def propose(self, view: View, now: datetime) -> Iterator[Proposal]:
        """Yield one proposal, where a fact is over."""
        clock.require(view.workspace)
        today = now.date()
        before = organizer.registered(view)
        typed = fact_files.typed(before.values(), view.read, today)
        held = fact_files.renewed(typed, organizer.origins(view, today), today)
        over = [one for one in held.values() if one.state == "live" and one.over(today)]
        change = archived(view, before, held, over, today, agent=NAME) if over else None
        yield Proposal(change, tuple(Learnt(one.text, one.path, "", "note", one.id) for one in over), read=len(held))


def archived(
    view: View,
    before: Mapping[str, Fact],
    held: Mapping[str, Fact],
    over: Iterable[Fact],
    today: date,
    *,
    agent: str | None,
) -> Change | None:
    """Return the change by which facts go to the archive of the month."""
    gone = sorted(over, key=lambda one: (one.category, one.first, one.id))
    after = {**held, **{one.id: replace(one, state="expired", expires=one.expires or today) for one in gone}}
    path = place(today)
    there = view.read(path)
    text = f"# Facts that were over in {today:%B %Y}\n" if there is None else there
    rows = (bullet(f"{one.text} ({one.category}, {one.id}, until {one.expires or today})") for one in gone)
    edit = Edit(path, there, append_block(text, "\n".join(rows)))
    words = f"{len(gone)} fact{'' if len(gone) == 1 else 's'} over; each comes back with clawgit facts renew ID"
    return organizer.changed(view, before, after, today, agent=agent, more=(edit,), why=words)


def place(today: date) -> str:
    """Return the archive of a month."""
    return f"{FOLDER}/{today:%Y-%B}.md"
