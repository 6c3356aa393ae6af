"""Finds the model that the operator configured."""

from collections.abc import Mapping, Sequence

from clawgit.llm import shape
from clawgit.llm.asking import Asker, Voice
from clawgit.llm.budget import Budget
from clawgit.llm.command import OPENCLAW, Command, OpenClaw
from clawgit.llm.model import URL, Model, ModelError


def model(
    name: str, command: str | Sequence[str], environ: Mapping[str, str], budget: Budget, seconds: float = 120.0
) -> Model | None:
    """Return the model, None where none is configured: rules do without.

    `name` and `command` are the keys `llm_model` and `llm_command` of CONFIG.md; a command goes before an endpoint. One
    answer is waited for `seconds`. Raises ModelError for half a configuration, or without the extra `llm`.
    """
    if not (name or command):
        return None
    shape.required()
    return Asker(_voice(name, command, environ), budget, seconds)


def _voice(name: str, command: str | Sequence[str], environ: Mapping[str, str]) -> Voice:
    if command == OPENCLAW:
        return OpenClaw(name, environ)
    if isinstance(command, str) and command:
        raise ModelError(
            f"llm_command is neither {OPENCLAW} nor an argument list", fix="clawgit config set llm_command openclaw"
        )
    if command:
        return Command(command, environ)
    if not environ.get(URL, "").strip():
        raise ModelError(f"llm_model is {name}, but {URL} is not set", fix=f"export {URL}=http://HOST:PORT/v1")
    from clawgit.llm.chat import Chat  # noqa: PLC0415 - HTTP takes 20 ms to load, and most have no model

    return Chat(name, environ)
