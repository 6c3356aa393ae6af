"""What a conversation asks of the memory."""

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit.context.asked import Asked, SessionKind
from clawgit.context.entities import entities
from clawgit.errors import ClawgitError
from clawgit.search import words

if TYPE_CHECKING:
    from clawgit.sessions.chat_store import ChatStore, Summary

_SPOKEN = re.compile(
    r"^[ \t]*(?:[-*][ \t]+)?\**(user|human|operator|assistant|agent|ai|bot)\**[ \t]*:\**[ \t]*", re.IGNORECASE
)
_AGENT = ("assistant", "agent", "ai", "bot")
_TURNS = 6
_FEW = 4
_LONGEST = 1500
_KINDS: dict[str, SessionKind] = {
    "group": "group",
    "hook": "group",
    "cron": "cron",
    "heartbeat": "heartbeat",
    "subagent": "subagent",
}

Turn = tuple[bool, str]
"""Whether somebody else than the agent says it, and what."""


class Talk(Struct, frozen=True):
    """A conversation: of which kind it is, what to search for, and whom and what it names."""

    kind: SessionKind
    questions: tuple[str, ...]
    names: tuple[str, ...]


def read(asked: Asked, store: "ChatStore | None") -> Talk:
    """Return what a conversation asks for. Raises ClawgitError for a session that is not kept."""
    said = turns(asked, store)
    names = entities((asked.query, *(text for _, text in reversed(said))))
    return Talk(kind(asked, store), questions(asked, said), tuple(names))


def turns(asked: Asked, store: "ChatStore | None") -> list[Turn]:
    """Return the last turns of the conversation, the last one last: those of the session, then those of the text.

    Raises ClawgitError for a session that is not kept.
    """
    said = _kept(store, asked.session) if asked.session else []
    return [*said, *_told(asked.text)][-_TURNS:]


def questions(asked: Asked, said: list[Turn]) -> tuple[str, ...]:
    """Return what to search for, the most telling first: what is asked by name, else the last turn of who asks.

    A turn of hardly any words is about what was said before it, so the turns before it are searched for too.
    """
    if asked.query.strip():
        return (asked.query.strip(),)
    texts = [text[-_LONGEST:] for theirs, text in said if theirs] or [text[-_LONGEST:] for _, text in said]
    if not texts:
        return ()
    before = " ".join(text[-_LONGEST:] for _, text in said[-4:-1])
    if len(words.content(texts[-1])) < _FEW and before:
        return (f"{texts[-1]} {before}".strip(),)
    return (texts[-1], f"{before} {texts[-1]}") if before else (texts[-1],)


def kind(asked: Asked, store: "ChatStore | None") -> SessionKind:
    """Return what kind of session it is: what the store knows of it counts where that is stricter."""
    known = _place(store, asked.session).session.kind if store and asked.session else "direct"
    return _KINDS.get(known, "main") if asked.session_kind == "main" else asked.session_kind


def _told(text: str) -> list[Turn]:
    """Return the turns of a text, `user: …` and `assistant: …` on lines of their own; else it is one."""
    found: list[Turn] = []
    for line in text.strip().split("\n"):
        mark = _SPOKEN.match(line)
        if mark:
            found.append((mark[1].casefold() not in _AGENT, line[mark.end() :]))
        elif found:
            found[-1] = found[-1][0], f"{found[-1][1]}\n{line}"
        elif line.strip():
            found.append((True, line))
    return found


def _kept(store: "ChatStore | None", wanted: str) -> list[Turn]:
    place = _place(store, wanted)
    assert store is not None
    said = [one for one in store.messages(place.session) if one.role != "tool" and one.text.strip()]
    return [(one.role == "user", one.text) for one in said[-_TURNS:]]


def _place(store: "ChatStore | None", wanted: str) -> "Summary":
    found = [one for one in (store.sessions() if store else ()) if one.session.id.startswith(wanted)]
    exact = [one for one in found if one.session.id == wanted]
    if len(exact or found) != 1:
        words = f"several sessions begin with {wanted}" if found else f"no session {wanted} is kept"
        raise ClawgitError(words, fix="clawgit session list")
    return (exact or found)[0]
