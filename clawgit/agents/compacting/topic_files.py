"""What a long memory file moves to files by topic."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.compacting.memory_hygiene import Held
from clawgit.agents.compacting.memory_pieces import (
    FEWEST,
    INDEX,
    MemoryPieces,
    Piece,
    Standing,
    base,
    bound_lines,
    labelled,
    ordered,
    subjects,
)
from clawgit.text import confidence, document
from clawgit.text.edit import append_block, append_under, is_link, topic_link
from clawgit.text.entry import Entry, digest, entries
from clawgit.workspace import openclaw_limits
from clawgit.workspace.entries import Row
from clawgit.workspace.memory_length import MOST_LINES as MOST

Read = Callable[[str], str | None]

_SHARE = 0.9  # of what is allowed: the next entries have room, so that not every night moves one
_OVER_LINES, _OVER_SIZE = 10, 1_000
"""How much more than needed a section may take along; of a larger one only parts leave."""


class Topic(Struct, frozen=True):
    """What goes to one file: entries of one section in their order, or pieces; `title` is that of the section."""

    title: str
    path: str
    some: tuple[Held, ...] = ()
    pieces: tuple[Piece, ...] = ()


class Known(Struct, frozen=True):
    """What a memory file is shortened by.

    `order` are the first lines of pieces and sections in the order in which they may go.
    """

    today: date
    rules: confidence.Rules
    standing: Standing
    read: Read
    order: tuple[int, ...] = ()


class _Room:
    """How many lines and characters still have to go."""

    def __init__(self, text: str, cap: int) -> None:
        self.rows = document.split(text)
        self.lines = len(self.rows) - int(MOST * _SHARE)
        self.size = openclaw_limits.length(text) - int(cap * _SHARE)
        self._spare = MOST - 1 - int(MOST * _SHARE), cap - int(cap * _SHARE)

    def enough(self, *, barely: bool = False) -> bool:
        """Return whether there is room for the next entries, or `barely` that the file is not too long any more."""
        lines, size = self._spare if barely else (0, 0)
        return self.lines <= lines and self.size <= size

    def fits(self, start: int, end: int) -> bool:
        """Return whether these lines are not many more than have to go."""
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
    """Return whether a memory file has MOST lines, or more than `cap` characters."""
    return len(document.split(text)) >= MOST or openclaw_limits.length(text) > cap


def excess(text: str, cap: int) -> int:
    """Return how many lines of a memory file have to go: as many of its share as there are characters too many."""
    room, size = _Room(text, cap), max(openclaw_limits.length(text), 1)
    return max(room.lines, round(len(room.rows) * max(room.size, 0) / size))


def topics(text: str, cap: int, known: Known) -> list[Topic]:
    """Return what has to go, so that a memory file has fewer than MOST lines and `cap` characters; [] for a short one.

    Pieces of which nothing is known leave whole, then of the sections that stay the entries that are least sure, those
    that nobody mentioned for the longest, what stands first; not what a label introduces. What binds the agent stays.
    Where a voice gave an order, what it names goes first, and of the rest no more than must. The sections that are
    named after the agent or the operator, or give a name, and what was asked for, are the last of which entries leave.
    What somebody brought back stays.
    """
    if not too_long(text, cap):
        return []
    room, pieces, below = _Room(text, cap), MemoryPieces(text, known.standing), labelled(text)
    loose = [one for one in known.standing.some if one.row or one.entry.start not in below]
    every = ordered(pieces.movable(fine=bool(known.order)), known.order)
    some = [one for one in every if one.start in known.order or not pieces.named(one)]
    heads = {section.title for section in document.sections(text) if section.start in known.order}
    whole: list[Piece] = []
    found: list[Topic] = []
    for first in (True, False) if known.order else (True,):
        gone = {each.entry.start for one in found for each in one.some}
        mine = [one for one in some if not known.order or (one.start in known.order) == first]
        free = [one for one in mine if gone.isdisjoint(one.lines)]
        done = partial(room.enough, barely=not first)
        whole += _whole(pieces, free, room, known, done)
        away = {line for one in whole for line in one.lines}
        rest = [one for one in loose if not known.order or (_title(one.entry) in heads) == first]
        found += _parts(text, [one for one in rest if one.entry.start not in away], room, known, done)
    return [*_grouped(whole), *found]


def _whole(
    pieces: MemoryPieces, some: Iterable[Piece], room: _Room, known: Known, done: Callable[[], bool]
) -> Iterator[Piece]:
    """Yield the pieces that leave as they stand, until there is room."""
    linked = set[int | str]()
    for one in some:
        for each in [one] if room.fits(one.start, one.end) else ordered(pieces.inside(one), known.order):
            if done():
                return
            if room.fits(each.start, each.end):
                room.take(each.start, each.end)
                place = each.section if each.label else each.within
                for blank in () if place in linked else ("", ""):
                    room.put(blank)
                says = subjects(room.rows[each.start - 1 : each.end])
                if not each.label or place not in linked:
                    room.put(each.told(says))
                linked.add(place)
                yield replace(each, says=says)


def _grouped(whole: Sequence[Piece]) -> Iterator[Topic]:
    """Yield pieces that leave, by the file that takes them; titles that differ in what brackets say share it."""
    found: defaultdict[str, list[Piece]] = defaultdict(list)
    for one in sorted(whole, key=lambda one: one.start):
        found[one.path].append(one)
    for path, some in found.items():
        title = some[0].title if len(some) == 1 and not some[0].top else base(some[0].top or some[0].title)
        yield Topic(title, path, (), tuple(some))


def _parts(text: str, some: Iterable[Held], room: _Room, known: Known, done: Callable[[], bool]) -> Iterator[Topic]:
    """Yield the entries that leave sections that stay."""
    bound, more = bound_lines(text, titles=True), known.standing.before.brought_back(text)
    place = known.standing.place
    back = [entry for entry in entries(text) if digest(entry.text) in more]
    sections = {title: each for title, each in _sections(some).items() if not _brought_back(title, back, known)}
    sections = {title: [one for one in each if not _bound(one, bound)] for title, each in sections.items()}
    gone: dict[str, list[Held]] = {title: [] for title in sections if place(title)}
    heads = {title: one.entry.start for title in gone for one in sections[title][:1]}
    every, pieces = document.sections(text), MemoryPieces(text, known.standing)
    own = {one.title for one in every if one.level > 1 and pieces.stays(one)}
    order = {line: at for at, line in enumerate(known.order)}
    turn = {one.title: order[one.start] for one in every if one.start in order}

    def life(one: Held) -> tuple[bool, int, float, date, int, int]:
        sure, last = _life(one, known)
        title = _title(one.entry)
        late = one.id in known.standing.asked or not own.isdisjoint(one.entry.section)
        return late, turn.get(title, len(order)), sure, last, 0 if one.row else -heads[title], one.entry.start

    for one in sorted((one for title in gone for one in sections[title]), key=life):
        if done():
            break
        mine = gone[_title(one.entry)]
        mine.append(one)
        if len(mine) < FEWEST:  # with fewer, nothing of the section goes
            continue
        if len(mine) == FEWEST:
            room.put(topic_link(_title(one.entry), place(_title(one.entry)), _subjects(room.rows, mine)))
        for each in mine if len(mine) == FEWEST else [one]:
            room.take(each.entry.start, each.entry.end)
    for title, mine in gone.items():
        if len(mine) >= FEWEST:
            yield Topic(title, place(title), tuple(sorted(mine, key=lambda one: one.entry.start)))


def _subjects(rows: Sequence[str], some: Iterable[Held]) -> str:
    """Return what a link to some entries tells."""
    return subjects([rows[one.entry.start - 1] for one in some])


def _brought_back(title: str, some: Iterable[Entry], known: Known) -> bool:
    """Return whether an entry left a section and was put back; one that its topic still holds was only said again."""
    here = [digest(one.text) for one in some if _title(one) == title]
    path = known.standing.place(title)
    there = {digest(entry.text) for entry in entries(known.read(path) or "")} if here and path else set()
    return any(one not in there for one in here)


def _sections(some: Iterable[Held]) -> dict[str, list[Held]]:
    """Return the entries by the title that they stand below, without lists that are too short and links."""
    found: defaultdict[str, list[Held]] = defaultdict(list)
    for one in some:
        if one.entry.depth == 1 and not is_link(one.entry.text):
            found[_title(one.entry)].append(one)
    return {title: every for title, every in found.items() if len(every) >= FEWEST}


def _bound(one: Held, rules_of: frozenset[int]) -> bool:
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
    """Return a memory file without what leaves.

    Links end lists and sections, and stand where a section begins whose subsections left; one section lists those of
    the highest level.
    """
    away, links, index = set[int](), defaultdict[int, list[str]](list), list[str]()
    for topic in wanted:
        away |= {line for one in topic.some for line in range(one.entry.start, one.entry.end + 1)}
        away |= {line for one in topic.pieces for line in one.lines}
        if topic.some and f"]({topic.path})" not in text:
            links[_end(text, topic)].append(
                topic_link(topic.title, topic.path, _subjects(document.split(text), topic.some))
            )
        for at, piece in enumerate(topic.pieces):
            if piece.label:
                if piece.section not in {one.section for one in topic.pieces[:at]}:
                    _more(text, piece, links)
            elif piece.within:
                _lower(text, piece, links)
        if (tops := [one for one in topic.pieces if not one.within]) and f"]({topic.path})" not in text:
            says = next((one.says for one in tops if one.says), "")
            index.append(replace(tops[0], title=tops[0].title if len(tops) == 1 else topic.title).told(says))
    after = "".join(_rows(document.split(text), away, links, document.eol(text)))
    for line in index:
        after = append_under(after, INDEX, line + "\n", create=True)
    return after


def _more(text: str, piece: Piece, links: defaultdict[int, list[str]]) -> None:
    """Have a section of which labels leave end with a link, unless it has it."""
    here = next(section for section in document.sections(text) if section.start == piece.section)
    rows = document.split(text)[here.start - 1 : here.end]
    if f"]({piece.path})" not in "".join(rows):
        blocks = [block for block in document.parse(text).blocks if here.start <= block.start <= here.end]
        last = max(block.end for block in blocks if block.kind not in ("blank", "rule"))
        links[last] += ["", topic_link(piece.title, piece.path, piece.says)]


def _lower(text: str, piece: Piece, links: defaultdict[int, list[str]]) -> None:
    """Have the section that a subsection leaves say where it is, at the end of its own text."""
    heads = document.sections(text)
    here = next(head for head in reversed(heads) if head.start < piece.start <= head.end and head.title == piece.within)
    first = min(head.start for head in heads if here.start < head.start <= here.end)
    blocks = [
        block for block in document.parse(text).blocks if here.start <= block.start < first and block.kind != "blank"
    ]
    last = blocks[-1]
    if not links[last.end] and last.kind not in ("bullet", "continuation"):
        links[last.end].append("")
    links[last.end].append(piece.told(piece.says))


def _end(text: str, topic: Topic) -> int:
    """Return the last line of the list that the last entry of a topic stands in."""
    last = topic.some[-1].entry
    below = (entry for entry in entries(text) if entry.start >= last.start)
    own = takewhile(lambda one: one.kind == "bullet" and one.section == last.section, below)
    return max((one.end for one in own), default=last.end)


def _rows(rows: list[str], away: set[int], links: Mapping[int, list[str]], eol: str) -> Iterator[str]:
    for number, row in enumerate(rows, 1):
        if number not in away:
            yield row if number not in links or document.ends_with_newline(row) else row + eol
        yield from (line + eol for line in links.get(number, ()))


def filed(there: str | None, memory: str, topic: Topic) -> str:
    """Return the file of a topic with what leaves at its end: whole sections with their headings, lines of entries."""
    rows = document.split(memory)
    found = f"# {base(topic.title)}\n" if there is None else there
    blocks = ["".join(rows[piece.start - 1 : piece.end]).replace("\r\n", "\n").strip("\n") for piece in topic.pieces]
    if blocks:
        found = append_block(found, "\n\n".join(blocks) + "\n")
    for one in topic.some:
        block = "".join(rows[one.entry.start - 1 : one.entry.end]).replace("\r\n", "\n")
        found = append_under(found, topic.title, block if block.endswith("\n") else block + "\n", create=True)
    return found


def leaving(topic: Topic, some: Iterable[Held]) -> list[Held]:
    """Return the entries that leave with a topic."""
    return [*topic.some, *(one for one in some if any(one.entry.start in piece.lines for piece in topic.pieces))]


def moved(topic: Topic) -> Iterator[Row]:
    """Yield the rows of the entries in their new place."""
    yield from (replace(one.row, file=topic.path) for one in topic.some if one.row)
