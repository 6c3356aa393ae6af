"""Fills a slot with whole pieces."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from msgspec.structs import replace

from clawgit.context import prompt_pieces
from clawgit.context.prompt_pieces import Known, Piece, joined
from clawgit.context.receipt import Cut
from clawgit.llm.model import fenced
from clawgit.search.answer import span
from clawgit.text.entry import named
from clawgit.text.tokens import count_at_most

FENCE = fenced("\n", lambda: "z1" * 5)
"""The marks around what others wrote, with a code that costs as much as one may."""
_TOLD = 20
_ROUNDS = 5
_LEAST = 5
"""Tokens of the shortest line with its citation."""
_MOST_REFUSED = 200
"""Pieces that do not fit, after which no other is tried: of 20,000 lines each would be priced, many times."""


class Pack:
    """One slot while it is filled; `used` are its tokens, never more than the room it was offered.

    `ranked` keeps the pieces in the order of their offer, else those of a source stand in the order of its lines.
    `foreign` fences them as data. Only those of the `identity` may look like titles and citations.
    """

    def __init__(
        self, title: str, known: Known, *, ranked: bool = False, foreign: bool = False, identity: bool = False
    ) -> None:
        self.title, self.ranked, self.foreign, self.identity = title, ranked, foreign, identity
        self.pieces: list[Piece] = []
        self.used = 0
        self._known = known
        self._opened: set[tuple[str, str]] = set()
        self._cuts: dict[str, list[Piece]] = {}

    def fill(self, pieces: Iterable[Piece], room: float) -> list[Piece]:
        """Take what fits into `room` tokens, in this order; return what would have needed more."""
        left = list(pieces)
        for _ in range(_ROUNDS):
            before = len(self.pieces)
            left = self._filled(left, room)
            if len(self.pieces) == before:
                break
            self.used = count_at_most(rendered(self))  # lines that touch share a citation
            while self.used > room:  # headings that take turns stand above each piece anew
                left.insert(0, self.pieces.pop())
                self._known.drop(left[0].text)
                self.used = count_at_most(rendered(self))
        return left

    def _filled(self, pieces: Iterable[Piece], room: float) -> list[Piece]:
        left, refused = [], 0
        for piece in pieces:
            if room - self.used < _LEAST or refused > _MOST_REFUSED:
                left.append(piece)
            elif (new := self._known.new(piece)) is None:
                self.cut(piece, "said already")
            elif not self.take(new, room):
                left += self._in_parts(new, room)
                refused += 1
        return left

    def _in_parts(self, piece: Piece, room: float) -> list[Piece]:
        """Take the parts of a piece that fit; return what does not, whole where none does."""
        parts = [replace(piece, text=text, parts=()) for text in piece.parts]
        left = [part for part in parts if not self.take(part, room)]
        return left if len(left) < len(parts) else [piece]

    def take(self, piece: Piece, room: float) -> bool:
        """Take a piece if it fits into `room` tokens; tell whether it did."""
        piece = piece if self.identity else prompt_pieces.plain(piece)
        price = sum(map(count_at_most, self._parts(piece)))
        if self.used + price > room:
            return False
        self.pieces.append(piece)
        self.used += price
        self._opened |= {("", ""), (piece.path, ""), (piece.path, piece.above)}
        self._known.add(piece.text)
        return True

    def cut(self, piece: Piece, why: str) -> None:
        """Note why a piece is left out."""
        self._cuts.setdefault(why, []).append(piece)

    def cuts(self) -> tuple[Cut, ...]:
        """Return what was left out; of many pieces with one reason the first ones by name."""
        found = []
        for why, pieces in self._cuts.items():
            found += [Cut(piece.citation, why) for piece in pieces[:_TOLD]]
            if len(pieces) > _TOLD:
                found.append(Cut(f"{len(pieces) - _TOLD} more", why))
        return tuple(found)

    def shown(self) -> list[Piece]:
        """Return the pieces in the order of the text."""
        if self.ranked:
            return self.pieces
        order: dict[str, int] = {}
        for piece in self.pieces:
            order.setdefault(piece.path, len(order))
        return sorted(self.pieces, key=lambda piece: (order[piece.path], piece.start))

    @property
    def sources(self) -> tuple[str, ...]:
        """Where everything stands that was taken, each range of lines once, in the order in which it is shown."""
        ranges = ((path, joined(some)) for path, some in prompt_pieces.by_path(self.shown()).items())
        cited = (f"{path}#{span(*lines)}" if lines[0] else path for path, some in ranges for lines in some)
        return tuple(dict.fromkeys(cited))

    def _parts(self, piece: Piece) -> Iterable[str]:
        if ("", "") not in self._opened:
            yield f"# {self.title}\n\n"
            yield FENCE if self.foreign else ""
        if (piece.path, "") not in self._opened:
            yield f"[{piece.path}#]\n"
        if piece.above and (piece.path, piece.above) not in self._opened:
            yield f"### {piece.above}\n"
        yield f"{span(piece.start, piece.end)}, "
        yield f"{piece.text}\n"


def rendered(pack: Pack) -> str:
    """Return the text of a slot, each source cited above what stands in it; nothing for an empty slot."""
    if not pack.pieces:
        return ""
    groups = "".join(f"{cited}\n{text}\n" for _, cited, text in groups_of(pack))
    return f"# {pack.title}\n\n" + (f"{closed(groups)}\n" if pack.foreign else groups) + "\n"


def groups_of(pack: Pack) -> Iterator[tuple[str, str, str]]:
    """Yield each source of a slot, how it is cited, and what is shown of it."""
    for path, pieces in prompt_pieces.by_path(pack.shown()).items():
        spans = ", ".join(span(start, end) for start, end in joined(pieces) if start)
        yield path, f"[{path}#{spans}]" if spans else f"[{path}]", "\n".join(_rows(pieces))


def _rows(pieces: Sequence[Piece]) -> Iterator[str]:
    above = ""
    for piece in pieces:
        if piece.above != above and piece.above:
            yield f"### {piece.above}"
        above = piece.above
        yield piece.text


def closed(text: str) -> str:
    """Return text of others between marks; the same text has the same marks."""
    tries = count()
    return fenced(text, lambda: named(f"{next(tries)}\0{text}"))
