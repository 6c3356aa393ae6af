"""The pieces of a memory file that may leave it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.compacting.journal_archive import Before
from clawgit.agents.compacting.memory_hygiene import Held
from clawgit.safety import binding, secrets
from clawgit.safety.normalise import operator_names
from clawgit.text import document
from clawgit.text.document import Block, Section
from clawgit.text.edit import link
from clawgit.text.entry import digest, entries
from clawgit.workspace.commit_message import shorten
from clawgit.workspace.memory import TopicFile, topic_file

FEWEST = 4
"""Entries or labels of a section, or lines of it, below which a file of their own is not worth a link."""
_LARGE = 25
"""Lines of a section from which on a voice is shown its parts instead."""
INDEX = "More in other files"
"""The section that says where whole sections went."""
_WORDS = re.compile(r"[^\w]+")
_ASIDE = re.compile(r"\s*\([^()]*\)\s*$|^\d{4}-\d\d-\d\d\W+(?=\w)")
_LABELLED = re.compile(
    r"(?:[-*+]|\d+[.)])?\s*(?:\*\*|__)(?P<bold>[^*_:\uff1a]{2,30})(?:[:\uff1a](?:\*\*|__)|(?:\*\*|__)\s*[:\uff1a])"
)
"""A label in bold, as it stands before what it is about: `- **Ports:** 3000`."""
_SUBJECTS, _SHOWN, _SUBJECT = 4, 90, 40
_LABEL = re.compile(r"\s*(?:\*\*|__|\d{4}-\d\d-\d\d)|.*:[*_\s]*$", re.DOTALL)


class Piece(Struct, frozen=True):
    """Lines `start` to `end`: a section with its title, or with `label` a labelled paragraph and what is below it.

    `section` is the line of the heading. `within` is the title of the section that a subsection or a label stands in,
    "" for one of the highest level; `top` is the one of that level, which names the file. `says` is what a link tells.
    `path` is the file by topic that takes it, "" where its title gives none.
    """

    title: str
    start: int
    end: int
    section: int = 0
    within: str = ""
    top: str = ""
    label: bool = False
    says: str = ""
    path: str = ""

    def told(self, says: str = "") -> str:
        """Return the line that leads to it."""
        title = self.title.rstrip(" :\uff1a")
        return link(f"{title}: {says + ' ' if says else ''}[{self.path}]({self.path})", self.path)

    @property
    def lines(self) -> range:
        """Return the numbers of its lines."""
        return range(self.start, self.end + 1)


class Standing(Struct, frozen=True):
    """What holds pieces where they are: names, what was asked for, what was brought back, and the entries.

    `asked` are the ids of entries that the operator asked for, corrected or drew as a boundary, `called` the names of
    the agent and of the operator; `place` gives the file of a topic.
    """

    some: tuple[Held, ...]
    before: Before
    asked: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    place: TopicFile = topic_file


def base(title: str) -> str:
    """Return a title without a day at its start, and what stands in brackets at its end: whose words it is."""
    return _ASIDE.sub("", title) or title


class MemoryPieces:
    """The pieces of one text of a memory file."""

    def __init__(self, text: str, standing: Standing) -> None:
        self._text, self._standing = text, standing
        self._rows, self._sections = document.split(text), document.sections(text)

    def movable(self, *, fine: bool = False) -> list[Piece]:
        """Return the largest pieces that may leave, in the order in which they do where nobody orders them.

        Where a voice chooses, `fine`, a large section is taken apart, if its parts may leave.

        No line of one binds the agent, was asked for, or has a life of its own. Of a section that must stay its
        subsections may go, and of one without any what its labels head. The last section goes first, for whoever wrote
        the file began with what matters, and the first label of one. What only a title makes sound like rules is late,
        and last what stands in a section that is named after somebody.
        """
        bound = bound_lines(self._text, titles=True)
        found = [one for section in _tops(self._sections) for one in self._of(section, "", "")]
        if fine:
            found = [each for one in found for each in self._fine(one)]

        def late(one: Piece) -> tuple[bool, bool, int, int]:
            return self.named(one), not bound.isdisjoint(one.lines), -one.section, one.start

        return sorted(found, key=late)

    def inside(self, piece: Piece) -> list[Piece]:
        """Return the pieces of a section that is too large to leave whole."""
        here = [section for section in self._sections if section.start == piece.start and not piece.label]
        return [each for one in here for each in self._below(one, piece.top)]

    def _fine(self, one: Piece) -> list[Piece]:
        parts = self.inside(one) if len(one.lines) > _LARGE else []
        return parts if len(parts) > 1 else [one]

    def offered(self) -> list[Piece]:
        """Return what may leave, and the other sections without subsections, from which entries can; as they stand."""
        some = self.movable(fine=True)
        taken = {line for one in some for line in one.lines}
        lowest = (
            self._piece(one, one.start, one.end)
            for one, after in zip(self._sections, [*self._sections[1:], None], strict=True)
            if (after is None or after.start > one.end) and taken.isdisjoint(range(one.start, one.end + 1))
        )
        rest = (one for one in lowest if self._long(one) and one.title != INDEX)
        return sorted([*some, *rest], key=lambda one: one.start)

    def named(self, one: Piece) -> bool:
        """Return whether a piece is part of a section that is named after the agent or the operator."""
        return _names(one.top, self._standing.called)

    def stays(self, one: Section) -> bool:
        """Return whether a section says who the agent and the operator are: by its title, or as it gives a name."""
        said = "".join(self._rows[one.start - 1 : one.end])
        return _names(one.title, self._standing.called) or bool(operator_names(said))

    def _of(self, section: Section, within: str, top: str) -> Iterator[Piece]:
        if section.title == INDEX:
            return
        whole = self._piece(section, section.start, section.end, within, top)
        if not self.stays(section) and self._long(whole) and self._free(whole):
            yield whole
        else:
            yield from self._below(section, top)

    def _below(self, section: Section, top: str) -> Iterator[Piece]:
        lower = [one for one in self._sections if section.start < one.start <= section.end]
        level = min((one.level for one in lower), default=0)
        for one in lower:
            if one.level == level:
                yield from self._of(one, section.title, top or section.title)
        if not lower and not self._returned(range(section.start, section.end + 1)):
            some = list(self._labels(section, top or section.title))
            yield from (one for one in some if len(some) >= FEWEST and self._free(one))

    def _labels(self, section: Section, top: str) -> Iterator[Piece]:
        """Yield what the labels of a section head, down to its next paragraph."""
        blocks = self._blocks
        blocks = blocks[bisect_left(blocks, section.body, key=_start) : bisect_right(blocks, section.end, key=_start)]
        heads = [at for at, one in enumerate(blocks) if one.kind in ("paragraph", "rule")]
        for at, after in pairwise([*heads, len(blocks)]):
            first = blocks[at]
            if first.kind == "paragraph" and _LABEL.match("".join(self._rows[first.start - 1 : first.end])):
                end = blocks[after - 1].end
                yield self._piece(section, first.start, end, section.title, top, label=True)

    def _piece(
        self, section: Section, start: int, end: int, within: str = "", top: str = "", *, label: bool = False
    ) -> Piece:
        place = self._standing.place
        path = place(base(top or section.title)) or place(base(section.title))
        return Piece(section.title, start, end, section.start, within, top, label, path=path)

    def _long(self, one: Piece) -> bool:
        return sum(not document.is_blank(row) for row in self._rows[one.start : one.end]) >= FEWEST

    def _free(self, one: Piece) -> bool:
        """Return whether nothing holds a piece where it is: no rule, record, task, comment or secret, nobody's wish."""
        words = "".join(self._rows[one.start - 1 : one.end])
        if not one.path or "<!--" in words or not self._forced.isdisjoint(one.lines) or secrets.scan(words):
            return False
        return self._held.isdisjoint(one.lines) and not self._returned(one.lines)

    def _returned(self, lines: range) -> bool:
        return not self._back.isdisjoint(lines)

    @cached_property
    def _held(self) -> set[int]:
        """The lines of entries that something is known of, or that are records or tasks."""
        known = {one.entry.start for one in self._standing.some if one.row or one.id in self._standing.asked}
        return known | {entry.start for entry in entries(self._text) if entry.status or entry.checked is not None}

    @cached_property
    def _blocks(self) -> tuple[Block, ...]:
        return document.parse(self._text).blocks

    @cached_property
    def _forced(self) -> frozenset[int]:
        return bound_lines(self._text, titles=False)

    @cached_property
    def _back(self) -> set[int]:
        """The lines of entries that somebody brought back."""
        back = self._standing.before.brought_back(self._text)
        return {entry.start for entry in entries(self._text) if digest(entry.text) in back}


