"""What a message comes to."""

from typing import Literal

from msgspec import Struct


class Turn(Struct, frozen=True):
    """What somebody said."""

    who: Literal["operator", "agent"]
    text: str


class Stored(Struct, frozen=True):
    """A memory: its id, and what it says."""

    id: str
    text: str


class Correction(Struct, frozen=True):
    """`said` is wrong and `true` is so; `statement` is the whole truth, "" where nobody said it in a sentence.

    `entry` is the memory that says it wrongly; None where none does. `subject` is the whole sentence that is answered
    then, "" unknown.
    """

    said: str
    true: str
    entry: Stored | None
    statement: str
    subject: str = ""


class Candidate(Struct, frozen=True):
    """Something that corrects, perhaps: why nothing is done, what is known of the two sides, which memories fit."""

    reason: str
    said: str = ""
    true: str = ""
    choices: tuple[Stored, ...] = ()
