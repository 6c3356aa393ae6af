"""What commands answer, and how they are asked."""

import hashlib
import json
import shlex
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

_FOUND = 3


class Answer(Struct, frozen=True):
    """What a command came to: its exit code, the document that `--json` prints, what it told beside that.

    `seconds` tells for how long it has been asked, where the answer is not there yet: `code` and `document` say nothing
    then.
    """

    words: tuple[str, ...]
    code: int
    document: Any
    notes: tuple[str, ...] = ()
    seconds: float | None = None

    @property
    def pending(self) -> bool:
        """Whether the answer is not there yet."""
        return self.seconds is not None

    @property
    def fine(self) -> bool:
        """Whether it did what it is for; a check that found something did."""
        return self.seconds is None and self.code in (0, _FOUND)

    @property
    def error(self) -> str:
        """What went wrong, "" for nothing."""
        return "" if self.fine or self.pending else str(self._said("error") or "the command failed")

    @property
    def fix(self) -> str:
        """The way out of that."""
        return "" if self.fine else str(self._said("fix") or "")

    @property
    def rows(self) -> list[Any]:
        """The list that it answered, [] for anything else."""
        return self.document if self.fine and isinstance(self.document, list) else []

    @property
    def record(self) -> dict[str, Any]:
        """The one document that it answered, {} for anything else."""
        return self.document if self.fine and isinstance(self.document, dict) else {}

    @property
    def command(self) -> str:
        """What to type in a terminal for the same answer."""
        return spelled(self.words)

    def _said(self, key: str) -> object:
        return self.document.get(key) if isinstance(self.document, dict) else None


Ask = Callable[..., Answer]
"""Returns what a command answers, by its words; `vouched` tells that the operator has shown that he is there."""


def command(name: str, *given: str, **options: object) -> tuple[str, ...]:
    """Return the words of a command: no value that was `given` is ever taken for an option.

    An option is left out where it is None, False or "".
    """
    flags = []
    for key, value in options.items():
        word = key.strip("_").replace("_", "-")
        if value is True:
            flags.append(f"--{word}")
        elif value not in (None, False, ""):
            flags.append(f"--{word}={value}" if len(word) > 1 else f"-{word}{value}")
    return (*name.split(), *flags, *(("--", *given) if given else ()))


def spelled(words: Sequence[str]) -> str:
    """Return a command as it is typed."""
    after = list(words)
    if "--" in after and not any(word.startswith("-") for word in after[after.index("--") + 1 :]):
        after.remove("--")
    return shlex.join(["clawgit", *after])


def digest(*documents: object) -> str:
    """Return 16 hexadecimal digits that stand for what was shown."""
    text = json.dumps(documents, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
