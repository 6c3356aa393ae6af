"""Runs commands, and their answers."""

import hashlib
import json
import shlex
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

_FOUND = 3


class Answer(Struct, frozen=True):
    """The result of a command: its exit code, the document of `--json`, its other output.

    `seconds` is the time since the request, if there is no answer yet: `code` and `document` are meaningless then.
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
        """Whether it did its work; a check with findings did."""
        return self.seconds is None and self.code in (0, _FOUND)

    @property
    def error(self) -> str:
        """The error, "" for none."""
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
        """The command to type in a terminal for the same answer."""
        return spell_command(self.words)

    def _said(self, key: str) -> object:
        return self.document.get(key) if isinstance(self.document, dict) else None


Ask = Callable[..., Answer]
"""Returns what a command answers, by its words; `vouched` tells that the operator has shown that he is there."""


def command(name: str, *given: str, **options: object) -> tuple[str, ...]:
    """Return the words of a command: no value that was `given` is ever taken for an option.

    An option is left out if it is None, False or "".
    """
    flags = []
    for key, value in options.items():
        word = key.strip("_").replace("_", "-")
        if value is True:
            flags.append(f"--{word}")
        elif value not in (None, False, ""):
            flags.append(f"--{word}={value}" if len(word) > 1 else f"-{word}{value}")
    return (*name.split(), *flags, *(("--", *given) if given else ()))


def spell_command(words: Sequence[str]) -> str:
    """Return a command as it is typed."""
    after = list(words)
    if "--" in after and not any(word.startswith("-") for word in after[after.index("--") + 1 :]):
        after.remove("--")
    return shlex.join(["clawgit", *after])


def digest(*documents: object) -> str:
    """Return 16 hexadecimal digits for the shown documents."""
    text = json.dumps(documents, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
