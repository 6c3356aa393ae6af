"""What goes wrong outside."""

from clawgit.errors import ClawgitError


class OutsideError(ClawgitError):
    """Somebody outside did not do what was asked, in time and in bounds."""


class RefusedError(OutsideError):
    """A server answered that it will not; `words` are the beginning of what it said, which nobody should believe.

    `wait` is for how many seconds it asks to be left alone.
    """

    def __init__(self, message: str, status: int, words: bytes = b"", *, fix: str = "", wait: float = 0.0) -> None:
        super().__init__(message, fix=fix)
        self.status = status
        self.words = words
        self.wait = wait


class UnreachedError(OutsideError):
    """Nobody was there to take it: nothing was worked on."""


class BrokenError(OutsideError):
    """An answer came in part, or too late: it may have been worked on all the same."""
