"""The organizer: sorts memories by class, and keeps the index."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime

from msgspec import Struct

from clawgit.agents.organizing import fact_classes, fact_files
from clawgit.agents.organizing.fact_classes import ByVoice
from clawgit.agents.organizing.fact_files import Origin
from clawgit.agents.protocol.line_claims import AskedOnce
from clawgit.agents.running import Learnt, Proposal, View
from clawgit.errors import ClawgitError
from clawgit.language import due_dates
from clawgit.language.iso_dates import parse_date
from clawgit.safety import secrets
from clawgit.text import document
from clawgit.text.edit import append_block, bullet
from clawgit.text.front_matter import read_field
from clawgit.workspace import fact_register, file_roles, manifest, memory
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.entries import PLANS
from clawgit.workspace.fact_register import CATEGORIES, Fact
from clawgit.workspace.memory import Memory
from clawgit.workspace.workspace import Workspace

MAX_INDEX_BYTES = 2_048
"""Of the whole file, as far as it is ours (seed 3)."""
_RECENT, _PROJECTS, _KEY = 7, 8, 12
_LONGEST = 110
BEGIN, END = "<!-- clawgit: the index, rendered from memory -->", "<!-- clawgit: end of the index -->"
_DAY = re.compile(r"\[?(\d{4}-\d\d-\d\d)\b\]?[ \t]*[:,–—-]?[ \t]+")  # noqa: RUF001 - dashes of all kinds
_VIEW = re.compile(rf"{re.escape(BEGIN)}.*?{re.escape(END)}\n?", re.DOTALL)
EMPTY_INDEX = f"# Index\n\n{BEGIN}\n{END}\n"


class Topic(Struct, frozen=True):
    """A file of memory about one thing: its title, and the day of its newest entry in ISO 8601, "" unknown."""

    path: str
    title: str
    day: str


def render_index(
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
        text
        if text is not None and _VIEW.search(text)
        else append_block(text, f"{BEGIN}\n{END}")
        if text
        else EMPTY_INDEX
    )
    room = MAX_INDEX_BYTES - len(_VIEW.sub("", whole).encode()) - len(f"{BEGIN}\n\n{END}\n".encode())
    rows = list(_fit_lines(_index_sections(facts, origins, topics, worth), room))
    view = "\n".join((BEGIN, "", *rows, END, "")) if rows else f"{BEGIN}\n{END}\n"
    return _VIEW.sub(lambda _: view, whole, count=1)


def _index_sections(
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


def _fit_lines(sections: Iterable[tuple[str, list[str]]], room: int) -> Iterator[str]:
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


NAME = "organizer"
_STAND = ("live", "corrected")

_WHY = "Each entry of memory is a fact; its class says how long it holds."
Facts = Mapping[str, Fact]


class Organizer:
    """Keeps `memory/structured/`, the index and the register in line with memory (seed 3). `say` tells classes."""

    name = NAME

    def __init__(self, say: AskedOnce | None = None, told: str = "") -> None:
        self._say, self._told = say, told
        self._notes: list[str] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what a voice could not be asked."""
        return tuple(self._notes)

    @property
    def usage(self) -> Mapping[str, float]:
        """What a voice was asked, empty without one."""
        return self._say.usage if self._say else {}

    def propose(self, view: View, now: datetime) -> Iterator[Proposal]:
        """Yield one proposal, where anything has changed."""
        today = now.date()
        before = registered(view)
        voice = ByVoice(self._say, self._told) if self._say else None
        typed = fact_files.typed(before.values(), view.read, today)
        some = origins(view, today)
        after = fact_files.organised(typed, some, today, voice or fact_classes.by_rules)
        self._notes = list(dict.fromkeys(voice.notes)) if voice else []
        change = changed(view, before, after, today, agent=NAME)
        new = [one for key, one in after.items() if one.state == "live" and key not in before]
        learnt = tuple(Learnt(one.text, one.path, "", "note", one.id) for one in new)
        yield Proposal(change, learnt, read=len(some))


def registered(view: View) -> dict[str, Fact]:
    """Return the register."""
    return fact_register.parse(view.read(fact_register.PATH) or "")


def origins(view: View, today: date) -> list[Origin]:
    """Return what memory says: each entry that stands and could stand as a fact, without secrets."""
    return [found for one in _standing(view.workspace) if (found := _origin(one, today))]


def _standing(workspace: Workspace) -> list[Memory]:
    return [one for one in memory.memories(workspace) if one.status in _STAND and one.origin != "untrusted"]


def _origin(one: Memory, today: date) -> Origin | None:
    text = one_line(one.text)
    try:
        bullet(text)
    except ClawgitError:
        return None
    if secrets.scan(text):
        return None
    days = due_dates.days(text, one.first or today) if (one.tag or "") in PLANS else ()
    return Origin(one.id, text, one.tag or "", one.first, one.last or one.first, max(days, default=None))


def changed(
    view: View,
    before: Facts,
    after: Facts,
    today: date,
    *,
    agent: str | None,
    more: tuple[Edit, ...] = (),
    why: str = "",
) -> Change | None:
    """Return the change that brings register, files and index to what `after` says; None where they are."""
    register = fact_register.render(after.values())
    texts: dict[str, str | None] = {} if not after and not before else {fact_register.PATH: register}
    for name in CATEGORIES:
        path = fact_register.path(name)
        texts[path] = fact_files.written(view.read(path), name, before.values(), after.values())
    if after or view.read(file_roles.INDEX) is not None:
        texts[file_roles.INDEX] = _index(view, after, today)
    edits = tuple(Edit(path, view.read(path), text) for path, text in texts.items() if text != view.read(path))
    if not edits and not more:
        return None
    new = sum(one.state == "live" and key not in before for key, one in after.items())
    gone = sum(one.state == "live" and (key not in after or after[key].state != "live") for key, one in before.items())
    said = " and ".join(f"{many} {word}" for many, word in ((new, "new"), (gone, "over or gone")) if many)
    subject = f"memory: facts sorted{f', {said}' if said else ''}"
    return Change(subject, why or _WHY, (*more, *edits), (), "agent" if agent else "operator", agent)


def _index(view: View, facts: Facts, today: date) -> str:
    some = _standing(view.workspace)
    worth = sorted(some, key=lambda one: (-one.confidence * max(1, one.mentions), one.id))
    return render_index(
        view.read(file_roles.INDEX), facts, origins(view, today), _topics(view), [one.id for one in worth]
    )


def _topics(view: View) -> Iterator[Topic]:
    """Yield the files of memory about one thing, and those in their homes."""
    root = view.workspace.root
    found = (*root.glob("memory/*.md"), *(file for home in memory.HOMES for file in root.glob(f"memory/{home}/*.md")))
    last: dict[str, str] = {}
    for row in view.rows().values():
        if row.last:
            last[row.file] = max(last.get(row.file, ""), row.last.isoformat())
    for file in sorted(found):
        path = file.relative_to(root).as_posix()
        if manifest.kind(path) == "memory" and path not in view.workspace.memory_files and file.is_file():
            yield Topic(path, _title(view.read(path) or "") or file.stem, last.get(path, ""))


def _title(text: str) -> str:
    """Return what a file is called: by its front matter, else by its first heading."""
    return read_field(text, "title") or next(filter(None, map(one_line, document.section_titles(text))), "")
