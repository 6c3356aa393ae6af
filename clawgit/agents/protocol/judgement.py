"""Has code and a voice check what is proposed."""

import contextlib
import re
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from clawgit.agents.protocol import (
    checks,
    conflict_operations,
    destructive,
    requested_memories,
    second_opinion,
    support_call,
    surroundings,
)
from clawgit.agents.protocol.batch import Batch
from clawgit.agents.protocol.batch_decision import Say
from clawgit.agents.protocol.check_result import Checked, Ground, Held
from clawgit.agents.protocol.operations import Answer
from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.language import logic
from clawgit.llm import model
from clawgit.messages.patterns import Pattern
from clawgit.safety import binding
from clawgit.sessions.chat_store import ChatStore
from clawgit.text.tokens import count
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import Memory
from clawgit.workspace.unkept_requests import message_of_mention
from clawgit.workspace.workspace import Workspace

_ASKS = re.compile("[?\uff1f]\\s*(?:\n|\\Z)")
_LETTERS = 4
"""Of one token, for what a file may still grow."""
_BY_WORDS = frozenset(("add", "replace", "lesson"))


class Judgement:
    """The checks of one run in a workspace; what they let be taken away is counted over all its batches."""

    def __init__(self, workspace: Workspace, store: ChatStore, patterns: Sequence[Pattern]) -> None:
        self._workspace, self._patterns = workspace, patterns
        self._direct = frozenset(
            session.session.id for session in store.sessions() if session.session.kind in ("direct", "unknown")
        )
        self._removed = 0

    def check(self, batch: Batch, answer: Answer) -> Sequence[Checked]:
        """Return what code says of each operation."""
        return checks.check(batch, answer, self.ground(batch)) if answer.operations else ()

    def support(self, batch: Batch, found: Sequence[Checked], say: Say | None) -> Sequence[Checked]:
        """Return it once it is judged whether the cited words bear it out. Raises ModelError where the voice fails."""
        if say is None:
            found = tuple(
                conflict_operations.by_rules(one, batch) if one.operation.act == "conflict" else _by_words(one)
                for one in found
            )
        elif (call := support_call.material(found, self.ground(batch), batch.id)).pairs:
            said = say(call.rules, model.fenced(call.text), call.answer_tokens)
            judged = support_call.judged(call, said)
            found = judged.checked
            with contextlib.suppress(ClawgitError):  # then they are asked about again
                second_opinion.remember(self._workspace, ((one.file, one.text) for one in judged.fine))
        self._removed += sum(destructive.taken(one.operation) for one in found if one.state == "fits")
        return found

    def ground(self, batch: Batch) -> Ground:
        """Return what the checks need of the workspace as it is now."""
        memories = list(surroundings.standing(self._workspace))
        return Ground(
            held={**_shown(batch), **held(self._workspace, memories, self._patterns)},
            total=len(memories),
            removed=self._removed,
            direct=self._direct,
            explicit=frozenset(n for n in batch.must if self._asks(batch, n)),
            speakers=frozenset((*self._workspace.called, *self._committer())),
            identity=self._identity(batch),
            room=batch.budget,
        )

    def _committer(self) -> tuple[str, ...]:
        """Return the operator's name as git knows it."""
        known = repository.identity(self._workspace.repo)
        return known[:1] if known else ()

    def _asks(self, batch: Batch, n: int) -> bool:
        turn = batch.turn(n)
        return turn is not None and requested_memories.asks(turn.text, self._patterns)

    def _identity(self, batch: Batch) -> dict[str, int]:
        """Return how many characters each file of the soul may grow; none under a policy that lets nobody propose.

        Which lines are the operator's own is not said here: the guard grades an edit of one, and lets it wait.
        """
        if self._workspace.config.soul_policy == "locked":
            return {}
        cap, trust = self._workspace.config.soul_max_tokens, self._workspace.trust
        files = {one.file for one in batch.soul}
        return {
            path: max(0, trust.cap(path, cap) - count(self._workspace.read(path) or "")) * _LETTERS for path in files
        }


def _shown(batch: Batch) -> dict[str, Held]:
    """Return the entries that a batch compares, also those of journals."""
    return {entry.id: Held(entry.id, entry.text, entry.first) for entry in batch.entries} if batch.pairs else {}


def held(workspace: Workspace, memories: Iterable[Memory], patterns: Sequence[Pattern]) -> dict[str, Held]:
    """Return memories as the checks see them, by id."""
    asked, rows = requested_memories.messages(workspace.store, patterns), workspace.rows()
    return {memory.id: _held(memory, rows.get(memory.id), asked) for memory in memories}


def _held(one: Memory, row: Row | None, asked: frozenset[str]) -> Held:
    explicit = bool(row and asked & {message_of_mention(mention) for mention in row.mentions})
    boundary = any(binding.binds(said, notes=True) for said in binding.said(f"- {one.text}"))
    return Held(one.id, one.text, one.first.isoformat() if one.first else "", explicit, boundary)


def _by_words(one: Checked) -> Checked:
    """Return what the checks say where nobody judges: only what says all of its sentences, and no more, lands."""
    if one.state != "fits" or not one.needs_support or one.same:
        return one
    if one.operation.act not in _BY_WORDS:
        return replace(one, state="waits", why="without a model nobody judged whether the words bear it out")
    said = "\n".join(quote.text for quote in one.quotes)
    if _alike(one.operation.text, said, logic.languages(one.operation.text, said)):
        return replace(one, needs_support=False)
    return replace(one, state="waits", why="it is not just what the operator says: a reader has to judge it")


def _alike(one: str, other: str, isos: tuple[str, ...]) -> bool:
    """Return whether two texts have the same words and denials, and the other one asks nothing."""
    return (
        logic.content(one, isos) == logic.content(other, isos)
        and len(logic.denials(one, isos)) == len(logic.denials(other, isos))
        and not _ASKS.search(other)
    )
