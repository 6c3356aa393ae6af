"""What the last turns of sessions were given."""

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from clawgit.store.database import StateStore

_NAME, MAX_TURNS = "turns", 500


class LoggedTurn(Struct, frozen=True):
    """A turn of a session with the digests of the lines that it was given, their `places`, and the day whose due items.

    Before it `missed` turns got no answer in time. `time` is its moment in ISO 8601.
    """

    session: str
    given: tuple[str, ...] = ()
    due: str = ""
    missed: int = 0
    places: tuple[tuple[str, int], ...] = ()
    time: str = ""


def log_turn(store: "StateStore", turn: LoggedTurn) -> None:
    """Note a turn; of more than MAX_TURNS the oldest go. Raises ClawgitError."""
    store.append_rows(_NAME, [turn], MAX_TURNS)


def read_turns(store: "StateStore", session: str, missed: int = 0) -> dict[str, list[LoggedTurn]]:
    """Return the turns of each session that are noted, of `session` at least none.

    Its last `missed` ones are left out: the agent never saw their lines.
    """
    log: dict[str, list[LoggedTurn]] = {session: []}
    for turn in store.read_rows(_NAME, LoggedTurn):
        log.setdefault(turn.session, []).append(turn)
    log[session] = log[session][: len(log[session]) - missed] if missed < len(log[session]) else []
    return log


def find_last(store: "StateStore") -> LoggedTurn | None:
    """Return the last turn of the owner's that is noted, None without one."""
    turns = reversed(store.read_rows(_NAME, LoggedTurn))
    return next((turn for turn in turns if not turn.session.endswith(" shared")), None)


def count_turns(store: "StateStore") -> tuple[int, int]:
    """Return the number of turns among the last that got no answer in time, and of all of them."""
    turns = store.read_rows(_NAME, LoggedTurn)
    missed = sum(turn.missed for turn in turns)
    return missed, missed + len(turns)
