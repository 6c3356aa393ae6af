"""A model behind a command."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from clawgit.llm import fencing, loose
from clawgit.llm.asking import Asked, LostError, Said
from clawgit.llm.model import ModelError, Turn
from clawgit.llm.words import plain
from clawgit.outside.command import Bounds, Ran, run
from clawgit.outside.error import BrokenError, OutsideError

OPENCLAW = "openclaw"
_ASK = ("openclaw", "infer", "model", "run", "--json")
_LONGEST = 128 << 10  # what Linux takes as one argument, with its end
_PASSED = ("CLAWGIT_LLM_*", "OPENCLAW_*", "NODE_*")
_NEUTRAL = Path("/")  # some of these programs read whatever lies where they are started
_SHOWN = 160
_FIX = "clawgit config get llm_command"


class Command:
    """A voice that is an argument list: the prompt on stdin, the answer on stdout."""

    def __init__(self, words: Sequence[str], environ: Mapping[str, str]) -> None:
        self._words, self._environ = tuple(words), environ
        mark = sha256(json.dumps(self._words).encode()).hexdigest()[:8]
        self.name = f"{Path(self._words[0]).name} ({mark})"

    def say(self, asked: Asked) -> Said:
        """Return what the command prints."""
        ran = ask(self._words, text(asked), asked, self._environ)
        if ran.code:
            raise _failed(self._words[0], ran)
        return Said(ran.output)


class OpenClaw:
    """The voice of the operator's OpenClaw: one completion, without tools, persona or gateway."""

    def __init__(self, model: str, environ: Mapping[str, str]) -> None:
        self._words = (*_ASK, "--model", model) if model else _ASK
        self._environ = environ
        self.name = f"{OPENCLAW} ({model})" if model else OPENCLAW

    def say(self, asked: Asked) -> Said:
        """Return the text in what OpenClaw prints."""
        prompt = text(asked).replace("\0", "\ufffd")
        if len(prompt.encode("utf-8", "replace")) >= _LONGEST:
            raise ModelError(
                "the prompt is longer than a command line may be", fix="export CLAWGIT_LLM_URL=http://HOST:PORT/v1"
            )
        ran = ask((*self._words, "--prompt", prompt.encode("utf-8", "replace").decode()), "", asked, self._environ)
        for found in loose.values(ran.output):
            if isinstance(found, dict) and isinstance(found.get("outputs"), list) and found.get("ok") is not False:
                return Said("\n".join(_texts(found["outputs"])))
        raise _failed(OPENCLAW, ran)


def text(asked: Asked) -> str:
    """Return all that is asked as one text."""
    return "\n\n".join([asked.rules, *(_turn(turn) for turn in asked.turns)]) + "\n"


def ask(words: Sequence[str], stdin: str, asked: Asked, environ: Mapping[str, str]) -> Ran:
    """Run a command that asks a model. Raises ModelError."""
    asked.admit()
    try:
        return run(words, stdin, Bounds(asked.seconds, passed=_PASSED), environ, _NEUTRAL)
    except BrokenError as exc:
        raise LostError(exc.message, fix=exc.fix) from None
    except OutsideError as exc:
        raise ModelError(exc.message, fix=_FIX) from None


def _turn(turn: Turn) -> str:
    return turn.text if turn.who == "user" else f"You answered before:\n{fencing.fenced(turn.text)}"


def _texts(outputs: list[object]) -> list[str]:
    found = [one.get("text") for one in outputs if isinstance(one, dict)]
    return [one for one in found if isinstance(one, str)]


def _failed(name: str, ran: Ran) -> ModelError:
    lines = (ran.said.strip() or ran.output.strip()).splitlines()
    said = plain(lines[-1], _SHOWN) if lines else ""
    how = f"ended with exit code {ran.code}" if ran.code else "gave no answer"
    return ModelError(f"{name} {how}{': ' if said else ''}{said}", fix=_FIX)
