"""What each slot could hold."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from clawgit.context import chunked, corrections, foreign, longterm, recalled, recent
from clawgit.context.assembled import Cut
from clawgit.context.conversation import Talk
from clawgit.context.ground import Ground
from clawgit.context.piece import Piece
from clawgit.context.slots import Name
from clawgit.errors import ClawgitError
from clawgit.text.promoted import without_scores
from clawgit.workspace import scope

if TYPE_CHECKING:
    from clawgit.search.answer import Answer

IDENTITY = (scope.SOUL, "IDENTITY.md")
PROFILE = "USER.md"
STRATEGIES = ("prioritize_unverified", "newest", "relevant")
_OWN = ("group", "subagent", "cron", "heartbeat")
WITHHELD: dict[Name, tuple[str, ...]] = {
    "profile": _OWN,
    "longterm": _OWN,
    "due": _OWN,
    "corrections": ("group",),
    "crm": ("group",),
}
"""The sessions that do not get a slot (as OpenClaw has it); corrections quote the memory."""


class Material:
    """What there is for each slot of a conversation, the pieces to be taken first in front.

    `cuts` are what was withheld and why, by slot; `warnings` are sentences. What fails outside costs its slot.
    """

    def __init__(self, ground: Ground, talk: Talk, total: int, shown: tuple[str, ...] = ()) -> None:
        self.ground, self.talk, self._total, self.shown = ground, talk, total, shown
        self.cuts: dict[Name, Cut] = {}
        self.warnings: list[str] = []

    def pieces(self, name: Name) -> list[Piece]:
        """Return what a slot could hold; a file whose name could pass for lines of the context holds nothing."""
        if self.talk.kind in WITHHELD.get(name, ()):
            self.cuts[name] = Cut(name, f"not for a {self.talk.kind} session")
            return []
        found = (one for one in self._makers[name]() if one.path not in self.shown and one.path.isprintable())
        return [replace(one, text=without_scores(one.text)) for one in found]

    @property
    def _makers(self) -> dict[Name, Callable[[], list[Piece]]]:
        ground, workspace, asked = self.ground, self.ground.workspace, " ".join(self.talk.questions[:1])
        return {
            "identity": lambda: [one for path in IDENTITY if (one := chunked.whole(ground, path))],
            "profile": lambda: [one] if (one := chunked.whole(ground, PROFILE)) else [],
            "corrections": self._corrections,
            "recent": lambda: recent.recent(ground, int(workspace.config.value("memory_retention_hours"))),
            "recall": lambda: recalled.pieces(ground, self._answers, self.talk.kind, self._records),
            "crm": lambda: self._outside("crm", lambda: foreign.profiles(workspace, self.talk, asked)),
            "due": lambda: longterm.due(ground),
            "longterm": lambda: longterm.longterm(ground),
            "external": lambda: self._outside("external", lambda: foreign.external(workspace)),
        }

    def _corrections(self) -> list[Piece]:
        """Return what search does not serve yet, then what is undecided, then the rest."""
        undecided = corrections.conflicts(self.ground)
        if undecided:
            several = f"{len(undecided)} memories contradict" if len(undecided) > 1 else "a memory contradicts"
            self.warnings.append(f"{several} another one, undecided: clawgit conflicts")
        new = [one for one in self._records if one.must]
        return [*new, *undecided, *(one for one in self._records if not one.must)]

    @cached_property
    def _records(self) -> list[Piece]:
        strategy = str(self.ground.workspace.config.value("correction_overflow_strategy"))
        if strategy not in STRATEGIES:
            self.warnings.append(f"correction_overflow_strategy: there is no {strategy}; {STRATEGIES[0]} is used")
            strategy = STRATEGIES[0]
        found = corrections.corrections(self.ground, strategy, self._about if strategy == "relevant" else {})
        return corrections.asking(self.ground, found) if self.talk.kind == "main" and not self.ground.commit else found

    @property
    def _about(self) -> dict[int, int]:
        """The lines of CORRECTIONS.md that the conversation is about, by their order."""
        hits = (hit for one in self._answers for hit in one.results if hit.path == scope.CORRECTIONS)
        lines = [line for hit in hits for line in range(hit.start, hit.end + 1)]
        return {line: rank for rank, line in reversed(list(enumerate(lines)))}

    @cached_property
    def _answers(self) -> "list[Answer]":
        found = recalled.found(self.ground, self.talk.questions, self._total)
        self.warnings += dict.fromkeys(f"search: {one.degraded}" for one in found if one.degraded)
        self.warnings += dict.fromkeys(note for one in found for note in one.notes)
        return found

    def _outside(self, name: Name, make: Callable[[], list[Piece]]) -> list[Piece]:
        if self.ground.commit:
            self.cuts[name] = Cut(name, "knows the present alone")
            return []
        try:
            return make()
        except ClawgitError as exc:
            self.cuts[name] = Cut(name, exc.message)
            self.warnings.append(f"{exc.message}: {exc.fix}" if exc.fix else exc.message)
            return []
