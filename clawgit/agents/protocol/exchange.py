"""Asks a voice to read a batch."""

from collections.abc import Sequence

from msgspec import to_builtins

from clawgit.agents.protocol import operations, prompt_text
from clawgit.agents.protocol.batch import Batch
from clawgit.agents.protocol.operations import Answer, Operation
from clawgit.llm import fencing
from clawgit.llm.speaker import Speaker

ANSWER = 6_000
"""Tokens of an answer, at the most."""
_REPEATED = 4_000


class Exchange:
    """Talks to the voice of one run."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker

    @property
    def name(self) -> str:
        """Whose answers these are."""
        return self._speaker.name

    @property
    def usage(self) -> dict[str, float]:
        """What was asked so far."""
        found: dict[str, float] = to_builtins(self._speaker.used)
        return found

    def read(self, batch: Batch) -> Answer | str:
        """Return what is answered to a batch; what is wrong with the answer where it is none, also when asked again.

        Raises StoppedError where the run ends, another ModelError where just this was refused.
        """
        rules, material = prompt_text.prompt(batch)
        said = self._speaker.say(rules, material, ANSWER)
        found = operations.parse(said.text, batch.agent)
        if isinstance(found, Answer):
            return found
        if said.cut:
            return f"it was cut off at the limit; {found}"
        last = fencing.fenced(said.text[:_REPEATED])
        more = f"{material}\n\nTo this you said:\n{last}\n{prompt_text.broken(found)}"
        return operations.parse(self._speaker.say(rules, more, ANSWER).text, batch.agent)

    def again(
        self, batch: Batch, refused: Sequence[tuple[Operation, str]], problems: Sequence[str], open_: Sequence[int]
    ) -> Answer:
        """Return what is answered in the place of operations that were refused; nothing where that is no answer."""
        rules, _ = prompt_text.prompt(batch)
        material = prompt_text.again(batch, refused, problems, open_)
        found = operations.parse(self._speaker.say(rules, material, ANSWER).text, batch.agent)
        return found if isinstance(found, Answer) else Answer()

    def say(self, rules: str, material: str, answer_tokens: int) -> str:
        """Return what is said to a short question."""
        return self._speaker.say(rules, material, answer_tokens).text
