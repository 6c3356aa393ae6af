"""Asks a voice to read, within a budget."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict

from clawgit.agents.protocol import operations, prompt_text
from clawgit.agents.protocol.batch import Batch
from clawgit.agents.protocol.operations import Answer, Operation
from clawgit.llm.asking import Asked, LostError, Said, Voice
from clawgit.llm.budget import Budget
from clawgit.llm.model import Turn, Usage
from clawgit.text.tokens import count

ANSWER, SUPPORT = 6_000, 2_000
"""Tokens of an answer, at the most."""
_REPEATED = 4_000


class Exchange:
    """Talks to one voice. What it costs is counted whatever comes of it."""

    def __init__(
        self, voice: Voice, budget: Budget, *, seconds: float = 300.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._voice, self.budget, self._seconds, self._clock = voice, budget, seconds, clock

    @property
    def name(self) -> str:
        """Whose answers these are."""
        return self._voice.name

    @property
    def usage(self) -> dict[str, float]:
        """What was asked so far."""
        return asdict(self.budget.used)

    def read(self, batch: Batch) -> Answer | str:
        """Return what is answered to a batch; what is wrong with the answer where it is none, also when asked again.

        Raises ModelError where no answer comes, BudgetError where no more may be asked.
        """
        rules, material = prompt_text.prompt(batch)
        turns: tuple[Turn, ...] = (Turn("user", material),)
        said = self._say(rules, turns, ANSWER)
        found = operations.parse(said.text, batch.agent)
        if isinstance(found, Answer):
            return found
        if said.cut:
            return f"it was cut off at the limit; {found}"
        last = said.text if len(said.text) <= _REPEATED else f"{said.text[:_REPEATED]}…"
        more = (Turn("assistant", last or "(nothing)"), Turn("user", prompt_text.broken(found)))
        return operations.parse(self._say(rules, (*turns, *more), ANSWER).text, batch.agent)

    def again(
        self, batch: Batch, refused: Sequence[tuple[Operation, str]], problems: Sequence[str], open_: Sequence[int]
    ) -> Answer:
        """Return what is answered in the place of operations that were refused; nothing where that is no answer."""
        rules, _ = prompt_text.prompt(batch)
        material = prompt_text.again(batch, refused, problems, open_)
        found = operations.parse(self._say(rules, (Turn("user", material),), ANSWER).text, batch.agent)
        return found if isinstance(found, Answer) else Answer()

    def say(self, rules: str, material: str) -> str:
        """Return what is said to a short question."""
        return self._say(rules, (Turn("user", material),), SUPPORT).text

    def _say(self, rules: str, turns: tuple[Turn, ...], longest: int) -> Said:
        asked = Asked(rules, turns, None, longest, min(self._seconds, self.budget.left), self.budget.admit)
        self.budget.afford(asked.estimate + longest)
        begun, used = self._clock(), Usage()
        try:
            said = self._voice.say(asked)
            counted = said.read is not None and said.written is not None
            read = asked.estimate if said.read is None else said.read
            written = count(said.text) if said.written is None else said.written
            used = Usage(read=read, written=written, estimated=not counted)
        except LostError:
            used = Usage(read=asked.estimate, estimated=True)
            raise
        finally:
            self.budget.spend(used + Usage(seconds=self._clock() - begun))
        return said
