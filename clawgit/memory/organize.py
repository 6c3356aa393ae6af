"""Facts by class, their views, and files about one thing."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.language import detect, due_dates
from clawgit.language.iso_dates import parse_date
from clawgit.memory.expiry import Held, Leaving
from clawgit.memory.view import View
from clawgit.safety.redaction import redacted
from clawgit.search.fact_classes import CATEGORIES, Category, classify, find_end
from clawgit.text import document
from clawgit.text.edit import append_block, append_under, bullet
from clawgit.text.entry import entries, normalise
from clawgit.text.front_matter import read_field
from clawgit.text.similarity import sense
from clawgit.workspace import file_roles, manifest
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.entries import PLANS
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.memory import HOMES, SECTIONS
from clawgit.workspace.memory_lines import MemoryLine, list_lines
from clawgit.workspace.workspace import Workspace

ORGANIZER = "organizer"
MAX_INDEX_BYTES = 2_048
"""Of the whole file, as far as it is ours (seed 3)."""
_RECENT, _TOPICS, _KEY_FACTS = 7, 8, 12
_MAX_LINE_CHARS = 110
BEGIN, END = "<!-- clawgit: the index, rendered from memory -->", "<!-- clawgit: end of the index -->"
_VIEW = re.compile(rf"{re.escape(BEGIN)}.*?{re.escape(END)}\n?", re.DOTALL)
_MIN_LINES_OF_THING = 5
_DAY = re.compile(r"\[?(\d{4}-\d\d-\d\d)\b\]?[ \t]*[:,–—-]?[ \t]+")  # noqa: RUF001 - dashes of all kinds
_NAME = re.compile(r"(?<=[\w,;:)] )[A-Z][\w-]{2,}")
_TITLES: Mapping[Category, str] = {
    "personal": "About the operator",
    "tasks": "Tasks",
    "agents": "Agents",
    "system": "Machines and software",
}


class Fact(Struct, frozen=True):
    """A statement of memory: where it is, since when, and its last day (None: for good).

    `sources` are the ids of the entries that say it.
    """

    id: str
    category: Category
    text: str
    path: str
    line: int
    first: date | None
    last: date | None
    expires: date | None
    confidence: float
    sources: tuple[str, ...]

    def is_over(self, today: date) -> bool:
        """Return whether its term is over."""
        return self.expires is not None and self.expires < today


def list_facts(workspace: Workspace) -> list[Fact]:
    """Return what all files of memory say, in their order; entries that say the same are one fact."""
    facts: dict[tuple[str, ...], Fact] = {}
    for line in list_lines(workspace):
        is_shown = line.status in ("live", "corrected") and line.origin != "untrusted"
        if not is_shown or manifest.kind(line.path, workspace.memory_file) == "archive":
            continue
        fact = _read_fact(line, workspace.now().date())
        key = sense(fact.text)
        facts[key] = _join(facts[key], fact) if key in facts else fact
    return list(facts.values())


def _read_fact(line: MemoryLine, today: date) -> Fact:
    text = redacted(one_line(line.text))
    days = due_dates.days(text, line.first or today) if (line.tag or "") in PLANS else ()
    due = max(days, default=None)
    category = classify(text, is_event=bool(due) or line.tag == "event")
    expires = find_end(category, line.last or today, due)
    place = line.path, line.line
    return Fact(line.id, category, text, *place, line.first, line.last, expires, line.confidence, (line.id,))


def _join(one: Fact, other: Fact) -> Fact:
    ends = (one.expires, other.expires)
    expires = None if None in ends else max(filter(None, ends))
    return replace(one, expires=expires, sources=(*one.sources, *other.sources))


def place_view(category: Category) -> str:
    """Return the file of a class."""
    return f"{file_roles.STRUCTURED}{category}.md"


def update_views(view: View, facts: Sequence[Fact], today: date) -> Change | None:
    """Return the change that renders the views, or removes them where they are off; None where all is as it should be.

    A line that somebody typed into a view goes to the memory file, where it is found.
    """
    workspace = view.workspace
    is_on = workspace.config.value("structured_views") == "on"
    typed = list(_list_typed(view, {normalise(fact.text) for fact in facts}))
    texts: dict[str, str | None] = {
        place_view(name): _render_class(name, facts, typed, today) if is_on else None for name in CATEGORIES
    }
    index = view.read(file_roles.INDEX)
    if is_on:
        texts[file_roles.INDEX] = render_index(index, facts, list(_list_topics(view)))
    elif index is not None and _VIEW.search(index):
        texts[file_roles.INDEX] = _VIEW.sub("", index) if _VIEW.sub("", index).strip("# \nIndex") else None
    if typed:
        after = view.read(workspace.memory_file) or "# Memory\n"
        for text in typed:
            after = append_under(after, SECTIONS["knowledge"], bullet(text), create=True)
        texts[workspace.memory_file] = after
    texts[file_roles.FACTS] = None  # a register that clawgit 0.2 kept
    edits = tuple(Edit(path, view.read(path), text) for path, text in texts.items() if text != view.read(path))
    if not edits:
        return None
    taken = f", {len(typed)} line{'' if len(typed) == 1 else 's'} taken into {workspace.memory_file}" if typed else ""
    why = "What somebody typed into a view is a memory now." if typed else "Rendered from the entries of memory."
    return Change(f"memory: views {'rendered' if is_on else 'removed'}{taken}", why, edits, (), "agent", ORGANIZER)


def _list_typed(view: View, said: Collection[str]) -> Iterator[str]:
    """Yield the bullets of the views that the organizer did not write, and that no fact says."""
    repo = view.workspace.repo
    for path in map(place_view, CATEGORIES):
        text = view.read(path)
        commit = (
            next(history.log(repo, path, containing=f"Clawgit-Agent: {ORGANIZER}", limit=1), None) if text else None
        )
        rendered = loosely(repository.read(repo, commit.id, path)) if commit else ""
        known = {normalise(entry.text) for entry in entries(rendered)}.union(said)
        lines = (one_line(entry.text) for entry in entries(text or "") if entry.kind == "bullet")
        yield from (line for line in lines if normalise(line) not in known and _is_bullet(line))


def _is_bullet(text: str) -> bool:
    try:
        return bool(bullet(text))
    except ClawgitError:
        return False


def _render_class(name: Category, facts: Sequence[Fact], typed: Sequence[str], today: date) -> str | None:
    """Return the view of a class, None for no facts."""
    texts = [fact.text for fact in facts if fact.category == name and not fact.is_over(today) and _is_bullet(fact.text)]
    texts += [text for text in typed if classify(text) == name]
    rows = "".join(f"{bullet(text)}\n" for text in dict.fromkeys(texts))
    return f"# {_TITLES[name]}\n\n{rows}" if rows else None


def render_index(text: str | None, facts: Sequence[Fact], topics: Sequence[tuple[str, str, str]]) -> str:
    """Return the index with its view as it is now, the most needed lines first; whatever is outside of its marks stays.

    `topics` are path, title and newest day of the files about one thing.
    """
    whole = text if text and _VIEW.search(text) else append_block(text or "# Index\n", f"{BEGIN}\n{END}\n")
    room = MAX_INDEX_BYTES - len(_VIEW.sub("", whole).encode()) - len(f"{BEGIN}\n\n{END}\n".encode())
    counts = {name: sum(fact.category == name for fact in facts) for name in CATEGORIES}
    newest = sorted(topics, key=lambda topic: (topic[2], topic[0]), reverse=True)[:_TOPICS]
    recent = sorted(facts, key=lambda fact: (_find_day(fact), fact.path, -fact.line), reverse=True)[:_RECENT]
    lasting = [fact for fact in facts if fact.expires is None and fact not in recent]
    best = sorted(lasting, key=lambda fact: (-fact.confidence * len(fact.sources), fact.id))[:_KEY_FACTS]
    places = {name: place_view(name).removeprefix("memory/") for name, count in counts.items() if count}
    sections = {
        "Facts by class": [f"- [{name}]({place}): {counts[name]}" for name, place in places.items()],
        "Topics": [f"- [{title}]({path.removeprefix('memory/')}) {day}".rstrip() for path, title, day in newest],
        "Recent activity": [f"- [{_find_day(fact)}] {_shorten_fact(fact)}" for fact in recent],
        "Key facts": [f"- {_shorten_fact(fact)}" for fact in best],
    }
    rows: list[str] = []
    for title, lines in sections.items():
        block = ["", f"## {title}", ""]
        room -= len("\n".join(block).encode()) + 1
        for line in lines:
            room -= len(line.encode()) + 1
            if room >= 0:
                rows += [*block, line]
                block = []
    rendered = "\n".join((BEGIN, *rows, *([""] if rows else []), END, ""))
    return _VIEW.sub(lambda _: rendered, whole, count=1)


def _find_day(fact: Fact) -> date:
    """Return the day that a fact begins with, else that of its last mention."""
    begins = _DAY.match(fact.text)
    parsed = parse_date(begins[1]) if begins else None
    return date(parsed.year, parsed.month, parsed.day) if parsed else fact.last or date.min


def _shorten_fact(fact: Fact) -> str:
    return shorten(_DAY.sub("", fact.text), _MAX_LINE_CHARS)


def _list_topics(view: View) -> Iterator[tuple[str, str, str]]:
    """Yield path, title and newest day of the files of memory about one thing."""
    root = view.workspace.root
    days: defaultdict[str, str] = defaultdict(str)
    for row in view.rows().values():
        days[row.file] = max(days[row.file], row.last.isoformat() if row.last else "")
    files = (*root.glob("memory/*.md"), *(file for home in HOMES for file in root.glob(f"memory/{home}/*.md")))
    for file in sorted(files):
        path = file.relative_to(root).as_posix()
        if manifest.kind(path) == "memory" and path not in view.workspace.memory_files and file.is_file():
            text = view.read(path) or ""
            title = read_field(text, "title") or next(filter(None, map(one_line, document.section_titles(text))), "")
            yield path, title or file.stem, days[path]


def find_things(view: View, held: Sequence[Held]) -> list[Leaving]:
    """Return the lines of the memory file about the thing that most of them name, for a file of its own.

    A thing is a name within a sentence in five lines or more. In German each noun is written like a name.
    """
    by_name: defaultdict[str, list[Held]] = defaultdict(list)
    for one in held:
        if "de" not in detect.candidates(one.entry.text):
            for name in set(_NAME.findall(one.entry.text)):
                by_name[name].append(one)
    called = {word.casefold() for name in view.workspace.called for word in name.split()}
    fitting = [
        (name, lines)
        for name, lines in by_name.items()
        if len(lines) >= _MIN_LINES_OF_THING and name.casefold() not in called
    ]
    if not fitting:
        return []
    name, lines = max(fitting, key=lambda pair: (len(pair[1]), pair[0]))
    place = f"memory/entities/{re.sub(r'[^a-z0-9]+', '-', name.casefold()).strip('-')}.md"
    reason = f"one of {len(lines)} lines about {name}"
    return [Leaving(one, place, reason) for one in lines]
