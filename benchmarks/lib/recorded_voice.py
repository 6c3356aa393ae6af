"""A model that answers from a folder.

An answer stands in FOLDER/answers/KEY.txt, where KEY is a hash of the prompt; what has none is written to
FOLDER/asked/KEY.txt, and the voice fails, as one does that cannot be reached.
"""

import re
import sys
from hashlib import sha256
from pathlib import Path

from clawgit.llm.asking import Asked, LostError, Said
from clawgit.llm.model_clients import write_request

_FENCE = re.compile(r"\bdata [0-9a-f]{32}")


def key(prompt: str) -> str:
    """Return what an answer is kept under: the prompt without the code of its fences, which is drawn anew each time."""
    return sha256(_FENCE.sub("data CODE", prompt).strip().encode()).hexdigest()[:16]


class RecordedVoice:
    """A voice whose answers lie in `folder`.

    Where it is not `strict`, a batch is known by its turns alone, whatever is shown beside them.
    """

    name = provider = "recorded"

    def __init__(self, folder: Path, *, strict: bool = True) -> None:
        self._folder, self._strict = folder, strict

    def say(self, question: Asked) -> Said:
        """Return the recorded answer. Raises LostError where there is none."""
        return self.answer(write_request(question))

    def answer(self, prompt: str) -> Said:
        """Return the recorded answer to a whole prompt. Raises LostError where there is none."""
        if "Answer with the one word: ready" in prompt:
            return Said("ready")
        known_by = prompt if self._strict else prompt[prompt.rfind("\nTurns:\n") + 1 :]
        name = f"{key(known_by)}.txt"
        (self._folder / "asked").mkdir(parents=True, exist_ok=True)
        (self._folder / "asked" / name).write_text(prompt, "utf-8")
        try:
            return Said((self._folder / "answers" / name).read_text("utf-8"))
        except FileNotFoundError:
            raise LostError("test", f"no answer is recorded for {name}") from None


if __name__ == "__main__":  # as a command of the operator's: FOLDER, the prompt on stdin
    try:
        print(RecordedVoice(Path(sys.argv[1])).answer(sys.stdin.read()).text)
    except LostError as lost:
        sys.exit(lost.message)
