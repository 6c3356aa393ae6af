"""A model that agents ask, and what became of that."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import to_builtins

from clawgit.llm import answers
from clawgit.llm.answers import Answers
from clawgit.llm.budget import Budget, BudgetError
from clawgit.llm.model import Model, ModelError, Prompt

if TYPE_CHECKING:
    from pydantic import BaseModel


class Advised(Protocol):
    """Whoever may have asked a model."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what did not go as it should have."""

    @property
    def usage(self) -> Mapping[str, float]:
        """What a model was asked, empty without one."""


class Adviser:
    """Asks within a budget, and remembers each answer that was given once. `prompt` is the operator's own text."""

    def __init__(self, model: Model, budget: Budget, known: Answers, prompt: str) -> None:
        self._model, self._budget, self._known, self._prompt = model, budget, known, prompt
        self._failed: list[ModelError] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence where no answer came."""
        if not self._failed:
            return ()
        often = "once" if len(self._failed) == 1 else f"{len(self._failed):,} times"
        return (f"the model gave no answer, {often}, and rules decided: {self._failed[0].message}",)

    @property
    def usage(self) -> Mapping[str, float]:
        """What the model was asked."""
        found: Mapping[str, float] = to_builtins(self._budget.used)
        return found

    def ask(self, asked: str, material: str, told: str, shape: "type[BaseModel]") -> Any:
        """Return what is answered in this shape, None where no answer comes; `told` is the material, not fenced yet.

        Raises BudgetError when no more may be asked.
        """
        prompt = Prompt(f"{self._prompt}\n\n{asked}", material)
        try:
            return answers.ask_once(self._model, self._known, told, prompt, shape).found
        except BudgetError:
            raise
        except ModelError as exc:
            self._failed.append(exc)
            return None
