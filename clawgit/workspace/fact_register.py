"""The register of facts, with their classes and terms."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from clawgit.language.iso_dates import parse_date
from clawgit.workspace import file_roles
from clawgit.workspace.commit_message import one_line

PATH = file_roles.FACTS
HEADER = "# clawgit facts 1"

Category = Literal["personal", "tasks", "agents", "system"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
TERMS: Mapping[Category, int | None] = {"personal": None, "tasks": 7, "agents": 30, "system": None}
"""Days for which a fact of a class holds after it was last said; None: for good (seed 3)."""

State = Literal["live", "expired", "dropped"]
_STATES: tuple[State, ...] = get_args(State)
_CELLS = 8


class Fact(Struct, frozen=True, order=True):
    """A fact: its text on one line, and the ids of the entries that say it; none of one that was typed by hand.

    It is over after the day `expires`, None for never. A `dropped` one was deleted by hand, and does not come back; of
    one that is `kept` somebody chose class, words or term by hand, and no run changes them.
    """

    id: str
    category: Category
    text: str
    state: State = "live"
    first: date = date.min
    expires: date | None = None
    kept: bool = False
    sources: frozenset[str] = frozenset()

    @property
    def path(self) -> str:
        """The file that it stands in."""
        return f"{file_roles.STRUCTURED}{self.category}.md"

    def over(self, today: date) -> bool:
        """Return whether its term is over."""
        return self.expires is not None and self.expires < today


Facts = Mapping[str, Fact]


def path(category: Category) -> str:
    """Return the file of a class."""
    return f"{file_roles.STRUCTURED}{category}.md"


def term(category: Category, said: date, due: date | None = None) -> date | None:
    """Return the last day of a fact that was last said on a day, or is due on a later one."""
    days = TERMS[category]
    if days is None:
        return None
    last = said + timedelta(days=days)
    return max(last, due) if due else last


def parse(text: str) -> dict[str, Fact]:
    """Return the facts by id; of one that stands twice both joined. Lines that are none are passed over."""
    found: dict[str, Fact] = {}
    for line in text.split("\n"):
        fact = None if not line or line.startswith("#") else _fact(line.removesuffix("\r").split("\t"))
        if fact:
            found[fact.id] = joined(found[fact.id], fact) if fact.id in found else fact
    return found


def _fact(cells: list[str]) -> Fact | None:
    if len(cells) != _CELLS or cells[1] not in CATEGORIES or cells[2] not in _STATES:
        return None
    first, expires = map(_day, cells[3:5])
    sources = frozenset(cells[6].split(",")) - {""}
    known: dict[str, Category] = {name: name for name in CATEGORIES}
    states: dict[str, State] = {name: name for name in _STATES}
    text, kept = cells[7], cells[5] == "kept"
    return Fact(cells[0], known[cells[1]], text, states[cells[2]], first or date.min, expires, kept, sources)


def _day(cell: str) -> date | None:
    found = parse_date(cell)
    return found.date() if isinstance(found, datetime) else found


def joined(one: Fact, other: Fact) -> Fact:
    """Return what two versions of a fact come to, in any order the same: nothing comes back, and no term is cut."""
    better = max(one, other, key=lambda fact: (fact.kept, _STATES.index(fact.state), fact))
    terms = (one.expires, other.expires)
    expires = None if None in terms else max(filter(None, terms))
    state = max(one.state, other.state, key=_STATES.index)
    first = min(one.first, other.first)
    return replace(better, state=state, first=first, expires=expires, sources=one.sources | other.sources)


def render(facts: Iterable[Fact]) -> str:
    """Return the text of the register: a header, then a line for each fact, sorted by id."""
    return "".join(f"{line}\n" for line in (HEADER, *(_line(fact) for fact in sorted(facts))))


def _line(one: Fact) -> str:
    cells = (
        one.id,
        one.category,
        one.state,
        "" if one.first == date.min else one.first.isoformat(),
        one.expires.isoformat() if one.expires else "",
        "kept" if one.kept else "",
        ",".join(sorted(one.sources)),
        one_line(one.text),
    )
    return "\t".join(cells)
