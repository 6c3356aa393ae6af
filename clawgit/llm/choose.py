"""Finds the model that is asked message by message."""

from collections.abc import Mapping
from pathlib import Path

from clawgit.llm import shape, voices
from clawgit.llm.asking import Asker
from clawgit.llm.budget import Budget
from clawgit.llm.model import Model
from clawgit.llm.voices import Value


def model(
    value: Value, environ: Mapping[str, str], state: Path, budget: Budget, seconds: float = 120.0
) -> Model | None:
    """Return the model, None where none is configured: rules do without.

    `value`, `environ` and `state` are as `voices.find` has them. One answer is waited for `seconds`. Raises ModelError
    for half a configuration, or without the extra `llm`. The model of OpenClaw that `auto` finds is for whole batches:
    a request for each message is more than an operator agreed to when he tried it.
    """
    own = value("voice") == "auto" and value("llm_command") != "openclaw"
    if own and voices.choose(value, environ, state).kind == "openclaw":
        return None
    voice = voices.find(value, environ, state)
    if voice is None:
        return None
    shape.required()
    return Asker(voice, budget, seconds)
