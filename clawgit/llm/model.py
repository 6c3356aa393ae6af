"""What everything about a model has in common."""

from msgspec import Struct

from clawgit.errors import ClawgitError

URL = "CLAWGIT_LLM_URL"
KEY = "CLAWGIT_LLM_KEY"


class ModelError(ClawgitError):
    """The model did not answer, or cannot be asked."""


class Usage(Struct, frozen=True):
    """What was used: requests, tokens read and written, seconds waited; `estimated` where nobody counted the tokens."""

    calls: int = 0
    read: int = 0
    written: int = 0
    seconds: float = 0.0
    estimated: bool = False

    @property
    def tokens(self) -> int:
        """Tokens in both directions."""
        return self.read + self.written

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.calls + other.calls,
            self.read + other.read,
            self.written + other.written,
            self.seconds + other.seconds,
            self.estimated or other.estimated,
        )
