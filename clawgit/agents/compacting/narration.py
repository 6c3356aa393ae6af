"""Has a voice tell days."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from clawgit.agents import line_claims
from clawgit.agents.compacting import journal_archive
from clawgit.agents.compacting.journal_archive import Journal
from clawgit.agents.line_claims import LineClaim
from clawgit.errors import ClawgitError
from clawgit.language import logic
from clawgit.llm import json_answer
from clawgit.llm.model import ModelError
from clawgit.reading import losses
from clawgit.reading.citation import Source
from clawgit.safety import injection
from clawgit.text import document
from clawgit.text.edit import bullet
from clawgit.text.entry import Entry, entries
from clawgit.text.tokens import count
from clawgit.workspace.commit_message import one_line

ANSWER = 6_000
"""Tokens of an answer, at the most."""
_MOST, _LONGEST = 200, 480
"""Sentences of an answer, and characters of each: one tells several lines."""
_MARGIN = 16
RULES = f"""\
You read the journals of some days, line by line: a number, the day, the words. Tell the days in fewer words: what
happened, what was decided and learnt. Answer with one JSON object and nothing else:
{{"operations": [{{"act": "chronicle", "lines": [3, 4], "text": "…"}}]}}
Each "text" is one sentence of at most {_LONGEST} characters that is understood alone, in the language of its lines, and
says what all of its lines say: every number, name, date, denial and condition of them, and nothing else. All lines of
one operation are of one day. A line that you do not name stays in the chronicle as it is: leave out what cannot be said
more briefly."""


class Teller(Protocol):
    """Tells journals."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what did not go as it should have."""

    @property
    def usage(self) -> Mapping[str, float]:
        """What a voice was asked, empty without one."""

    def __call__(self, some: Sequence[Journal]) -> Mapping[str, str]:
        """Return the text of days that are told, by path; the others stay in their own words."""


class OwnWords:
    """Tells nothing: each day keeps its own text."""

    notes: tuple[str, ...] = ()
    usage: Mapping[str, float] = {}

    def __call__(self, some: Sequence[Journal]) -> Mapping[str, str]:
        """Return nothing."""
        del some
        return {}


class Voice(Protocol):
    """What is asked, and what it has used."""

    def __call__(self, rules: str, material: str, tokens: int) -> str:
        """Return what is said to material. Raises ModelError where the voice fails."""

    @property
    def usage(self) -> Mapping[str, float]:
        """What was asked so far."""


class Line(NamedTuple):
    """One entry of a journal with what is nested in it, by its number in a batch; lines `start` to `end`."""

    number: int
    journal: Journal
    text: str
    start: int
    end: int


class Sentence(Struct, frozen=True):
    """What a voice says, and the lines that it says it of."""

    text: str
    lines: tuple[Line, ...]

    @property
    def claim(self) -> LineClaim:
        """The sentence and its lines, to be checked."""
        sources = tuple(Source(line.text, line.journal.day) for line in self.lines)
        return LineClaim(self.text, sources, longest=_LONGEST)


