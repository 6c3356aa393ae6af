"""Asks a model within a budget, and until it fails."""

import time
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import NO_FIX, Command, Fix
from clawgit.llm import json_answer
from clawgit.llm import model as llm_model
from clawgit.llm.model import Budget, BudgetError, ModelError, Usage
from clawgit.text.tokens import count

_MARGIN = 1.1


class Asked(Struct, frozen=True):
    """One request in full: the rules, the material, the most tokens of the answer, and the seconds that it may take."""

    rules: str
    material: str
    answer_tokens: int
    seconds: float


class Said(Struct, frozen=True):
    """An answer; `read` and `written` are tokens, None if uncounted; `cut` when it had no room to end.

    `model` is the one that answered, if the voice reports it.
    """

    text: str
    read: int | None = None
    written: int | None = None
    cut: bool = False
    model: str = ""


class LostError(ModelError):
    """No answer came, or half of one; if it was `worked_on`, the tokens may be spent all the same."""

    def __init__(self, key: str, message: str, *, fix: Fix = NO_FIX, worked_on: bool = True) -> None:
        super().__init__(key, message, fix=fix)
        self.worked_on = worked_on


class LimitedError(ModelError):
    """The voice asks for a pause, of `wait` seconds if it names a time, else 0."""

    def __init__(self, key: str, message: str, *, fix: Fix = NO_FIX, wait: float = 0.0) -> None:
        super().__init__(key, message, fix=fix)
        self.wait = wait


class Voice(Protocol):
    """Something that can be talked to: OpenClaw's model, an endpoint, a command."""

    @property
    def name(self) -> str:
        """A name that differs for each source of answers."""

    @property
    def provider(self) -> str:
        """The recipient of prompts: a host, a program, OpenClaw's provider; "" if not yet known."""

    def say(self, request: Asked) -> Said:
        """Return the answer to this. Raises LostError, LimitedError, or else ModelError."""


def ask_within_budget(voice: Voice, budget: Budget, query: Asked) -> Said:
    """Return a voice's answer, within the budget; a lost try is paid for as well.

    Raises BudgetError if there is no room for the answer, and the errors of asking.
    """
    estimate = round(_MARGIN * (count(query.rules) + count(query.material)))
    # The whole answer has to fit: one without room for its end would be paid for and useless.
    budget.admit(estimate + query.answer_tokens)
    start, usage = time.monotonic(), Usage()
    try:
        reply = voice.say(query)
        is_exact = reply.read is not None and reply.written is not None
        read = estimate if reply.read is None else reply.read
        output_tokens = count(reply.text) if reply.written is None else reply.written
        usage = Usage(read=read, written=output_tokens, estimated=not is_exact)
    except LostError as exc:
        usage = Usage(read=estimate, estimated=True) if exc.worked_on else Usage()
        raise
    finally:
        # A failed request took its time as well.
        budget.spend(usage + Usage(seconds=time.monotonic() - start))
    return reply


def answer(voice: Voice, budget: Budget, rules: str, material: str, answer_tokens: int, seconds: float = 120.0) -> str:
    """Return a voice's answer to `material` in one try, without its thoughts; the rule on fences is added.

    Raises ModelError for an answer that is empty or was cut off, and the errors of asking.
    """
    prompt = f"{rules}\n\n{llm_model.RULE}"
    reply = ask_within_budget(voice, budget, Asked(prompt, material, answer_tokens, min(seconds, budget.left)))
    text = json_answer.strip_thoughts(reply.text)
    if reply.cut or not text:
        reason = "it was cut off at the limit" if reply.cut else "it is empty"
        raise ModelError(
            "model-answer", f"unusable answer from {voice.name}: {reason}", fix=Command("clawgit model --test")
        )
    return text


_PROBE = "You are tried out before some work begins."
_PROBED = "Answer with the one word: ready"
_PROBE_TOKENS, _PROBE_SECONDS = 64, 60.0
_REQUEST_SECONDS = 300.0
_PAUSE = 2.0
_LATER = "the run goes on at the next run"


class StoppedError(ModelError):
    """This run may ask no more: its budget is used up, the voice failed, or it asks for more time than there is."""


class Speaker(Struct):
    """A voice in one run.

    It is probed before its first request. Two failures in a row end the run, and so does a voice that asks for a pause
    longer than the run's time. No answer is requested without tokens in the budget. `noted` gets the error that ends a
    run, and None for the first answer.
    """

    voice: Voice
    budget: Budget
    noted: Callable[[ModelError | None], None] = lambda _: None
    is_probed: bool = False
    failures: int = 0
    stopped: StoppedError | None = None

    @property
    def name(self) -> str:
        """A name that differs for each source of answers."""
        return self.voice.name

    @property
    def used(self) -> Usage:
        """The use of the run so far."""
        return self.budget.used

    def say(self, rules: str, material: str, answer_tokens: int) -> Said:
        """Return the voice's answer to `material` under `rules`, plus the rule on fenced text.

        Raises StoppedError when the run must end, now and ever after; another ModelError if this was refused and
        something else may not be, such as a shorter text.
        """
        if self.stopped:
            raise self.stopped
        # A short question first: a model that is down costs 64 tokens, not a whole reading.
        if not self.is_probed:
            self._patiently(Asked(_PROBE, _PROBED, _PROBE_TOKENS, _PROBE_SECONDS), is_probe=True)
            self.is_probed = True
            self.noted(None)
        return self._patiently(Asked(f"{rules}\n\n{llm_model.RULE}", material, answer_tokens, _REQUEST_SECONDS))

    def answer(self, rules: str, material: str, answer_tokens: int) -> str:
        """Return the words alone of what `say` returns."""
        return self.say(rules, material, answer_tokens).text

    def _patiently(self, request: Asked, *, is_probe: bool = False) -> Said:
        """Return one answer, after as much waiting as the voice asks for; a lost one is requested once more."""
        while True:
            seconds = min(request.seconds, self.budget.left)
            try:
                reply = ask_within_budget(self.voice, self.budget, replace(request, seconds=seconds))
            except BudgetError as exc:
                raise self._stop(exc) from None
            except LimitedError as exc:
                if not exc.wait:
                    raise self._stop(exc) from None
                self._wait(exc.wait, exc)
            except ModelError as exc:
                self.failures += 1
                # A refusal of the probe comes from the setup, so the next request would fail alike.
                if self.failures > 1 or (is_probe and not isinstance(exc, LostError)):
                    raise self._stop(exc) from None
                if not isinstance(exc, LostError):
                    raise
                self._wait(_PAUSE, exc)
            else:
                self.failures = 0
                return reply

    def _wait(self, seconds: float, exc: ModelError) -> None:
        if seconds >= self.budget.left:
            raise self._stop(exc) from None
        self.budget.spend(Usage(seconds=seconds))
        time.sleep(seconds)

    def _stop(self, exc: ModelError) -> StoppedError:
        self.stopped = StoppedError(exc.key, f"{exc.message}; {_LATER}", fix=exc.fix)
        if not isinstance(exc, BudgetError):
            self.noted(exc)
        return self.stopped
