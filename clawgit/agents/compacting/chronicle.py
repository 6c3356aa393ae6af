"""The chronicle of a month, grouped by subject."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date

from clawgit.agents.compacting import sources
from clawgit.agents.compacting.journals import Journal
from clawgit.agents.compacting.statements import DECISIONS, Statement
from clawgit.search.boilerplate import CHRONICLE
from clawgit.text import lines, outline
from clawgit.text.sameness.known import Known
from clawgit.text.sameness.relation import compare

FOLDER = "memory/archive/chronicles"
MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
_NEAR = 4

Tell = Callable[[Journal], Sequence[Statement]]
Told = dict[str, dict[date, list[str]]]


def path(day: date) -> str:
    """Return the file that tells the month of a day (spec §5.5, below memory/ where OpenClaw searches)."""
    return f"{FOLDER}/{day.year:04}-{MONTHS[day.month - 1]}.md"


def title(place: str) -> str:
    """Return the words for the file at `place`, or of its month."""
    year, _, month = place.rpartition("/")[2].removesuffix(".md").partition("-")
    return f"{month} {year}"


def add(text: str | None, place: str, some: Sequence[Journal], tell: Tell) -> str:
    """Return the chronicle with what more journals state; no line that stood there goes."""
    told = _grouped(some, tell)
    body = f"# Chronicle of {title(place)}\n\n{CHRONICLE}" if text is None else text
    body = _merged(body, told)
    marks = "".join(sources.line(one) + "\n" for one in some)
    return _ended(body) + "\n" + marks


def _grouped(some: Iterable[Journal], tell: Tell) -> Told:
    """Return the bullets by subject and day, decisions first; what is said once more names the other days."""
    told: Told = {DECISIONS: {}}
    known: Known[int] = Known()
    places: list[tuple[Statement, date, list[date]]] = []
    for journal in some:
        for one in tell(journal):
            near = (at for at in known.near(one.said, _NEAR) if places[at][0].subject == one.subject)
            twin = next((at for at in near if _same(places[at][0].said, one.said)), None)
            if twin is None:
                known.add(len(places), one.said)
                places.append((one, journal.day, []))
            elif journal.day not in (places[twin][1], *places[twin][2]):
                places[twin][2].append(journal.day)
    for one, day, again in places:
        told.setdefault(one.subject, {}).setdefault(day, []).append(_bullet(one, again))
    return {subject: days for subject, days in told.items() if days}


def _same(one: str, other: str) -> bool:
    return one == other or compare(one, other).relation == "same"


def _bullet(one: Statement, again: Sequence[date]) -> str:
    return f"{one.bullet}\n  Again on {', '.join(day.isoformat() for day in again)}." if again else one.bullet


def _merged(text: str, told: Told) -> str:
    """Return a chronicle with bullets in their sections; each insertion is worked out on the text as it was."""
    rows, heads = lines.split(text), outline.sections(text)
    top = {one.title: one for one in heads if one.level == 2}  # noqa: PLR2004 - a subject
    inserts: dict[int, str] = {}
    for subject, days in told.items():
        there = top.get(subject)
        if there is None:
            first = min((one.line for one in top.values()), default=len(rows) + 1)
            at = first if subject == DECISIONS else len(rows) + 1
            inserts[at] = inserts.get(at, "") + _section(subject, days, before=at <= len(rows))
            continue
        days_there = {one.title: one for one in heads if one.path[-2:-1] == (subject,) and one.line > there.line}
        for day, bullets in days.items():
            place = days_there.get(day.isoformat())
            at = _after(rows, place.end if place else there.end)
            inserts[at] = inserts.get(at, "") + ("\n".join(bullets) + "\n" if place else "\n" + _day(day, bullets))
    for at in sorted(inserts, reverse=True):
        if at > 1 and at <= len(rows) + 1 and not rows[at - 2].endswith("\n"):
            rows[at - 2] += "\n"
        rows.insert(at - 1, inserts[at])
    return "".join(rows)


def _section(subject: str, days: Mapping[date, Sequence[str]], *, before: bool) -> str:
    told = "\n".join(_day(day, bullets) for day, bullets in days.items())
    return f"## {subject}\n\n{told}\n" if before else f"\n## {subject}\n\n{told}"


def _day(day: date, bullets: Sequence[str]) -> str:
    return f"### {day.isoformat()}\n\n" + "\n".join(bullets) + "\n"


def _after(rows: Sequence[str], end: int) -> int:
    """Return the line after the last one up to `end` that says something."""
    while end > 1 and (lines.is_blank(rows[end - 1]) or rows[end - 1].startswith("<!-- from ")):
        end -= 1
    return end + 1


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"
