"""Renders the index of memory, within 2 KB."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime

from msgspec import Struct

from clawgit.agents.organizing.fact_files import Origin
from clawgit.language.iso_dates import parse_date
from clawgit.text.edit import append_block
from clawgit.workspace import fact_register
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.fact_register import CATEGORIES, Fact

MOST_BYTES = 2_048
"""Of the whole file, as far as it is ours (seed 3)."""
_RECENT, _PROJECTS, _KEY = 7, 8, 12
_LONGEST = 110
BEGIN, END = "<!-- clawgit: the index, rendered from memory -->", "<!-- clawgit: end of the index -->"
_DAY = re.compile(r"\[?(\d{4}-\d\d-\d\d)\b\]?[ \t]*[:,–—-]?[ \t]+")  # noqa: RUF001 - dashes of all kinds
_VIEW = re.compile(rf"{re.escape(BEGIN)}.*?{re.escape(END)}\n?", re.DOTALL)
BIRTH = f"# Index\n\n{BEGIN}\n{END}\n"


class Topic(Struct, frozen=True):
    """A file of memory about one thing: its title, and the day of its newest entry in ISO 8601, "" unknown."""

    path: str
    title: str
    day: str


def rendered(
    text: str | None,
    facts: Mapping[str, Fact],
    origins: Sequence[Origin],
    topics: Iterable[Topic],
    worth: Sequence[str],
) -> str:
    """Return the file with its view as it is now; what stands outside of its marks is the operator's, and stays.

    `worth` are the ids of entries, those first that are surest and were mentioned most often.
    """
    whole = (
        text if text is not None and _VIEW.search(text) else append_block(text, f"{BEGIN}\n{END}") if text else BIRTH
    )
    room = MOST_BYTES - len(_VIEW.sub("", whole).encode()) - len(f"{BEGIN}\n\n{END}\n".encode())
    rows = list(_fitting(_sections(facts, origins, topics, worth), room))
    view = "\n".join((BEGIN, "", *rows, END, "")) if rows else f"{BEGIN}\n{END}\n"
    return _VIEW.sub(lambda _: view, whole, count=1)


def _sections(
    facts: Mapping[str, Fact], origins: Sequence[Origin], topics: Iterable[Topic], worth: Sequence[str]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the sections with their lines, what is needed most first."""
    live = [one for one in facts.values() if one.state == "live"]
    counts = {name: sum(one.category == name for one in live) for name in CATEGORIES}
    files = [f"- [{name}]({fact_register.path(name).removeprefix('memory/')}): {many}" for name, many in counts.items()]
    yield "Facts by class", [row for row, many in zip(files, counts.values(), strict=True) if many]
    known = sorted(topics, key=lambda one: (one.day, one.path), reverse=True)[:_PROJECTS]
    yield "Topics", [f"- [{one.title}]({one.path.removeprefix('memory/')}) {one.day}".rstrip() for one in known]
    of = {source: one for one in live for source in one.sources}
    days = {one.id: _day(one) or (of[one.id].first if one.id in of else date.min) for one in origins}
    later = sorted(enumerate(origins), key=lambda one: (days[one[1].id], one[0]), reverse=True)
    recent = [one for _, one in later[:_RECENT]]
    yield "Recent activity", [f"- [{days[one.id]}] {_short(_DAY.sub('', one.text))}" for one in recent]
    shown = {one.id for one in recent}
    lasting = {source: one for source, one in of.items() if one.expires is None}
    best = dict.fromkeys(lasting[name].id for name in worth if name in lasting and name not in shown)
    yield "Key facts", [f"- {_short(facts[name].text)}" for name in list(best)[:_KEY]]


def _day(one: Origin) -> date | None:
    """Return the day that an entry begins with, else that on which it was last said."""
    begins = _DAY.match(one.text)
    own = parse_date(begins[1]) if begins else None
    return own.date() if isinstance(own, datetime) else own or one.said


def _fitting(sections: Iterable[tuple[str, list[str]]], room: int) -> Iterator[str]:
    """Yield as many lines as there is room for, each section with its heading."""
    for title, rows in sections:
        head = f"## {title}"
        room -= len(head.encode()) + 3
        shown = []
        for row in rows:
            if room < len(row.encode()) + 1:
                break
            room -= len(row.encode()) + 1
            shown.append(row)
        if shown:
            yield from (head, "", *shown, "")
        else:
            room += len(head.encode()) + 3


def _short(text: str) -> str:
    return shorten(one_line(text), _LONGEST)
