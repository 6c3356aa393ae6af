"""What a message comes to."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody said."""

    who: Literal["operator", "agent"]
    text: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory: its id, and what it says."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Correction:
    """`said` is wrong and `true` is so; `statement` is the whole truth, "" where nobody said it in a sentence.

    `entry` is the memory that says it wrongly; None where none does. `subject` is the whole sentence that is answered
    then, "" unknown.
    """

    said: str
    true: str
    entry: Stored | None
    statement: str
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that corrects, perhaps: why nothing is done, what is known of the two sides, which memories fit."""

    reason: str
    said: str = ""
    true: str = ""
    choices: tuple[Stored, ...] = ()
