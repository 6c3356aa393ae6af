"""What a long memory file moves to files by topic."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.compacting.archive import Before
from clawgit.agents.compacting.memory_hygiene import Held
from clawgit.agents.promoting.core_length import MOST_LINES as MOST
from clawgit.safety import binding, secrets
from clawgit.safety.normalise import operator_names
from clawgit.text import confidence, document
from clawgit.text.document import Section
from clawgit.text.edit import append_block, append_under, is_link, link, topic_link
from clawgit.text.entry import Entry, digest, entries
from clawgit.workspace import openclaw_limits
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import topic_file

Read = Callable[[str], str | None]

_WORDS = re.compile(r"[^\w]+")
FEWEST = 4
"""Entries of a section, or lines of it, below which a file of their own is not worth a link."""
INDEX = "More in other files"
"""The section that says where whole sections went."""
_SHARE = 0.8  # of what is allowed: the next entries have room, so that not every night moves one
_OVER_LINES, _OVER_SIZE = 20, 2_000
"""How much more than needed a section may take along; of a larger one only entries leave."""
_ASIDE = re.compile(r"\s*\([^()]*\)\s*$")


class Topic(Struct, frozen=True):
    """What goes to one file: entries of one section in their order, or with `spans` whole sections, from line to line.

    `title` is that of the section, `says` what the link tells of it beyond that.
    """

    title: str
    path: str
    some: tuple[Held, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    says: str = ""


class Known(Struct, frozen=True):
    """What a memory file is shortened by: what is asked of it, and who is who.

    `asked` are the ids of entries that the operator asked for, corrected or drew as a boundary, `called` the names of
    the agent and of the operator. `order` are titles of sections in the order in which they may go, `says` what a link
    says of each.
    """

    today: date
    rules: confidence.Rules
    before: Before
    read: Read
    asked: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    order: tuple[str, ...] = ()
    says: Mapping[str, str] = {}


class _Room:
    """How many lines and characters still have to go."""

    def __init__(self, text: str, cap: int) -> None:
        self.rows = document.split(text)
        self.lines = len(self.rows) - int(MOST * _SHARE)
        self.size = openclaw_limits.length(text) - int(cap * _SHARE)

    @property
    def enough(self) -> bool:
        return self.lines <= 0 and self.size <= 0

    def fits(self, start: int, end: int) -> bool:
        """Tell whether these lines are not many more than have to go."""
        return end - start < self.lines + _OVER_LINES or self._size(start, end) < self.size + _OVER_SIZE

    def take(self, start: int, end: int) -> None:
        self.lines -= end - start + 1
        self.size -= self._size(start, end)

    def put(self, line: str) -> None:
        self.lines += 1
        self.size += openclaw_limits.length(line) + 1

    def _size(self, start: int, end: int) -> int:
        return openclaw_limits.length("".join(self.rows[start - 1 : end]))


def too_long(text: str, cap: int) -> bool:
    """Tell whether a memory file has MOST lines, or more than `cap` characters."""
    return len(document.split(text)) >= MOST or openclaw_limits.length(text) > cap


def topics(text: str, some: Iterable[Held], cap: int, known: Known) -> list[Topic]:
    """Return what has to go, so that a memory file has fewer than MOST lines and `cap` characters; [] for a short one.

    Sections of which nothing is known leave whole, the last first, for whoever wrote them began with what matters; then
    of the others the entries that are least sure, those that nobody mentioned for the longest, what stands first. What
    binds the agent stays. The sections that are named after the agent or the operator, or give a name, and what was
    asked for, are the last of which entries leave. What somebody brought back stays.
    """
    if not too_long(text, cap):
        return []
    room, every = _Room(text, cap), list(some)
    whole = list(_whole(movable(text, every, known), room, known))
    gone = {line for one in whole for line in range(one.start, one.end + 1)}
    rest = [one for one in every if one.entry.start not in gone]
    bound = _bound_lines(text, titles=True)
    return [*_grouped(whole, known), *_parts(text, rest, bound, room, known)]


def movable(text: str, some: Iterable[Held], known: Known) -> list[Section]:
    """Return the sections that may leave as they stand, in the order in which they do.

    No line of one binds the agent, was asked for, or has a life of its own. Those whose title alone sounds like rules
    come last.
    """
    rows, every = document.split(text), list(some)
    order = {title: at for at, title in enumerate(known.order)}
    free = [one for one in _tops(text) if not _personal(rows, one, known.called) and _plain(text, one, known)]
    free.sort(key=lambda one: (order.get(one.title, len(order)), -one.start))
    bound, forced = _bound_lines(text, titles=True), _bound_lines(text, titles=False)
    fit = [one for one in free if forced.isdisjoint(range(one.start, one.end + 1)) and _loose(rows, one, every, known)]
    return sorted(fit, key=lambda one: not bound.isdisjoint(range(one.start, one.end + 1)))


def _bound_lines(text: str, *, titles: bool) -> set[int]:
    """Return the lines of sentences that bind the agent, by their own words or also by the titles above them."""
    said = binding.said(text) if titles else (replace(one, under=("", "", "")) for one in binding.said(text))
    return {one.line for one in said if binding.binds(one, notes=True)}


def _loose(rows: Sequence[str], one: Section, every: Sequence[Held], known: Known) -> bool:
    """Tell whether a section is worth a file, and nothing is known of its entries by which each would go alone."""
    inside = [each for each in every if one.start <= each.entry.start <= one.end]
    lines = sum(not document.is_blank(row) for row in rows[one.start : one.end])
    return (
        lines >= FEWEST and topic_file(_base(one.title)) != "" and not any(e.row or e.id in known.asked for e in inside)
    )


def _tops(text: str) -> list[Section]:
    """Return the sections of the highest level of which there are several."""
    found = document.sections(text)
    levels = [one.level for one in found]
    top = min((level for level in set(levels) if levels.count(level) > 1), default=0)
    return [one for one in found if one.level == top]


def _personal(rows: Sequence[str], one: Section, called: frozenset[str]) -> bool:
    """Tell whether a section says who the agent and the operator are: by its title, or as it gives a name."""
    words = set(_WORDS.split(one.title.casefold()))
    named = any(set(_WORDS.split(name.casefold())) <= words for name in called)
    return named or bool(operator_names("".join(rows[one.start - 1 : one.end])))


def _plain(text: str, one: Section, known: Known) -> bool:
    """Tell whether nothing holds a section where it is: no record, task, comment or secret, and nobody brought it."""
    words = "".join(document.split(text)[one.start - 1 : one.end])
    inside = [each for each in entries(text) if one.start <= each.start <= one.end]
    back = known.before.brought_back(text)
    held = any(each.status or each.checked is not None or digest(each.text) in back for each in inside)
    return not (held or "<!--" in words or secrets.scan(words) or one.title == INDEX)


def _whole(some: Iterable[Section], room: _Room, known: Known) -> Iterator[Section]:
    """Yield the sections that leave as they stand, until there is room."""
    for one in some:
        if room.enough:
            return
        if room.fits(one.start, one.end):
            room.take(one.start, one.end)
            room.put(_index(one.title, topic_file(_base(one.title)), known.says.get(one.title, "")))
            yield one


def _grouped(whole: Sequence[Section], known: Known) -> Iterator[Topic]:
    """Yield sections that leave, by the file that takes them; titles that differ in what brackets say share it."""
    found: defaultdict[str, list[Section]] = defaultdict(list)
    for one in sorted(whole, key=lambda one: one.start):
        found[topic_file(_base(one.title))].append(one)
    for path, some in found.items():
        title = some[0].title if len(some) == 1 else _base(some[0].title)
        says = next((known.says[one.title] for one in some if one.title in known.says), "")
        yield Topic(title, path, (), tuple((one.start, one.end) for one in some), says)


def _base(title: str) -> str:
    """Return a title without what stands in brackets at its end: a day, whose words it is."""
    return _ASIDE.sub("", title) or title


def _parts(text: str, some: Iterable[Held], bound: set[int], room: _Room, known: Known) -> Iterator[Topic]:
    """Yield the entries that leave sections that stay."""
    more = known.before.brought_back(text)
    back = [one for one in entries(text) if digest(one.text) in more]
    sections = {title: each for title, each in _sections(some).items() if not _brought_back(title, back, known.read)}
    sections = {title: [one for one in each if not _bound(one, bound)] for title, each in sections.items()}
    gone: dict[str, list[Held]] = {title: [] for title in sections if topic_file(title)}
    heads = {title: one.entry.start for title in gone for one in sections[title][:1]}
    own = {one.title for one in document.sections(text) if _personal(room.rows, one, known.called) and one.level > 1}

    def life(one: Held) -> tuple[bool, float, date, int, int]:
        sure, last = _life(one, known)
        late = one.id in known.asked or _title(one.entry) in own
        return late, sure, last, 0 if one.row else -heads[_title(one.entry)], one.entry.start

    for one in sorted((one for title in gone for one in sections[title]), key=life):
        if room.enough:
            break
        mine = gone[_title(one.entry)]
        mine.append(one)
        if len(mine) < FEWEST:  # with fewer, nothing of the section goes
            continue
        if len(mine) == FEWEST:
            room.put(topic_link(_title(one.entry), topic_file(_title(one.entry))))
        for each in mine if len(mine) == FEWEST else [one]:
            room.take(each.entry.start, each.entry.end)
    for title, mine in gone.items():
        if len(mine) >= FEWEST:
            yield Topic(title, topic_file(title), tuple(sorted(mine, key=lambda one: one.entry.start)))


def _brought_back(title: str, some: Iterable[Entry], read: Read) -> bool:
    """Tell whether an entry left a section and was put back; one that its topic still holds was only said again."""
    here = [digest(one.text) for one in some if _title(one) == title]
    path = topic_file(title)
    there = {digest(one.text) for one in entries(read(path) or "")} if here and path else set()
    return any(one not in there for one in here)


def _sections(some: Iterable[Held]) -> dict[str, list[Held]]:
    """Return the entries by the title that they stand below, without lists that are too short and links."""
    found: defaultdict[str, list[Held]] = defaultdict(list)
    for one in some:
        if one.entry.depth == 1 and not is_link(one.entry.text):
            found[_title(one.entry)].append(one)
    return {title: every for title, every in found.items() if len(every) >= FEWEST}


def _bound(one: Held, rules_of: set[int]) -> bool:
    return not rules_of.isdisjoint(range(one.entry.start, one.entry.end + 1))


def _title(entry: Entry) -> str:
    return entry.section[-1] if entry.section else "Notes"


def _life(one: Held, known: Known) -> tuple[float, date]:
    row = one.row
    if row is None:
        return confidence.INFERRED, date.min
    sure = confidence.current(row.confidence, len(row.mentions), row.last, known.today, known.rules)
    return sure, row.last or date.min


def shortened(text: str, wanted: Iterable[Topic]) -> str:
    """Return a memory file without what leaves: links end lists, and one section lists the sections that left whole."""
    away, links, index = set[int](), dict[int, str](), list[str]()
    for topic in wanted:
        away |= {line for one in topic.some for line in range(one.entry.start, one.entry.end + 1)}
        away |= {line for start, end in topic.spans for line in range(start, end + 1)}
        if f"]({topic.path})" in text:
            continue
        if topic.spans:
            index.append(_index(topic.title, topic.path, topic.says))
        else:
            links[_end(text, topic)] = topic_link(topic.title, topic.path)
    after = "".join(_rows(document.split(text), away, links, document.eol(text)))
    for line in index:
        after = append_under(after, INDEX, line + "\n", create=True)
    return after


def _index(title: str, path: str, says: str) -> str:
    return link(f"{title}: {says + ' ' if says else ''}[{path}]({path})", path)


def _end(text: str, topic: Topic) -> int:
    """Return the last line of the list that the last entry of a topic stands in."""
    last = topic.some[-1].entry
    below = (one for one in entries(text) if one.start >= last.start)
    own = takewhile(lambda one: one.kind == "bullet" and one.section == last.section, below)
    return max((one.end for one in own), default=last.end)


def _rows(rows: list[str], away: set[int], links: dict[int, str], eol: str) -> Iterator[str]:
    for number, row in enumerate(rows, 1):
        if number not in away:
            yield row if number not in links or document.ends_with_newline(row) else row + eol
        if number in links:
            yield links[number] + eol


def filed(there: str | None, memory: str, topic: Topic) -> str:
    """Return the file of a topic with what leaves at its end: whole sections with their headings, lines of entries."""
    rows = document.split(memory)
    found = f"# {_base(topic.title)}\n" if there is None else there
    for start, end in topic.spans:
        block = "".join(rows[start - 1 : end]).replace("\r\n", "\n").strip("\n")
        found = append_block(found, block + "\n")
    for one in topic.some:
        block = "".join(rows[one.entry.start - 1 : one.entry.end]).replace("\r\n", "\n")
        found = append_under(found, topic.title, block if block.endswith("\n") else block + "\n", create=True)
    return found


def leaving(topic: Topic, some: Iterable[Held]) -> list[Held]:
    """Return the entries that leave with a topic."""
    spans = topic.spans
    return [*topic.some, *(one for one in some if any(start <= one.entry.start <= end for start, end in spans))]


def moved(topic: Topic) -> Iterator[Row]:
    """Yield the rows of the entries in their new place."""
    yield from (replace(one.row, file=topic.path) for one in topic.some if one.row)
