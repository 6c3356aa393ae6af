"""How much a run may ask of a model."""

from msgspec import Struct, field

from clawgit.llm.model import ModelError, Usage


class BudgetError(ModelError):
    """A run has used up what it may."""


class Budget(Struct):
    """What one run may use: tokens in both directions, seconds of waiting, requests; and what it has used."""

    tokens: int = 200_000
    seconds: float = 600.0
    calls: int = 200
    used: Usage = field(default_factory=Usage)

    def admit(self) -> None:
        """Count one request more. Raises BudgetError when there may be none."""
        if self.used.calls >= self.calls:
            raise _spent(f"{self.calls} requests")
        if self.left <= 0:
            raise _spent(f"{self.seconds:g} seconds")
        self.used += Usage(calls=1)

    def afford(self, tokens: int) -> None:
        """Raise BudgetError when so many tokens are not left."""
        if self.used.tokens + tokens > self.tokens:
            raise _spent(f"{self.tokens} tokens")

    def spend(self, used: Usage) -> None:
        """Take what was used, but for requests, which were counted when they were made."""
        self.used += used

    @property
    def left(self) -> float:
        """Seconds that may still be waited."""
        return self.seconds - self.used.seconds


def _spent(what: str) -> BudgetError:
    return BudgetError(
        f"this run may ask the model for {what} and no more", fix="run it again: what is done stays done"
    )
