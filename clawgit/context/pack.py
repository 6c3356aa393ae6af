"""Fills a slot with whole pieces."""

from collections.abc import Iterable, Iterator
from itertools import count

from msgspec.structs import replace

from clawgit.context import prompt_pieces
from clawgit.context.prompt_pieces import Known, Piece, join_ranges
from clawgit.context.receipt import Cut
from clawgit.llm.model import fenced
from clawgit.search.answer import span
from clawgit.text.entry import make_name
from clawgit.text.tokens import count_at_most

FENCE = fenced("\n", lambda: "z1" * 5)
"""The marks around what others wrote, with a code that costs as much as one may."""
_MAX_CITED_CUTS = 20
_ROUNDS = 5
_MIN_LINE_TOKENS = 5
"""Tokens of the shortest line with its citation."""
_MOST_REFUSED = 200
"""Pieces that do not fit, after which no other is tried: of 20,000 lines each would be priced, many times."""


class Pack:
    """One slot while it is filled; `used` are its tokens, never more than the offered room.

    `ranked` keeps the pieces in the order of their offer, else those of a source are in the order of its lines.
    `foreign` fences them as data. Only those of the `identity` may look like titles and citations.
    """

    def __init__(
        self, title: str, known_lines: Known, *, ranked: bool = False, foreign: bool = False, identity: bool = False
    ) -> None:
        self.title, self.ranked, self.foreign, self.identity = title, ranked, foreign, identity
        self.pieces: list[Piece] = []
        self.used = 0
        self._known = known_lines
        self._opened: set[tuple[str, str]] = set()
        self._cuts: dict[str, list[Piece]] = {}

    def fill(self, pieces: Iterable[Piece], room: float) -> list[Piece]:
        """Take the pieces that fit into `room` tokens, in this order; return the others."""
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
        left, refusals = [], 0
        for piece in pieces:
            if room - self.used < _MIN_LINE_TOKENS or refusals > _MOST_REFUSED:
                left.append(piece)
            elif (new := self._known.new(piece)) is None:
                self.cut(piece, "said already")
            elif not self.take(new, room):
                parts = [replace(new, text=text, parts=()) for text in new.parts]
                misfits = [part for part in parts if not self.take(part, room)]
                left += misfits if len(misfits) < len(parts) else [new]
                refusals += 1
        return left

    def take(self, piece: Piece, room: float) -> bool:
        """Take a piece if it fits into `room` tokens; return whether it did."""
        # Otherwise a memory could pass for a title or a citation.
        piece = piece if self.identity else prompt_pieces.plain(piece)
        price = sum(map(count_at_most, self._parts(piece)))
        if self.used + price > room:
            return False
        self.pieces.append(piece)
        self.used += price
        self._opened |= {("", ""), (piece.path, ""), (piece.path, piece.above)}
        self._known.add(piece.text)
        return True

    def cut(self, piece: Piece, reason: str) -> None:
        """Note why a piece is left out."""
        self._cuts.setdefault(reason, []).append(piece)

    def cuts(self) -> tuple[Cut, ...]:
        """Return the parts left out; of many pieces with one reason the first ones by name."""
        cuts = []
        for reason, pieces in self._cuts.items():
            cuts += [Cut(piece.citation, reason) for piece in pieces[:_MAX_CITED_CUTS]]
            if len(pieces) > _MAX_CITED_CUTS:
                cuts.append(Cut(f"{len(pieces) - _MAX_CITED_CUTS} more", reason))
        return tuple(cuts)

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
        """The places of the taken pieces, each range of lines once, in the order of display."""
        ranges = ((path, join_ranges(group)) for path, group in prompt_pieces.by_path(self.shown()).items())
        citations = (f"{path}#{span(*lines)}" if lines[0] else path for path, group in ranges for lines in group)
        return tuple(dict.fromkeys(citations))

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
    """Return the text of a slot, each source cited above its pieces; "" for an empty slot."""
    if not pack.pieces:
        return ""
    groups = "".join(f"{citation}\n{text}\n" for _, citation, text in groups_of(pack))
    return f"# {pack.title}\n\n" + (f"{fence_foreign(groups)}\n" if pack.foreign else groups) + "\n"


def groups_of(pack: Pack) -> Iterator[tuple[str, str, str]]:
    """Yield each source of a slot, its citation, and its shown text."""
    for path, pieces in prompt_pieces.by_path(pack.shown()).items():
        spans = ", ".join(span(start, end) for start, end in join_ranges(pieces) if start)
        rows, heading = list[str](), ""
        for piece in pieces:
            rows += [f"### {piece.above}"] if piece.above not in ("", heading) else []
            rows.append(piece.text)
            heading = piece.above
        yield path, f"[{path}#{spans}]" if spans else f"[{path}]", "\n".join(rows)


def fence_foreign(text: str) -> str:
    """Return text of others between marks; the same text has the same marks."""
    tries = count()
    return fenced(text, lambda: make_name(f"{next(tries)}\0{text}"))
