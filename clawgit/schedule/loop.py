"""Looks at workspaces again and again."""

from collections.abc import Callable, Iterable, Sequence
from threading import Event

import schedule
from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.schedule.place import GoneError
from clawgit.schedule.turn import Ended, Turn

TICK = 30.0
"""Seconds between two looks."""


class Seat(Struct):
    """A workspace that is run; `told` is the trouble that was told last, so that it is told once."""

    turn: Turn
    told: frozenset[str] = frozenset()


class Listeners(Struct, frozen=True):
    """Who is told of a job that ended, and of a workspace that cannot be run as it is."""

    ended: Callable[[Turn, Ended], object]
    trouble: Callable[[Turn, ClawgitError], object]


def run(turns: Sequence[Turn], stop: Event, tell: Listeners, tick: float = TICK) -> None:
    """Do what is due, now and every `tick` seconds, until `stop` is set.

    What is wrong with one workspace leaves the others alone, and one that is gone is left. Raises GoneError when none
    is left.
    """
    seats = [Seat(turn) for turn in turns]
    scheduler = _planned(seats, tell, tick)
    scheduler.run_all()
    while not stop.is_set():
        scheduler.run_pending()
        idle = scheduler.idle_seconds
        if idle is None or idle > tick:  # the machine's clock was put back, and the library waits for it to return
            scheduler = _planned(seats, tell, tick)
        else:
            stop.wait(max(idle, 0.0))


def _planned(seats: list[Seat], tell: Listeners, tick: float) -> schedule.Scheduler:
    """Return what looks at all of them; only the rhythm is the library's, what is due is told by what was noted."""
    scheduler = schedule.Scheduler()
    scheduler.every(tick).seconds.do(_look, seats, tell)  # type: ignore[arg-type] # it takes parts of a second, too
    return scheduler


def _look(seats: list[Seat], tell: Listeners) -> None:
    for seat in list(seats):
        try:
            for ended in seat.turn.run():
                tell.ended(seat.turn, ended)
            _tell(seat, tell, seat.turn.problems())
        except GoneError as exc:
            seats.remove(seat)
            if not seats:
                raise
            tell.trouble(seat.turn, exc)
        except ClawgitError as exc:
            _tell(seat, tell, (exc,))
        except OSError as exc:
            _tell(
                seat,
                tell,
                (ClawgitError(f"{exc.filename or seat.turn.place.root}: {exc.strerror}", fix="df -h   # or: mount"),),
            )


def _tell(seat: Seat, tell: Listeners, found: Iterable[ClawgitError]) -> None:
    """Tell of the trouble that is new."""
    trouble = {one.message: one for one in found}
    for words in trouble.keys() - seat.told:
        tell.trouble(seat.turn, trouble[words])
    seat.told = frozenset(trouble)
