"""Has a voice tell days, and find what is twice."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from clawgit.agents.compacting import archive
from clawgit.agents.compacting.archive import Journal
from clawgit.agents.compacting.memory_hygiene import Held, Twins, listed_alike, older
from clawgit.agents.protocol import destructive, line_claims, value_backing
from clawgit.agents.protocol.check_result import Fault, Ground
from clawgit.agents.protocol.check_result import Held as Known
from clawgit.agents.protocol.line_claims import LineClaim, Say
from clawgit.agents.protocol.operations import Operation
from clawgit.agents.protocol.value_backing import Evidence, Source
from clawgit.errors import ClawgitError
from clawgit.language import logic
from clawgit.llm import json_answer
from clawgit.llm.model import ModelError
from clawgit.safety import hidden_text, injection, secrets
from clawgit.safety.redaction import redacted
from clawgit.text import document
from clawgit.text.document import Section
from clawgit.text.edit import bullet
from clawgit.text.entry import Entry, entries
from clawgit.text.sameness.note_reading import Known as Index
from clawgit.text.tokens import count
from clawgit.workspace.commit_message import one_line, shorten

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
        sources = tuple(Source(one.text, one.journal.day) for one in self.lines)
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
            text = archive.words(one)
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
        rows = "\n".join(f"{one.number} {one.journal.day} {one_line(one.text)}" for one in batch)
        found = list(_parsed(self._say(self._rules, rows, ANSWER), batch))
        fit = [
            one for one in _apart(found) if not line_claims.fault(one.claim) and not _lost(one) and _stands(one.text)
        ]
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
    some: list[Any] = next((one["operations"] for one in values if isinstance(one.get("operations"), list)), [])
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


def _stands(text: str) -> bool:
    try:
        return bool(bullet(text))
    except ClawgitError:
        return False


def _lost(one: Sentence) -> str:
    held = [Known(str(line.number), line.text) for line in one.lines]
    isos = logic.languages(one.text, *(each.text for each in held))
    return destructive.lost(one.text, held, isos, one.lines[0].journal.day)


def _by_day(kept: Iterable[Sentence]) -> Iterator[tuple[str, list[Sentence]]]:
    found: dict[str, list[Sentence]] = {}
    for one in kept:
        found.setdefault(one.lines[0].journal.path, []).append(one)
    yield from found.items()


def _told(some: Sequence[Sentence]) -> str:
    """Return the text of a day: its sentences with the lines that they are made of, then all that none of them is."""
    rows = document.split(archive.words(some[0].lines[0].journal))
    away = {n for one in some for line in one.lines for n in range(line.start, line.end + 1)}
    told = "".join(f"{bullet(one.text)} <!-- {_places(one)} -->\n" for one in some)
    rest = "".join(row for number, row in enumerate(rows, 1) if number not in away).strip("\n")
    return f"{told}\n{rest}" if rest else told.rstrip("\n")


def _places(one: Sentence) -> str:
    return ", ".join(f"L{line.start}-L{line.end}" for line in one.lines)


Guarded = Callable[[], Mapping[str, Known]]
"""Returns the memories as the checks see them, by id."""
DUPLICATE_ANSWER = 2_000
"""Tokens of an answer, at the most."""
_NEAR, _PAIRS = 4, 60
DUPLICATE_RULES = """\
You read pairs of memories that resemble each other: a number, then the two. Name the pairs of which one line is not
needed, because the other says all of it: the same numbers, names, days, conditions and the same "not". Two that only
speak of one thing are no such pair. Answer with one JSON object and nothing else:
{"operations": [{"act": "merge", "pair": 3, "stays": 1}]}
"stays" is 1 for the first line, 2 for the second. An empty list is a good answer."""


def twins(some: Sequence[Held], guarded: Guarded, say: Say) -> tuple[list[Twins], str]:
    """Return pairs of which one goes, and a sentence where the voice failed.

    What goes is neither asked for, nor a correction, nor a boundary; nothing of it is lost in what stays; the second
    call bears it out; and no more goes than one run may take away (agents.md, check 5).
    """
    pairs = list(_near(some))[:_PAIRS]
    if not pairs:
        return [], ""
    rows = (f"{n} 1: {one_line(a.entry.text)} 2: {one_line(b.entry.text)}" for n, (a, b) in enumerate(pairs, 1))
    known = guarded()
    ground = Ground(held=known, total=len(known))
    try:
        chosen = list(_parsed_duplicates(say(DUPLICATE_RULES, "\n".join(rows), DUPLICATE_ANSWER), pairs))
        fit = [one for one in chosen if not _fault(one, ground)]
        claims = [LineClaim(one.goes.entry.text, (Source(one.stays.entry.text, older(one.stays)),)) for one in fit]
        doubted = line_claims.unsupported(claims, say, "duplicates")
    except ModelError as exc:
        return [], f"the voice gave no answer on what is said twice: {exc.message}"
    return _apart_duplicates([one for at, one in enumerate(fit) if at not in doubted])[
        : destructive.limit(len(known))
    ], ""


def _near(some: Sequence[Held]) -> Iterator[tuple[Held, Held]]:
    """Yield entries of one list that resemble each other, the nearest of each first."""
    flat = [one for one in some if one.entry.depth == 1]
    index: Index[int] = Index()
    for at, one in enumerate(flat):
        for other in index.near(one.entry.text, _NEAR):
            if listed_alike(one.entry, flat[other].entry):
                yield flat[other], one
        index.add(at, one.entry.text)


def _parsed_duplicates(said: str, pairs: Sequence[tuple[Held, Held]]) -> Iterator[Twins]:
    values: list[Any] = [one for one in json_answer.values(said) if isinstance(one, dict)]
    some: list[Any] = next((one["operations"] for one in values if isinstance(one.get("operations"), list)), [])
    for one in some[:_PAIRS]:
        if not isinstance(one, dict) or one.get("act") != "merge" or one.get("stays") not in (1, 2):
            continue
        number = one.get("pair")
        if isinstance(number, int) and 1 <= number <= len(pairs):
            first, second = pairs[number - 1]
            yield Twins(first, second) if one["stays"] == 1 else Twins(second, first)


def _fault(one: Twins, ground: Ground) -> str:
    """Return why an entry may not go, "" where it may."""
    known = ground.held.get(one.goes.id)
    if known is None:
        return f"there is no entry {one.goes.id}"
    found = destructive.named(Operation("retire", entries=(one.goes.id,)), ground)
    if isinstance(found, Fault):
        return found.why
    text = one.stays.entry.text
    return destructive.lost(text, [known], logic.languages(text, known.text))


def _apart_duplicates(some: Sequence[Twins]) -> list[Twins]:
    """Return pairs none of which touches an entry of one before."""
    taken: set[int] = set()
    found = []
    for one in some:
        mine = {one.stays.entry.start, one.goes.entry.start}
        if not mine & taken:
            taken |= mine
            found.append(one)
    return found


SECTION_ANSWER = 3_000
"""Tokens of an answer, at the most."""
_SAYS, _SHOWN = 120, 400
SECTION_RULES = f"""\
The memory file of an agent is too long for its prompt. You read its sections: a number, the title, the lines, how they
begin. Put them in the order in which they may leave for files of their own, first what will be needed least: what is
over, worked out, or only read up on now and then. What the agent needs in every talk comes last. Answer with one JSON
object and nothing else:
{{"order": [{{"section": 3, "says": "…"}}]}}
"says" is what the link to the file tells of it beyond the title: at most {_SAYS} characters, in the language and in the
own words of the section, without numbers that it does not hold."""


class Ordered(NamedTuple):
    """Titles of sections in the order in which they may leave, and what the link to each says."""

    titles: tuple[str, ...] = ()
    says: Mapping[str, str] = {}
    note: str = ""


def sections(text: str, some: Sequence[Section], say: Say) -> Ordered:
    """Return the order in which a voice would have sections leave; with `note`, and no order, where it failed.

    What a link says is taken only where each of its words, numbers and names stands in the section.
    """
    rows = document.split(text)
    bodies = ["".join(rows[one.line : one.end]) for one in some]
    shown = (
        f"{n} {one.title} ({one.end - one.start} lines): {redacted(shorten(one_line(body), _SHOWN))}"
        for n, (one, body) in enumerate(zip(some, bodies, strict=True), 1)
    )
    try:
        said = say(SECTION_RULES, "\n".join(shown), SECTION_ANSWER)
    except ModelError as exc:
        return Ordered(note=f"the voice gave no answer on what may leave the memory file: {exc.message}")
    values: list[Any] = [one for one in json_answer.values(said) if isinstance(one, dict)]
    told: list[Any] = next((one["order"] for one in values if isinstance(one.get("order"), list)), [])
    titles: dict[str, str] = {}
    for one in told[:_MOST]:
        number = one.get("section") if isinstance(one, dict) else None
        if isinstance(number, int) and 1 <= number <= len(some):
            section = some[number - 1]
            titles.setdefault(section.title, _own_words(one.get("says"), f"{section.title}\n{bodies[number - 1]}"))
    return Ordered(tuple(titles), {title: says for title, says in titles.items() if says})


def _own_words(says: Any, body: str) -> str:
    """Return what a link may say: one line of words, numbers and names of the section; "" for what may not."""
    if not isinstance(says, str) or not says.strip() or len(says) > _SAYS or "\n" in says.strip():
        return ""
    text = says.strip()
    isos = logic.languages(text, body)
    strange = logic.content(text, isos) - logic.content(body, isos)
    if strange or value_backing.missing(text, Evidence((Source(body, None),), isos)):
        return ""
    if hidden_text.scan(text) or injection.scan(text) or secrets.scan(text) or not _stands(text) or "](" in text:
        return ""
    return "" if logic.denials(text, isos) and not logic.denials(body, isos) else text
