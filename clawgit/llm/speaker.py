"""Asks a voice in one run, until it fails."""

import time
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from clawgit.llm import model
from clawgit.llm.asking import Asked, LimitedError, LostError, Said, Voice, ask_within_budget
from clawgit.llm.model import Budget, BudgetError, ModelError, Usage

_PROBE = "You are tried out before some work begins."
_PROBED = "Answer with the one word: ready"
_PROBE_TOKENS, _PROBE_SECONDS = 64, 60.0
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
    seconds: float = 300.0
    noted: Callable[[ModelError | None], None] = lambda _: None
    sleep: Callable[[float], None] = time.sleep
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
        return self._patiently(Asked(f"{rules}\n\n{model.RULE}", material, answer_tokens, self.seconds))

    def answer(self, rules: str, material: str, answer_tokens: int) -> str:
        """Return the words alone of what `say` returns."""
        return self.say(rules, material, answer_tokens).text

    def _patiently(self, asked: Asked, *, is_probe: bool = False) -> Said:
        """Return one answer, after as much waiting as the voice asks for; a lost one is requested once more."""
        while True:
            seconds = min(asked.seconds, self.budget.left)
            try:
                said = ask_within_budget(self.voice, self.budget, replace(asked, seconds=seconds))
            except BudgetError as exc:
                raise self._stop(exc) from None
            except LimitedError as exc:
                if not exc.wait:
                    raise self._stop(exc) from None
                self._wait(exc.wait, exc)
            except ModelError as exc:
                self.failures += 1
                if self.failures > 1 or (is_probe and not isinstance(exc, LostError)):
                    raise self._stop(exc) from None
                if not isinstance(exc, LostError):
                    raise
                self._wait(_PAUSE, exc)
            else:
                self.failures = 0
                return said

    def _wait(self, seconds: float, exc: ModelError) -> None:
        if seconds >= self.budget.left:
            raise self._stop(exc) from None
        self.budget.spend(Usage(seconds=seconds))
        self.sleep(seconds)

    def _stop(self, exc: ModelError) -> StoppedError:
        self.stopped = StoppedError(exc.key, f"{exc.message}; {_LATER}", fix=exc.fix)
        if not isinstance(exc, BudgetError):
            self.noted(exc)
        return self.stopped
