"""Chooses the voice."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from clawgit.errors import Advice
from clawgit.llm import model
from clawgit.llm.model import URL, ModelError
from clawgit.store.database import StateStore

if TYPE_CHECKING:  # loaded where a voice is asked
    from clawgit.llm.asking import Voice

Kind = Literal["openclaw", "endpoint", "command", "rules"]
Value = Callable[[str], Any]
"""Returns the value of a key of CONFIG.md."""


class Chosen(Struct, frozen=True):
    """The chosen voice, and the reason; `voice` is None for rules, and if `problem` prevents asking."""

    kind: Kind
    why: str
    voice: "Voice | None" = None
    problem: ModelError | None = None


def find_voice(value: Value, environ: Mapping[str, str], store: StateStore) -> "Voice | None":
    """Return the voice of a workspace, None if rules do without. Raises ModelError for half a configuration."""
    choice = choose(value, environ, store)
    if choice.problem:
        raise choice.problem
    return choice.voice


def choose(value: Value, environ: Mapping[str, str], store: StateStore, *, is_test: bool = False) -> Chosen:
    """Return which voice is asked, and why; no model is asked anything. Raises ClawgitError for a bad CONFIG.md.

    `value` gives the key `llm` of CONFIG.md, `store` has the results of trials. A test (`is_test`) is about OpenClaw's
    model also where that waits to be tried.
    """
    setting, obstacle, reason = value("llm"), "", "llm in CONFIG.md says so"
    if setting == "auto":
        is_lent = model.is_listening(store.folder / model.VOICE_SOCKET)
        obstacle = "no model is set up" if not is_lent else "" if is_test else _find_openclaw_obstacle(store)
        reason = f"the agent's own model{'' if is_test else ', which passed its test'}"
    if obstacle or setting == "rules":
        return Chosen("rules", obstacle or reason)
    kind: Kind = "command" if isinstance(setting, list) else "endpoint"
    kind = "openclaw" if setting in ("auto", "openclaw") else kind
    try:
        return Chosen(kind, reason, _make_voice(kind, setting, environ, store))
    except ModelError as exc:
        return Chosen(kind, reason, problem=exc)


def _find_openclaw_obstacle(store: StateStore) -> str:
    """Return why OpenClaw's model, which is lent, is not asked; "" where it is."""
    from clawgit.llm.model_clients import reachable  # noqa: PLC0415 - most have no model

    last = model.load_voice_record(store).tests.get("openclaw")
    if last and last.good:
        is_there = reachable(store.folder / model.VOICE_SOCKET)
        return "" if is_there else "OpenClaw's gateway is gone: openclaw gateway restart"
    outcome = f"did not pass its test on {last.when[:10]}" if last else "was not tried yet"
    return f"OpenClaw's model {outcome}: clawgit model --test"


def _make_voice(kind: Kind, setting: Any, environ: Mapping[str, str], store: StateStore) -> "Voice":
    from clawgit.llm import model_clients  # noqa: PLC0415 - most have no model

    if kind == "openclaw":
        last = model.load_voice_record(store).tests.get(kind)
        return model_clients.OpenClaw(store.folder / model.VOICE_SOCKET, last.provider if last else "")
    if kind == "command":
        return model_clients.CommandClient(setting, environ)
    if not environ.get(URL, "").strip():
        raise ModelError("setting-missing", f"{setting} needs {URL}", fix=Advice(f"export {URL}=http://HOST:PORT/v1"))
    return model_clients.Chat(setting, environ)
