"""Chooses the voice."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from clawgit.errors import Advice, Command
from clawgit.llm import voice_record
from clawgit.llm.model import URL, ModelError
from clawgit.store.database import StateStore

if TYPE_CHECKING:  # loaded where a voice is asked
    from clawgit.llm.asking import Voice

Kind = Literal["openclaw", "endpoint", "command", "rules"]
Value = Callable[[str], Any]
"""Returns the value of a key of CONFIG.md."""
AUTO = Command("clawgit config voice auto")
_NO_GATEWAY = "OpenClaw's gateway is gone: openclaw gateway restart"
_UNTRIED = "OpenClaw's model was not tried yet: clawgit model --test"


class Chosen(Struct, frozen=True):
    """The chosen voice, and the reason; `voice` is None for rules, and if `problem` prevents asking."""

    kind: Kind
    why: str
    voice: "Voice | None" = None
    problem: ModelError | None = None


def find(value: Value, environ: Mapping[str, str], store: StateStore) -> "Voice | None":
    """Return the voice of a workspace, None if rules do without.

    `value` gives the keys `voice`, `llm_model` and `llm_command` of CONFIG.md, `store` has the results of trials. No
    model is asked anything. Raises ModelError for half a configuration.
    """
    choice = choose(value, environ, store)
    if choice.problem:
        raise choice.problem
    return choice.voice


def choose(value: Value, environ: Mapping[str, str], store: StateStore, *, is_test: bool = False) -> Chosen:
    """Return which voice is asked, and why. Raises ClawgitError only where CONFIG.md cannot be used.

    A test (`is_test`) is about OpenClaw's model also where that waits to be tried: under `auto` it goes before what is
    asked in its stead.
    """
    setting, reason, obstacle = value("voice"), "voice in CONFIG.md says so", ""
    if setting == "rules":
        return Chosen("rules", reason)
    kind: Kind | None = setting if setting != "auto" else None
    is_lent = kind is None and voice_record.listening(store.folder / voice_record.SOCKET)
    if kind is None and value("llm_command") == "openclaw" and not (is_lent and is_test):
        kind, reason = "openclaw", "llm_command in CONFIG.md says so"
    elif is_lent:
        obstacle = "" if is_test else _find_openclaw_obstacle(store)
        kind, reason = (
            None if obstacle else "openclaw",
            f"the agent's own model{'' if is_test else ', which passed its test'}",
        )
    if kind is None:
        is_endpoint = value("llm_model") and (environ.get(URL, "").strip() or not value("llm_command"))
        kind = "endpoint" if is_endpoint else "command" if value("llm_command") else None
        reason = f"{_SET[kind]}{f' ({obstacle})' if obstacle else ''}" if kind else ""
    if kind is None:
        return Chosen("rules", obstacle or "no model is set up")
    try:
        return Chosen(kind, reason, _voice(kind, value, environ, store))
    except ModelError as exc:
        return Chosen(kind, reason, problem=exc)


_SET: Mapping[Kind, str] = {
    "endpoint": f"llm_model and {URL} name it",
    "command": "llm_command names it",
}


def _find_openclaw_obstacle(store: StateStore) -> str:
    """Return why OpenClaw's model, which is lent, is not asked; "" where it is."""
    last = voice_record.load(store).tests.get("openclaw")
    if last and last.good:
        from clawgit.llm.model_clients import reachable  # noqa: PLC0415 - most have no model

        return "" if reachable(store.folder / voice_record.SOCKET) else _NO_GATEWAY
    return f"OpenClaw's model did not pass its test on {last.when[:10]}: clawgit model --test" if last else _UNTRIED


def _voice(kind: Kind, value: Value, environ: Mapping[str, str], store: StateStore) -> "Voice":
    name, command = value("llm_model"), value("llm_command")
    if kind == "openclaw":
        from clawgit.llm.model_clients import OpenClaw  # noqa: PLC0415 - most have no model

        last = voice_record.load(store).tests.get(kind)
        return OpenClaw(store.folder / voice_record.SOCKET, last.provider if last else "")
    if kind == "command":
        if not isinstance(command, list) or not command:
            raise ModelError("setting-invalid", "llm_command is no argument list", fix=AUTO)
        from clawgit.llm.model_clients import CommandClient  # noqa: PLC0415 - as above

        return CommandClient(command, environ)
    if not name:
        raise ModelError("setting-missing", "voice is endpoint, but llm_model names no model", fix=AUTO)
    if not environ.get(URL, "").strip():
        raise ModelError("setting-missing", f"{name} needs {URL}", fix=Advice(f"export {URL}=http://HOST:PORT/v1"))
    from clawgit.llm.model_clients import Chat  # noqa: PLC0415 - as above

    return Chat(name, environ)