def subjects(rows: Sequence[str]) -> str:
    """Return in their own words what the first of some lines are about: titles, else labels in bold; "" for neither.

    Where nobody says what a link leads to, this does. Statements are left out, for no correction would find them there.
    """
    bare = [row for row, code in zip(rows, binding.fenced([*rows]), strict=True) if not code]
    titles = [row.strip("# \t\r\n") for row in bare[1:] if row.startswith("#")]
    labels = (found["bold"].strip() for row in bare if (found := _LABELLED.match(row.lstrip())))
    some = [one for one in titles or labels if one.isprintable() and re.search(r"[^\W\d_]{2}", one) and "~~" not in one]
    told = [shorten(one, _SUBJECT) for one in dict.fromkeys(some)][:_SUBJECTS]
    while len(told) > 1 and len(", ".join(told)) > _SHOWN:
        told.pop()
    return ", ".join(told)


@lru_cache(maxsize=4)
def bound_lines(text: str, *, titles: bool) -> frozenset[int]:
    """Return the lines of sentences that bind the agent, by their own words or also by the titles above them."""
    said = binding.said(text) if titles else (replace(one, under=("", "", "")) for one in binding.said(text))
    called = (line for line, row in enumerate(document.split(text), 1) if binding.called_a_rule(row))
    return frozenset((*called, *(one.line for one in said if binding.binds(one, notes=True))))


def labelled(text: str) -> set[int]:
    """Return the lines below labels that end with a colon: a list that says nothing without what introduces it."""
    rows, found, below = document.split(text), set[int](), False
    for one in document.parse(text).blocks:
        if one.kind in ("paragraph", "heading", "rule"):
            below = one.kind == "paragraph" and rows[one.end - 1].rstrip().rstrip("*_").endswith(":")
        elif below:
            found |= set(range(one.start, one.end + 1))
    return found


def ordered(some: Iterable[Piece], first: Sequence[int]) -> list[Piece]:
    """Return pieces in an order that was given by their first lines; those that it does not name keep theirs, last."""
    order = {line: at for at, line in enumerate(first)}
    return sorted(some, key=lambda one: order.get(one.start, len(order)))


def _start(block: Block) -> int:
    return block.start


def _names(title: str, called: frozenset[str]) -> bool:
    words = set(_WORDS.split(title.casefold()))
    return any(set(_WORDS.split(name.casefold())) <= words for name in called)


def _tops(found: Sequence[Section]) -> list[Section]:
    """Return the sections of the highest level of which there are several."""
    levels = [one.level for one in found]
    top = min((level for level in set(levels) if levels.count(level) > 1), default=0)
    return [one for one in found if one.level == top]
