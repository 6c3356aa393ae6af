"""Parts of a report, none of which ends another."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from msgspec import Struct, field

from clawgit.errors import ClawgitError

P = ParamSpec("P")
T = TypeVar("T")


class Failure(Struct, frozen=True):
    """A part that could not be looked at."""

    part: str
    why: str


class Parts(Struct):
    """Looks at parts, and keeps why one could not be looked at."""

    failures: list[Failure] = field(default_factory=list)

    def look(self, part: str, default: T, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Return what `function` finds, `default` when it fails: that is noted, and the report goes on."""
        try:
            return function(*arguments, **named)
        except Exception as exc:  # noqa: BLE001 - whatever is broken in this workspace, the other parts can be seen
            self.failed(part, exc)
            return default

    def failed(self, part: str, exc: Exception) -> None:
        """Note that a part could not be looked at."""
        self.failures.append(Failure(part, self.why(exc)))

    @staticmethod
    def why(exc: Exception) -> str:
        """Return in one line why something failed; never a value that stood in a file."""
        match exc:
            case ClawgitError():
                return exc.message.split("\n")[0]
            case OSError():
                return f"{exc.filename}: {exc.strerror}" if exc.filename else str(exc)
            case _ if "pygit2" in type(exc).__module__:
                return str(exc)
            case _:
                return f"{type(exc).__name__} in clawgit; please report it"
