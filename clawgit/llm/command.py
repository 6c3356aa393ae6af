"""A model behind a command."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from clawgit.llm.asking import Asked, LostError, Said
from clawgit.llm.model import ModelError
from clawgit.llm.words import plain
from clawgit.outside.command import Bounds, Ran, run
from clawgit.outside.error import BrokenError, OutsideError

READING = "CLAWGIT_LLM_READING"
"""Set for what is asked: an OpenClaw in there gives its turn no context of ours, and hears nothing."""
_PASSED = ("CLAWGIT_LLM_*", "OPENCLAW_*", "NODE_*")
_NEUTRAL = Path("/")  # some of these programs read whatever lies where they are started
_SHOWN = 160
_FIX = "clawgit config get llm_command"


class Command:
    """A voice that is an argument list: the prompt on stdin, the answer on stdout."""

    def __init__(self, words: Sequence[str], environ: Mapping[str, str]) -> None:
        self._words, self._environ = tuple(words), environ
        mark = sha256(json.dumps(self._words).encode()).hexdigest()[:8]
        self.provider = Path(self._words[0]).name
        self.name = f"{self.provider} ({mark})"

    def say(self, asked: Asked) -> Said:
        """Return what the command prints."""
        asked.admit()
        bounds, environ = Bounds(asked.seconds, passed=_PASSED), {**self._environ, READING: "1"}
        try:
            ran = run(self._words, text(asked), bounds, environ, _NEUTRAL)
        except BrokenError as exc:
            raise LostError(exc.message, fix=_FIX) from None
        except OutsideError as exc:
            raise ModelError(exc.message, fix=_FIX) from None
        if ran.code:
            raise _failed(self._words[0], ran)
        return Said(ran.output)


def text(asked: Asked) -> str:
    """Return all that is asked as one text."""
    return f"{asked.rules}\n\n{asked.material}\n"


def _failed(name: str, ran: Ran) -> ModelError:
    lines = (ran.said.strip() or ran.output.strip()).splitlines()
    said = plain(lines[-1], _SHOWN) if lines else ""
    return ModelError(f"{name} ended with exit code {ran.code}{': ' if said else ''}{said}", fix=_FIX)
