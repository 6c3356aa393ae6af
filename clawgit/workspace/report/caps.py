"""What OpenClaw's caps hide from the agent."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from clawgit.text import outline
from clawgit.workspace import caps
from clawgit.workspace.caps import Cut, Limits
from clawgit.workspace.report.words import masked, shown


class Unseen(Struct, frozen=True):
    """A file of which the agent never sees `hidden` of `size` characters: those on lines `first` to `last`.

    `headings` are those that fall into the gap, or that it begins under. `room` is what the file may have, `cap` what
    the files before it leave.
    """

    path: str
    size: int
    hidden: int
    first: int
    last: int
    headings: tuple[str, ...]
    cap: int
    room: int


def unseen(texts: Mapping[str, str], limits: Limits | None = None) -> tuple[Unseen, ...]:
    """Return the files that are not shown whole, the largest gap first."""
    rooms = limits or Limits()
    found = (_unseen(texts[cut.path], cut, rooms.of(cut.path)) for cut in caps.cuts(texts, limits))
    return tuple(sorted(found, key=lambda one: -one.hidden))


def _unseen(text: str, cut: Cut, room: int) -> Unseen:
    start, end = _at(text, cut.head), _at(text, cut.size - (cut.shown - cut.head))
    first, last = text.count("\n", 0, start) + 1, text.count("\n", 0, max(end - 1, start)) + 1
    headings = tuple(dict.fromkeys(_headings(text, first, last)))
    return Unseen(cut.path, cut.size, cut.size - cut.shown, first, last, headings, cut.cap, room)


def _at(text: str, units: int) -> int:
    """Return where in `text` so many characters end, as JavaScript counts them."""
    if text.isascii():
        return min(units, len(text))
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))


def _headings(text: str, first: int, last: int) -> Iterator[str]:
    """Yield the section that the gap begins in, and those that begin in it."""
    begun = ""
    for section in outline.sections(masked(text)):
        if section.line < first <= section.end:
            begun = section.title
        elif first <= section.line <= last:
            if begun:
                yield shown(begun)
                begun = ""
            yield shown(section.title)
    if begun:
        yield shown(begun)
