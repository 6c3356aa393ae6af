"""A note, as it is compared with another."""

import re
from collections.abc import Iterable

from msgspec import Struct

from clawgit.agents.detecting import lexicon
from clawgit.text.sameness import partners, rephrased
from clawgit.text.sameness.note import Reading, temporal
from clawgit.text.sameness.synonyms import QUANTIFIERS

SUBJECTS = frozenset(("·topic", "が"))
SMALL = frozenset(("do", "does", "did", "to", "be", "the", "now", "·every", "one", "anymore", "any", "is", "="))
BEING = frozenset(("=", "is"))
_CALENDAR = "DMY"
_PAST = re.compile(
    r"[a-z-]{3,}ed|(?:ab|an|auf|aus|ein|um|zu)?ge[a-zäöü]{2,}(?:t|en)|[a-zäöü]{2,}iert|[a-zñ]{3,}(?:ó|aron|ieron)"
)
_LABEL = re.compile(r"[^:\uff1a]{1,80}(?::\s|\uff1a)")
_NOT_PAST = frozenset(("need", "speed", "feed", "indeed", "gegen", "gestern", "gebiet", "gerät", "gericht", "geht"))


class Note(Struct, frozen=True):
    """What is compared: the words, the tag, and the day that they were noted on, ISO 8601, "" where none is told."""

    text: str
    tag: str = ""
    day: str = ""


class Sentence(Struct, frozen=True):
    """A note as it is compared: its reading, its words in order, and those that the other has not, by their place."""

    note: Note
    reading: Reading
    words: list[str]
    own: list[int]

    @property
    def left(self) -> list[str]:
        """The words that the other has not."""
        return [self.words[at] for at in self.own]

    @property
    def day(self) -> str:
        """The day that it names before all else, else the one that it was noted on."""
        return self.reading.day.removeprefix("D") or self.note.day

    @property
    def labelled(self) -> bool:
        """Whether it says what it is about, and behind a colon what is so."""
        return bool(_LABEL.match(self.note.text)) and not self.reading.day

    @property
    def event(self) -> bool:
        """Whether it tells of something that happened, and may happen again."""
        words = set(self.words)
        if words & (lexicon.ONCE | BEING):
            return False
        if words & lexicon.DONE or any(past(word) for word in words):
            return True
        return self.note.tag == "event" and not words & lexicon.VERBS


def telling(words: Iterable[str]) -> list[str]:
    """Return the words that tell something by themselves."""
    return [word for word in words if word not in rephrased.LIGHT and word not in SMALL and not partners.weak(word)]


def kind(word: str) -> str:
    """Return what kind of value a word is, "" for none."""
    if word[0] == "#" and len(word) > 1:
        return "number"
    if temporal(word):
        return "calendar" if word[0] in _CALENDAR else "time"
    if word.startswith("u:"):
        return "unit"
    if (word[0] == "o" and word[1:].isdigit()) or (word in QUANTIFIERS and word != "都"):
        return "number"
    return "name" if re.search(r"\d", word) or "@" in word or "://" in word or "/" in word else ""


def before_predicate(one: Sentence, at: int) -> bool:
    """Tell whether the word at this place belongs to what is spoken of."""
    return at < predicate(one)


def predicate(one: Sentence) -> int:
    """Return where what is said of the subject begins; 0 where that cannot be told."""
    words = one.words
    for signs in (SUBJECTS, frozenset("=")):
        found = next((at for at, word in enumerate(words) if word in signs), 0)
        if found:
            return found
    comma = next((at for at, word in enumerate(one.reading.marked) if at and word == ","), 0)
    comma = comma if comma < len(one.reading.marked) - 1 else 0
    if comma and one.labelled:
        return comma
    verb = next((at for at, word in enumerate(words) if at and (word in lexicon.VERBS or past(word))), 0)
    if verb:
        return verb
    return comma


def past(word: str) -> bool:
    """Tell whether a word looks like what has happened."""
    return bool(_PAST.fullmatch(word)) and word not in _NOT_PAST