class ByVoice:
    """Has a voice tell days in batches of so many tokens; `told` is what the agent is told to do.

    A sentence takes the place of its lines where it passes the checks, the second call bears it out, and no number,
    name, date, denial or condition of theirs is lost. All else stays in its own words, so that it is found.
    """

    def __init__(self, say: Voice, tokens: int, told: str = "") -> None:
        self._say, self._tokens = say, tokens
        self._rules = f"{told.strip()}\n\n{RULES}" if told else RULES
        self._notes: list[str] = []
        self._refused = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what a voice could not be asked, or was not believed."""
        many = f"{self._refused} sentence{'' if self._refused == 1 else 's'} of the voice"
        return (*self._notes, *([f"{many} did not pass: the days' own words stand there"] if self._refused else []))

    @property
    def usage(self) -> Mapping[str, float]:
        """What the voice was asked."""
        return self._say.usage

    def __call__(self, some: Sequence[Journal]) -> Mapping[str, str]:
        """Return the text of days that are told, by path."""
        told: dict[str, str] = {}
        for batch in self._batches(some):
            try:
                kept = self._kept(batch)
            except ModelError as exc:
                self._notes.append(f"the voice gave no answer, and days keep their own words: {exc.message}")
                break
            told |= {path: _told(mine) for path, mine in _by_day(kept)}
        return told

    def _batches(self, some: Iterable[Journal]) -> Iterator[list[Line]]:
        """Yield the lines of journals, as many as the tokens hold; one that no batch holds is not told."""
        batch: list[Line] = []
        left = room = self._tokens - count(self._rules)
        for one in some:
            text = journal_archive.words(one)
            size = count(text) + _MARGIN * text.count("\n")
            if size > room or injection.scan(text):
                continue
            if size > left:
                yield batch
                batch, left = [], room
            groups = enumerate(_grouped(text), len(batch) + 1)
            batch += [
                Line(n, one, "\n".join(each.text for each in some), some[0].start, some[-1].end) for n, some in groups
            ]
            left -= size
        if batch:
            yield batch

    def _kept(self, batch: Sequence[Line]) -> list[Sentence]:
        """Return the sentences that pass, none of which shares a line with another."""
        found = list(_apart(_parsed(self._say(self._rules, _rows(batch), ANSWER), batch)))
        fit = [one for one in found if not _wrong(one)]
        doubted = line_claims.unsupported([one.claim for one in fit], self._say, batch[0].journal.path)
        kept = [one for at, one in enumerate(fit) if at not in doubted]
        self._refused += len(found) - len(kept)
        return kept


def _grouped(text: str) -> Iterator[list[Entry]]:
    """Yield the entries of a text, each bullet together with those that are nested in it; rows of tables stay."""
    group: list[Entry] = []
    for one in entries(text):
        if group and group[0].depth and one.depth > group[0].depth:
            group.append(one)
            continue
        if group and group[0].kind != "row":
            yield group
        group = [one]
    if group and group[0].kind != "row":
        yield group


def _parsed(said: str, batch: Sequence[Line]) -> Iterator[Sentence]:
    """Yield what an answer says of lines of one day; what is anything else counts as not said."""
    values: list[Any] = [one for one in json_answer.values(said) if isinstance(one, dict)]
    some: list[Any] = next((value["operations"] for value in values if isinstance(value.get("operations"), list)), [])
    for one in some[:_MOST]:
        if not isinstance(one, dict) or one.get("act") != "chronicle" or not isinstance(one.get("text"), str):
            continue
        named = one.get("lines")
        wanted = {n for n in named if isinstance(n, int) and 1 <= n <= len(batch)} if isinstance(named, list) else set()
        found = tuple(batch[n - 1] for n in sorted(wanted))
        if found and len({each.journal.path for each in found}) == 1:
            yield Sentence(one["text"].strip(), found)


def _apart(some: Iterable[Sentence]) -> Iterator[Sentence]:
    taken: set[int] = set()
    for one in some:
        mine = {line.number for line in one.lines}
        if not mine & taken:
            taken |= mine
            yield one


def _rows(lines: Iterable[Line]) -> str:
    return "\n".join(f"{line.number} {line.journal.day} {one_line(line.text)}" for line in lines)


def _wrong(one: Sentence) -> str:
    """Return why a sentence does not take the place of its lines as far as code can tell, "" where it does."""
    if why := line_claims.fault(one.claim) or _lost(one):
        return why
    return "" if stands(one.text) else "it cannot stand as one bullet"


def stands(text: str) -> bool:
    """Return whether Markdown holds a text as one bullet."""
    try:
        return bool(bullet(text))
    except ClawgitError:
        return False


def _lost(one: Sentence) -> str:
    isos = logic.languages(one.text, *(line.text for line in one.lines))
    lines = ((f"line {line.number}", line.text) for line in one.lines)
    return losses.find_loss(one.text, lines, isos, one.lines[0].journal.day)


def _by_day(kept: Iterable[Sentence]) -> Iterator[tuple[str, list[Sentence]]]:
    found: dict[str, list[Sentence]] = {}
    for one in kept:
        found.setdefault(one.lines[0].journal.path, []).append(one)
    yield from found.items()


def _told(some: Sequence[Sentence]) -> str:
    """Return the text of a day: its sentences with the lines that they are made of, then all that none of them is."""
    rows = document.split(journal_archive.words(some[0].lines[0].journal))
    away = {n for one in some for line in one.lines for n in range(line.start, line.end + 1)}
    told = "".join(f"{bullet(one.text)} <!-- {_places(one)} -->\n" for one in some)
    rest = "".join(row for number, row in enumerate(rows, 1) if number not in away).strip("\n")
    return f"{told}\n{rest}" if rest else told.rstrip("\n")


def _places(one: Sentence) -> str:
    return ", ".join(f"L{line.start}-L{line.end}" for line in one.lines)
