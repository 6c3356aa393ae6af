"""Chooses who is asked."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from clawgit.errors import Advice, Command
from clawgit.llm import voice_record
from clawgit.llm.model import URL, ModelError
from clawgit.llm.voice_record import Record
from clawgit.store.database import StateStore

if TYPE_CHECKING:  # loaded where a voice is asked
    from clawgit.llm.asking import Voice

Kind = Literal["openclaw", "endpoint", "command", "rules"]
Value = Callable[[str], Any]
"""Returns the value of a key of CONFIG.md."""
AUTO = Command("clawgit config voice auto")
_GONE = "OpenClaw's gateway is gone: openclaw gateway restart"
_UNTRIED = "OpenClaw's model was not tried yet: clawgit model --test"


class Chosen(Struct, frozen=True):
    """Which voice it is, and why; `voice` is None for rules, and where `problem` says why it cannot be asked."""

    kind: Kind
    why: str
    voice: "Voice | None" = None
    problem: ModelError | None = None


def find(value: Value, environ: Mapping[str, str], store: StateStore) -> "Voice | None":
    """Return the voice of a workspace, None where rules do without.

    `value` gives the keys `voice`, `llm_model` and `llm_command` of CONFIG.md, `store` holds how voices did when
    they were tried. No model is asked anything. Raises ModelError for half a configuration.
    """
    found = choose(value, environ, store)
    if found.problem:
        raise found.problem
    return found.voice


def choose(value: Value, environ: Mapping[str, str], store: StateStore) -> Chosen:
    """Return which voice is asked, and why. Raises ClawgitError only where CONFIG.md cannot be used."""
    wanted = value("voice")
    if wanted == "rules":
        return Chosen("rules", "voice in CONFIG.md says so")
    if wanted != "auto":
        return of_kind(wanted, value, environ, store, "voice in CONFIG.md says so")
    if value("llm_command") == "openclaw":
        return of_kind("openclaw", value, environ, store, "llm_command in CONFIG.md says so")
    known = voice_record.load(store)
    without = ""
    if voice_record.listening(store.folder / voice_record.SOCKET):
        without = _without(known, store.folder / voice_record.SOCKET)
        if not without:
            return of_kind("openclaw", value, environ, store, "the agent's own model, which passed its test")
    if kind := _set_up(value, environ):
        return of_kind(kind, value, environ, store, f"{_SET[kind]}{f' ({without})' if without else ''}")
    return Chosen("rules", without or "no model is set up")


def candidate(value: Value, environ: Mapping[str, str], store: StateStore) -> Chosen:
    """Return which voice a test is about: the one that is asked, else OpenClaw's model that waits to be tried.

    Under `auto` that goes before what is asked in its stead.
    """
    if value("voice") == "auto" and voice_record.listening(store.folder / voice_record.SOCKET):
        return of_kind("openclaw", value, environ, store, "the agent's own model")
    return choose(value, environ, store)


def of_kind(kind: Kind, value: Value, environ: Mapping[str, str], store: StateStore, why: str) -> Chosen:
    """Return a voice of this kind, or what it lacks."""
    try:
        return Chosen(kind, why, _voice(kind, value, environ, store))
    except ModelError as exc:
        return Chosen(kind, why, problem=exc)


_SET: Mapping[Kind, str] = {
    "endpoint": f"llm_model and {URL} name it",
    "command": "llm_command names it",
}


def _without(known: Record, place: Path) -> str:
    """Return why OpenClaw's model, which is lent at `place`, is not asked; nothing where it is."""
    last = known.tests.get("openclaw")
    if last and last.good:
        from clawgit.llm.model_clients import reachable  # noqa: PLC0415 - most have no model

        return "" if reachable(place) else _GONE
    return f"OpenClaw's model did not pass its test on {last.when[:10]}: clawgit model --test" if last else _UNTRIED


def _set_up(value: Value, environ: Mapping[str, str]) -> Kind | None:
    """Return what is set up by hand; half an endpoint counts where nothing else is set up."""
    if value("llm_model") and environ.get(URL, "").strip():
        return "endpoint"
    if value("llm_command"):
        return "command"
    return "endpoint" if value("llm_model") else None


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
