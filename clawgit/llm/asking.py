"""Asks a model within a budget."""

import time
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from clawgit.errors import NO_FIX, Command, Fix
from clawgit.llm import json_answer
from clawgit.llm import model as llm_model
from clawgit.llm.model import Budget, ModelError, Usage
from clawgit.text.tokens import count

_MARGIN = 1.1


class Asked(Struct, frozen=True):
    """One request in full: the rules, the material, the most tokens of the answer, and the seconds that it may take."""

    rules: str
    material: str
    answer_tokens: int
    seconds: float


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

    def __init__(self, key: str, message: str, *, fix: Fix = NO_FIX, worked_on: bool = True) -> None:
        super().__init__(key, message, fix=fix)
        self.worked_on = worked_on


class LimitedError(ModelError):
    """The voice asks to be left alone, for `wait` seconds where it says for how long, else 0."""

    def __init__(self, key: str, message: str, *, fix: Fix = NO_FIX, wait: float = 0.0) -> None:
        super().__init__(key, message, fix=fix)
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
    """Return what a voice says, within the budget; a try that was lost is paid for as well.

    Raises BudgetError where there is no room for the answer, and what asking raises.
    """
    estimate = round(_MARGIN * (count(asked.rules) + count(asked.material)))
    budget.admit(estimate + asked.answer_tokens)
    begun, used = clock(), Usage()
    try:
        said = voice.say(asked)
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


def answer(voice: Voice, budget: Budget, rules: str, material: str, answer_tokens: int, seconds: float = 120.0) -> str:
    """Return what a voice says to `material` in one try, without what it thought aloud; the rule on fences is added.

    Raises ModelError for an answer that is empty or was cut off, and what asking raises.
    """
    told = f"{rules}\n\n{llm_model.RULE}"
    said = heard(voice, budget, Asked(told, material, answer_tokens, min(seconds, budget.left)))
    text = json_answer.spoken(said.text)
    if said.cut or not text:
        why = "it was cut off at the limit" if said.cut else "it is empty"
        raise ModelError(
            "model-answer", f"unusable answer from {voice.name}: {why}", fix=Command("clawgit model --test")
        )
    return text
