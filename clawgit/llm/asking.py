"""Asks until an answer is of use, within a budget."""

import time
from collections.abc import Callable
from typing import Any, Protocol, overload

from msgspec import Struct
from msgspec.structs import replace

from clawgit.llm import fencing, loose
from clawgit.llm import shape as shapes
from clawgit.llm.budget import Budget
from clawgit.llm.model import Answer, ModelError, Prompt, Shape, Turn, UnfitError, Usage
from clawgit.text.tokens import count

_TRIES = 3
_MARGIN = 1.1
_REPEATED = 4000


class Asked(Struct, frozen=True):
    """One request in full: the rules, the talk so far, the schema of the answer, its length, and how it is bounded.

    `admit` is called before each try, and may raise; `lost` after one that may have cost something and came to nothing,
    before the next.
    """

    rules: str
    turns: tuple[Turn, ...]
    schema: dict[str, Any] | None
    answer_tokens: int
    seconds: float
    admit: Callable[[], None]
    lost: Callable[[], None] = lambda: None

    @property
    def estimate(self) -> int:
        """The tokens that will be read, with a margin."""
        return round(_MARGIN * sum(count(text) for text in (self.rules, *(turn.text for turn in self.turns))))


class Said(Struct, frozen=True):
    """What was said; `read` and `written` are tokens, None where nobody counted; `cut` when it had no room to end.

    `model` is the one that answered, where the voice tells.
    """

    text: str
    read: int | None = None
    written: int | None = None
    cut: bool = False
    model: str = ""


class LostError(ModelError):
    """No answer came, or half of one; where it was `worked_on`, the tokens may be spent all the same."""

    def __init__(self, message: str, *, fix: str = "", worked_on: bool = True) -> None:
        super().__init__(message, fix=fix)
        self.worked_on = worked_on


class LimitedError(ModelError):
    """The voice asks to be left alone, for `wait` seconds where it says for how long, else 0."""

    def __init__(self, message: str, *, fix: str = "", wait: float = 0.0) -> None:
        super().__init__(message, fix=fix)
        self.wait = wait


class Voice(Protocol):
    """Something that can be talked to: OpenClaw's model, an endpoint, a command."""

    @property
    def name(self) -> str:
        """What tells its answers from another's."""

    @property
    def provider(self) -> str:
        """Who gets to see what is said to it: a host, a program, OpenClaw's provider; "" where nobody told yet."""

    def say(self, asked: Asked) -> Said:
        """Return what is said to this. Raises LostError, LimitedError, or else ModelError."""


def heard(voice: Voice, budget: Budget, asked: Asked, clock: Callable[[], float] = time.monotonic) -> Said:
    """Return what a voice says, within the budget; tries that were lost on the way are paid for as well.

    `admit` and `lost` of `asked` are not used. Raises BudgetError where there is no room for the answer, and what
    asking raises.
    """
    estimate, unpaid = asked.estimate, 0

    def lost() -> None:
        nonlocal unpaid
        unpaid += estimate

    def admit() -> None:
        nonlocal unpaid
        budget.admit()
        if unpaid:
            budget.spend(Usage(read=unpaid, estimated=True))
            unpaid = 0
            budget.afford(estimate + asked.answer_tokens)

    budget.afford(estimate + asked.answer_tokens)
    begun, used = clock(), Usage()
    try:
        said = voice.say(replace(asked, admit=admit, lost=lost))
        counted = said.read is not None and said.written is not None
        read = estimate if said.read is None else said.read
        written = count(said.text) if said.written is None else said.written
        used = Usage(read=read, written=written, estimated=not counted)
    except LostError as exc:
        used = Usage(read=estimate, estimated=True) if exc.worked_on else Usage()
        raise
    finally:
        budget.spend(used + Usage(seconds=clock() - begun))
    return said


class Asker:
    """A model behind a voice."""

    def __init__(
        self, voice: Voice, budget: Budget, seconds: float = 120.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._voice, self._budget, self._seconds, self._clock = voice, budget, seconds, clock

    @property
    def name(self) -> str:
        """What tells its answers from another's."""
        return self._voice.name

    @overload
    def ask(self, prompt: Prompt, shape: None = None) -> Answer[None]: ...
    @overload
    def ask(self, prompt: Prompt, shape: type[Shape]) -> Answer[Shape]: ...
    def ask(self, prompt: Prompt, shape: type[Shape] | None = None) -> Answer[Any]:
        """Return an answer, with what was found in it when a shape is asked for.

        At most three answers are asked for; what is wrong with one is told. Raises UnfitError when none is of use,
        BudgetError when the budget is used up, else ModelError.
        """
        schema = shapes.schema(shape) if shape else None
        told = (prompt.rules, fencing.RULE, *((shapes.instruction(schema),) if schema else ()))
        turns: tuple[Turn, ...] = (Turn("user", prompt.material),)
        before, problem = self._budget.used, ""
        for nth in range(1, _TRIES + 1):
            said = self._heard("\n\n".join(told), turns, schema, prompt.answer_tokens)
            text = loose.spoken(said.text)
            found = None if shape is None else shapes.fitting(said.text, shape)
            problem = _problem(text, found, cut=said.cut)
            if not problem:
                return Answer(text, found, _since(before, self._budget.used), nth)
            turns = (turns[0], *_again(said.text, problem, shape is not None))
        raise UnfitError(
            f"{self.name} gave no answer of use in {_TRIES} tries: {problem}",
            fix="choose another llm_model in CONFIG.md, or leave it empty: rules do without",
        )

    def _heard(self, rules: str, turns: tuple[Turn, ...], schema: dict[str, Any] | None, longest: int) -> Said:
        seconds = min(self._seconds, self._budget.left)
        asked = Asked(rules, turns, schema, longest, seconds, self._budget.admit)
        return heard(self._voice, self._budget, asked, self._clock)


def _problem(text: str, found: object, *, cut: bool) -> str:
    if isinstance(found, str):
        return f"it was cut off at the limit; {found}" if cut else found
    if found is not None:
        return ""
    if cut:
        return "it was cut off at the limit"
    return "" if text else "it is empty"


def _again(said: str, problem: str, shaped: bool) -> tuple[Turn, Turn]:  # noqa: FBT001 - two kinds of answers
    wanted = "the whole JSON object, and nothing else" if shaped else "the whole answer again, more briefly"
    last = said if len(said) <= _REPEATED else f"{said[:_REPEATED]}…"
    return Turn("assistant", last or "(nothing)"), Turn("user", f"That is of no use: {problem}. Give {wanted}.")


def _since(before: Usage, after: Usage) -> Usage:
    return Usage(
        after.calls - before.calls,
        after.read - before.read,
        after.written - before.written,
        after.seconds - before.seconds,
        after.estimated,
    )
