"""What is asked of the assembler."""

from typing import Literal, get_args

from msgspec import Struct

SessionKind = Literal["main", "group", "subagent", "cron", "heartbeat"]
KINDS: tuple[SessionKind, ...] = get_args(SessionKind)


class Asked(Struct, frozen=True):
    """The conversation that a context is for.

    `text` is how it goes so far, its last turns at the end; `query` is asked of the memory instead of them; `session`
    is the id, or the beginning of one, of a conversation that the chat store keeps. `budget` are tokens, None leaves
    them to CONFIG.md. `as_of` names a commit or a day: the files count as they were then. Of the files in
    `shown` nothing is given: the prompt has them already.
    """

    text: str = ""
    query: str = ""
    session: str = ""
    budget: int | None = None
    session_kind: SessionKind = "main"
    as_of: str | None = None
    shown: tuple[str, ...] = ()
