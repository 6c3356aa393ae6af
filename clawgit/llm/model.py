"""What a model is asked, and what it answers."""

from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar, overload

from msgspec import Struct

from clawgit.errors import ClawgitError

if TYPE_CHECKING:  # an extra, and slow to load
    from pydantic import BaseModel

Shape = TypeVar("Shape", bound="BaseModel")
Found_co = TypeVar("Found_co", covariant=True)

URL = "CLAWGIT_LLM_URL"
KEY = "CLAWGIT_LLM_KEY"


class ModelError(ClawgitError):
    """The model did not answer, or cannot be asked."""


class UnfitError(ModelError):
    """The model answered, and no answer was of use."""


class Prompt(Struct, frozen=True):
    """What is asked: the operator's rules (`agents/NAME/SOUL.md`), and material, fenced where others wrote it.

    `answer_tokens` is the most that an answer may take; where a model thinks first, that counts.
    """

    rules: str
    material: str
    answer_tokens: int = 2000


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


class Answer(Struct, Generic[Found_co], frozen=True):
    """The text of an answer and, where a shape was asked for, what was `found` in it, else None.

    `tries` is which answer was of use: 1 for the first, 0 for one that was known.
    """

    text: str
    found: Found_co
    usage: Usage
    tries: int


class Turn(Struct, frozen=True):
    """One turn of the talk with a model."""

    who: Literal["user", "assistant"]
    text: str


class Model(Protocol):
    """Somebody who answers. `name` tells one from another."""

    @property
    def name(self) -> str:
        """What tells its answers from another's."""

    @overload
    def ask(self, prompt: Prompt, shape: None = None) -> Answer[None]: ...
    @overload
    def ask(self, prompt: Prompt, shape: type[Shape]) -> Answer[Shape]: ...
