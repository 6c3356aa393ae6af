"""Conversations without what the operator tainted."""

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, cast

from msgspec.structs import replace

from clawgit.sessions import chat_store_choice
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.sessions.envelope import Session
from clawgit.workspace import taint_register
from clawgit.workspace.taint_register import Register
from clawgit.workspace.workspace import Workspace


def opened(workspace: Workspace, environ: Mapping[str, str], *, reading: bool = False) -> ChatStore:
    """Open the store of a workspace for whoever learns from it, or searches it: tainted turns say nothing.

    Raises ClawgitError.
    """
    store = chat_store_choice.opened(workspace.store, environ, reading=reading)
    register = taint_register.parse(workspace.read(taint_register.PATH) or "")
    return cast("ChatStore", _Untainted(store, register)) if register.taints else store


class _Untainted:
    """A store in which tainted turns are there, so that all others keep their place, and are empty."""

    def __init__(self, store: ChatStore, register: Register) -> None:
        self._store, self._register = store, register

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def __enter__(self) -> Self:
        self._store.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._store.__exit__(kind, error, trace)

    def messages(self, session: Session, *, abandoned: bool = False) -> Iterator[Message]:
        """Yield the messages of a session, those that are tainted without their words."""
        for one in self._store.messages(session, abandoned=abandoned):
            yield replace(one, text="", calls=(), origin="untrusted") if self._tainted(one) else one

    def saying(self, role: str, text: str) -> Sequence[Message]:
        """Return the messages that say this, without tainted ones."""
        return [one for one in self._store.saying(role, text) if not self._tainted(one)]

    def _tainted(self, one: Message) -> bool:
        return self._register.of_turn(one.session, one.event) is not None
