"""How a message contradicts, and what it says then."""
# ruff: noqa: RUF001 -- punctuation of several scripts

import re
from functools import partial
from pathlib import Path
from typing import Literal

from msgspec import Struct

from clawgit.language import pattern_tables
from clawgit.language.own_words import straight
from clawgit.messages.patterns import VALIDATOR
from clawgit.messages.triage import Triage

_pattern = partial(pattern_tables.pattern, Path(__file__).parent / "data/corrections.toml", "contradicting_words")


def contradicts(text: str) -> bool:
    """Tell whether something may be corrected here, in any of seven languages; for who knows the other side."""
    return _pattern("signs").search(text) is not None


def speaks_up(text: str) -> bool:
    """Tell whether words could correct anything at all: quickly, and without a look at what is known."""
    return any(tells(text) for tells in (contradicts, strongly))


def strongly(text: str) -> bool:
    """Tell whether somebody is contradicted for sure."""
    return _pattern("strong").search(text) is not None


def blames(trigger: str) -> bool:
    """Tell whether the words that called the validator say that something is wrong, and not just another way."""
    return not re.match(r"(?:i|actually,? (?:i|we))\b", trigger.strip(), re.IGNORECASE)


def beyond(text: str) -> str:
    """Return a message without the no, or the choice, that answers a question."""
    return re.sub(r"^\W*(?:not|nein|nicht|no+|nope|non|pas|不是|いや|아니)\b[^,.;!?]*", "", bare(text))


def bare(sentence: str) -> str:
    """Return what a sentence states, without the words that only contradict: `no, I said`."""
    while (opener := _pattern("opener").match(sentence)) and opener.end() > 0:
        sentence = sentence[opener.end() :]
    return sentence.lstrip(" \t,，、:：;；.。!！—–-").strip()


_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,}).*?(?:^[ \t]*(?:`{3,}|~{3,})[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r"^[ \t]*>.*$", re.MULTILINE)


def spoken(text: str) -> str:
    """Return what of a message its writer says, without quoted lines and blocks of code."""
    plain = _QUOTED.sub("", _FENCE.sub("", straight(text))).strip()
    plain = _pattern("bare").sub(_elided, plain)
    return _pattern("its", re.IGNORECASE | re.MULTILINE).sub(lambda match: f"{match[1] or ''}it's", plain)


def _elided(match: re.Match[str]) -> str:
    """Return a word with the apostrophe that its writer left out."""
    if match[1]:
        return f"{match[1]}n't"
    return f"{match[2]}'s" if match[2] else f"{match[3]}'{match[4]}"


def called_for(text: str, found: Triage) -> bool:
    """Tell whether the recall validator has anything to look at in a message of the operator's."""
    return any(one.route == VALIDATOR for one in found.matches) or speaks_up(spoken(text))


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
    then, "" unknown. `tag` is that of the statement where no memory has one.
    """

    said: str
    true: str
    entry: Stored | None
    statement: str
    subject: str = ""
    tag: str = "knowledge"


class Candidate(Struct, frozen=True):
    """Something that corrects, perhaps: why nothing is done, what is known of the two sides, which memories fit."""

    reason: str
    said: str = ""
    true: str = ""
    choices: tuple[Stored, ...] = ()
