"""Fills the slots of a context."""

import math
from collections.abc import Mapping

from msgspec import Struct, field

from clawgit.context import chunked, recent, slots
from clawgit.context.assembled import Cut, Slot
from clawgit.context.budget import Want, share
from clawgit.context.cost import cost
from clawgit.context.gather import PROFILE, Material
from clawgit.context.known import Known
from clawgit.context.pack import Pack, rendered
from clawgit.context.piece import Piece
from clawgit.context.slots import NAMES, Name

FOREIGN = ("crm", "external")
RANKED = ("corrections", "due")
_ORDER: tuple[Name, ...] = (
    "identity",
    "profile",
    "corrections",
    "due",
    "crm",
    "longterm",
    "external",
    "recent",
    "recall",
)
"""Who is filled first: a search may find what stands elsewhere already, so it comes last, and gets what is left."""
_SPARE: tuple[Name, ...] = ("recall", "recent", "corrections", "longterm", "crm", "external")
"""Who gets what nobody fills: what is relevant goes before what is recent (spec §2)."""


_TWICE = 2
"""How much of its own size the corrections slot may grow to at the cost of others, for those that search serves."""
_UNASKED = 0.5
"""The share of the recent slot that goes to what nobody asked for, where not everything fits."""


class Filling(Struct):
    """The slots of one context while they are filled."""

    material: Material
    total: int
    sizes: Mapping[Name, int]
    packs: dict[Name, Pack] = field(default_factory=dict)
    given: dict[Name, int] = field(default_factory=dict)
    asked: dict[Name, int] = field(default_factory=dict)
    left: dict[Name, list[Piece]] = field(default_factory=dict)
    lost_identity: bool = False

    def fill(self) -> None:
        """Fill every slot with what it may have, then give what they leave to those that would take more."""
        pieces = {name: self.material.pieces(name) for name in NAMES}
        known = Known()
        for path in self.material.shown:
            known.add(self.material.ground.text(path))
        for name in NAMES:
            title, ranked, own = slots.KINDS[name].title, name in RANKED, name == "identity"
            self.packs[name] = Pack(title, known, ranked=ranked, foreign=name in FOREIGN, identity=own)
        wants = {name: self._want(name, pieces[name]) for name in NAMES}
        self.given = share(self.total, wants, _SPARE)
        for name in _ORDER:
            if name == "recall" and pieces[name]:
                self._hand_on(name)
            self.left[name] = self._filled(name, pieces[name])
        for name in _SPARE:
            if self.left[name]:
                self._hand_on(name)
                self.left[name] = self.packs[name].fill(self.left[name], self.given[name])

    def slots(self) -> tuple[Slot, ...]:
        """Return the receipt."""
        return tuple(self._slot(name) for name in NAMES)

    def _want(self, name: Name, pieces: list[Piece]) -> Want:
        self.asked[name] = measured(self.packs[name], pieces, self.total)
        size, needed = self.sizes[name], self.asked[name]
        if name not in ("identity", "profile"):
            needed = measured(self.packs[name], [piece for piece in pieces if piece.must], self.total)
        if name == "corrections":
            needed = max(needed, min(self.asked[name], _TWICE * size))
        return Want(size, self.asked[name], needed, whole=name == "identity")

    def _hand_on(self, to: Name) -> None:
        """Give a slot what the others that are filled already have left."""
        for name, pack in self.packs.items():
            if name != to and name in self.left:
                used = math.ceil(pack.used)
                self.given[to] += self.given[name] - used
                self.given[name] = used

    def _filled(self, name: Name, pieces: list[Piece]) -> list[Piece]:
        """Fill a slot with what it was given; return what did not fit."""
        pack, room, ground = self.packs[name], self.given[name], self.material.ground
        if name == "recent" and self.asked[name] > room and self.material.talk.questions:
            about, others = recent.about(ground, pieces, self.material.talk.questions[0])
            left = pack.fill(about, room)
            return [*left, *pack.fill(others, max(pack.used, room * _UNASKED))]
        if name == "identity":
            return [left for one in pieces for left in self._identity(one, room)]
        left = pack.fill(pieces, room)
        if name == "profile" and left:
            return pack.fill(chunked.pieces(ground, PROFILE), room)
        return left

    def _identity(self, whole: Piece, room: int) -> list[Piece]:
        """Take a file of the identity, line by line where it does not fit: nothing of it is left out unnoticed."""
        if self.packs["identity"].take(whole, room):
            return []
        self.lost_identity = True
        return self.packs["identity"].fill(chunked.lines(self.material.ground, whole.path), room)

    def _slot(self, name: Name) -> Slot:
        pack, given = self.packs[name], self.given[name]
        for piece in self.left[name]:
            pack.cut(piece, "no room")
        held = self.material.cuts.get(name)
        cuts: tuple[Cut, ...] = (*([held] if held else []), *pack.cuts())
        stolen = max(given - self.sizes[name], 0)
        return Slot(name, self.asked[name], given, stolen, cost(rendered(pack)), cuts, pack.sources)


def measured(pack: Pack, pieces: list[Piece], enough: int) -> int:
    """Return what pieces would take, the marks around them included; past `enough` tokens by their length alone."""
    trial = Pack(pack.title, Known(), foreign=pack.foreign, identity=pack.identity)
    for at, piece in enumerate(pieces):
        trial.take(piece, math.inf)
        if trial.used > enough:
            seen = sum(len(one.text) for one in pieces[: at + 1])
            return int(trial.used * sum(len(one.text) for one in pieces) / max(seen, 1))
    return math.ceil(trial.used)
