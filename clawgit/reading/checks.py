"""Checks an operation in code, and makes its claim."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, lru_cache
from itertools import chain

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.language import lexicon, logic, numbers, values
from clawgit.language.own_words import straight
from clawgit.language.values import Value, content_words, places
from clawgit.memory.value_exchange import replace_value
from clawgit.reading import citation, judge
from clawgit.reading.citation import Cited, Source
from clawgit.reading.judge import FOR_ALWAYS, Claim, Pair
from clawgit.reading.operations import Operation, State
from clawgit.reading.turns import Batch, Known
from clawgit.safety import hidden_text, secrets
from clawgit.text.confidence import CORRECTION, INFERRED, OPERATOR
from clawgit.text.entry import make_name
from clawgit.text.similarity import is_same_note

MAX_LINE_CHARS = 240
VERBATIM = "in your own words"
_SHARING = frozenset(("soul", "lesson", "retire"))
"""Operations that share a word with the cited turns themselves."""
_WRITING = frozenset(("add", "replace", "correct", "lesson", "soul"))
WITH_ENTRIES = frozenset(("replace", "retire", "merge"))
_PAIR = 2
_OWN_SHARE = 0.8
"""Share of the words of a line of the identity that the operator says himself; with fewer the line waits."""
_TAG = re.compile(r"\s*(?:[-*+]\s+)?\[\w+\]|\s*#\w+\b")
_LIST = re.compile(r"\s*(?:[-*+\u2022]|\d{1,2}[.)])\s+")
_CLASH = "A and B cannot both be true."
_TOO_LONG = f"a line has at most {MAX_LINE_CHARS} characters"


class Ground(Struct, frozen=True):
    """What the checks need of a workspace, as plain values.

    `held` are the texts of all entries by id. `direct` are the sessions without other people, `groups` those with
    them, `apart` those of an agent with a soul of its own. `requests` are the sentences in which the operator asks to
    have something kept. `speakers` are his names. `identity` says how many characters each file of the identity may
    grow. `overruled` says which correction a text goes against, `same` which entry says it already; "" for none.
    """

    held: Mapping[str, str] = field(default_factory=dict)
    direct: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    requests: frozenset[str] = frozenset()
    speakers: frozenset[str] = frozenset()
    identity: Mapping[str, int] = field(default_factory=dict)
    overruled: Callable[[str], str] = lambda text: ""  # noqa: ARG005 - it keeps to a signature
    same: Callable[[str], str] = lambda text: ""  # noqa: ARG005 - as above


class Decided(Struct, frozen=True):
    """The decision on an operation; a `landed` one is about to land.

    `n` is its number, `why` one sentence. `quotes` are the sentences it rests on. `same` is the entry with the same
    words. `aside`: the line goes to the file of its topic. `answers` is the sentence that a correction answers.
    """

    operation: Operation
    state: State = "landed"
    why: str = ""
    quotes: tuple[str, ...] = ()
    confidence: float = OPERATOR
    same: str = ""
    aside: bool = False
    answers: str = ""
    n: int = 0

    def name(self, batch: Batch) -> str:
        """Return the id of its change: the same one whenever the answer is read again."""
        return make_name("\0".join(("operation", batch.id, str(self.n), self.operation.act, self.operation.text)))


Fault = tuple[State, str]
Checked = tuple[Decided, Claim | None]


def check(batch: Batch, operation: Operation, ground: Ground) -> Checked:
    """Return the result of the checks of an operation, and the claim for the judge, None if it needs none."""
    entries = tuple(entry for name in dict.fromkeys(operation.entries) if (entry := batch.entry(name)))
    if len(entries) < len(set(operation.entries)):
        return Decided(operation, "refused", "it names an entry that was not shown"), None
    if operation.act == "conflict":
        return _check_conflict(batch, operation, entries)
    if operation.act == "merge":
        return _check_merge(operation, entries, ground)
    citations = citation.read(batch, operation, ground.direct, ground.groups)
    if isinstance(citations, str) or not citations.turns:
        reason = citations if isinstance(citations, str) else "no turn of the operator's is named"
        return Decided(operation, "refused", f"whose words: {reason}"), None
    turns, beside_numbers = (tuple(turn.n for turn in group) for group in (citations.turns, citations.beside))
    context = beside_numbers[0] if beside_numbers else operation.context if operation.act == "correct" else None
    operation = replace(operation, turns=turns, context=context, due=_read_due(operation.due))
    is_wrong_said = operation.act == "correct" and _has_wrong(batch, operation, citations)
    # A correction of words that occur nowhere is a new memory.
    if operation.act == "correct" and operation.text and not entries and not is_wrong_said:
        return check(batch, replace(operation, act="add", wrong="", right=""), ground)
    return _Checking(batch, ground, operation, entries, citations).check()


def _read_due(due: str) -> str:
    """Return a day as YYYY-MM-DD, "" for an invalid one."""
    try:
        return date.fromisoformat(due[:10]).isoformat() if due else ""
    except ValueError:
        return ""


def _has_wrong(batch: Batch, operation: Operation, citations: Cited) -> bool:
    """Return whether the cited turns, or what they answer, have the wrong words of a correction."""
    own = "\n".join(citation.source(turn).text for turn in citations.turns)
    return bool(places(own, operation.wrong) or citation.find_answered(batch, operation))


def mend(operation: Operation, text: str) -> str:
    """Return an entry as a correction leaves it: its wrong words replaced, else the line that the reader wrote."""
    spots = places(text, operation.wrong)
    for start, end in reversed(spots):
        text = replace_value(text, start, end, operation.right)
    return text if spots else operation.text or text


class _Checking(Struct, frozen=True, dict=True):
    """An operation with its references: the entries that it changes, the turns that it cites."""

    batch: Batch
    ground: Ground
    operation: Operation
    entries: tuple[Known, ...]
    cited: Cited

    @cached_property
    def old_line(self) -> str:
        """The line of the identity that is replaced, "" for none."""
        place = (self.operation.file, self.operation.line)
        lines = self.batch.soul if self.operation.line else ()
        return next((row.text for row in lines if (row.file, row.line) == place), "")

    @cached_property
    def statement(self) -> str:
        """The claim, as a sentence."""
        operation = self.operation
        if operation.act == "retire":
            return "; ".join(entry.text for entry in self.entries)
        if operation.act == "correct" and self.entries:
            return "; ".join(mend(operation, entry.text) for entry in self.entries)
        return operation.text or operation.right or self.old_line

    @cached_property
    def quotes(self) -> tuple[str, ...]:
        """The sentences that it rests on."""
        return citation.quotes(self.cited.turns, f"{self.statement} {self.operation.wrong}".rstrip())

    def check(self) -> Checked:
        """Return the result, and the claim for the judge."""
        operation, ground = self.operation, self.ground
        is_request = operation.act in ("add", "lesson", "soul") and operation.text in ground.requests
        faults = list(_find_unsafe(operation))
        # A text that the operator asked to keep word for word needs no test of its words.
        if not is_request:
            faults += (*self._find_foreign(), *self._find_form(), *self._find_invented())
        elif reason := ground.overruled(operation.text):
            faults.append(("refused", reason))
        faults += self._find_side() if operation.act == "correct" else ()
        faults += self._find_place() if operation.act == "soul" else ()
        if faults:
            # A reason to refuse weighs more than a reason to wait.
            state, reason = next((fault for fault in faults if fault[0] == "refused"), faults[0])
            return Decided(operation, state, reason, self.quotes), None
        duplicate = ground.same(operation.text) if operation.act == "add" else ""
        decided = Decided(operation, quotes=self.quotes, same=duplicate)
        if is_request:
            return replace(decided, state="waits" if operation.act == "soul" else "landed", why=VERBATIM), None
        if duplicate:
            return replace(decided, why=f"already known, as entry {duplicate}"), None
        evidence = citation.show(
            self.batch, operation, self.cited, self.quotes, self.entries, self.statement, ground.speakers
        )
        if operation.act == "correct":
            decided = replace(decided, answers=evidence.answers, confidence=CORRECTION)
        elif self.cited.beside or evidence.lends:
            decided = replace(decided, confidence=INFERRED)
        return decided, self._make_claim(evidence.text)

    def _find_foreign(self) -> Iterator[Fault]:
        """Yield reasons that a text is not in the operator's words: it shares none, is quoted, or somebody else's."""
        act, statement = self.operation.act, self.statement
        own = "\n".join(citation.own(turn.text) for turn in self.cited.turns)
        if act in _SHARING and not content_words(statement) & content_words(own):
            is_drop = act == "soul" and not self.operation.text
            yield "refused" if is_drop else "waits", "whose words: the cited turns share no word with it"
        if not self.quotes:
            yield "refused", "whose words: no cited turn has a word of it"
        if act not in _WRITING:
            return
        if citation.is_quoted_only(self.cited, statement, strict=act == "soul"):
            yield "refused", "whose words: it stands only in quotation marks"
        entry_text = "\n".join(entry.text for entry in self.entries)
        if citation.is_foreign(self.batch, self.cited, statement, self.ground.direct, entry_text):
            yield "waits", "whose words: they are somebody else's"

    def _find_form(self) -> Iterator[Fault]:
        """Yield defects in the form of an operation's text."""
        operation, text = self.operation, self.operation.text
        if operation.act in WITH_ENTRIES and not self.entries:
            yield "refused", f"name the entries to {operation.act}"
        if operation.act in ("retire", "correct") or (operation.act == "soul" and not text):
            return
        if not any(map(str.isalnum, text)):
            yield "refused", "there is no text"
        if len(text) > MAX_LINE_CHARS or "\n" in text:
            yield "refused", _TOO_LONG
        if _LIST.match(text) or _TAG.match(text):
            yield "refused", "a line has no bullet and no tag"
        if text.rstrip("\"' )")[-1:] in ("?", "\uff1f"):
            yield "refused", "this is a question"
        if reason := self.ground.overruled(text):
            yield "refused", reason

    def _find_invented(self) -> Iterator[Fault]:
        """Yield a value that is in no cited turn, no turn answered by one, and no entry changed or named.

        A correction of an entry waits then: the operator did say that the entry is wrong; so does a value that only the
        turn named as context has.
        """
        operation, citations, batch = self.operation, self.cited, self.batch
        if operation.act == "retire":
            return
        spoken_sources = [citation.source(turn) for turn in (*citations.turns, *citations.beside)]
        texts = [self.old_line, operation.right, *(entry.text for entry in self.entries)]
        sources = spoken_sources.copy()
        if operation.act not in _SHARING:
            answers = (item for turn in citations.turns for item in citation.list_answered(batch, turn))
            sources += map(citation.source, answers)
            texts += citation.list_remembered(batch, self.statement)
        sources += map(Source, texts)
        is_correction = operation.act == "correct"
        missing = _find_missing(operation.right, (*spoken_sources, Source(operation.wrong))) if is_correction else ""
        statement = self.statement if is_correction and self.entries else operation.text
        if missing := missing or _find_missing(statement, tuple(sources)):
            context = batch.turn(operation.context) if operation.context else None
            is_said = context and not _find_missing(statement, (*sources, citation.source(context)))
            waits = is_said or (is_correction and self.entries)
            yield "waits" if waits else "refused", f"nothing invented: '{missing}' is in none of the cited turns"

    def _find_side(self) -> Iterator[Fault]:
        """Yield defects of a correction: `wrong` is a memory's or an earlier word, `right` the operator's."""
        operation, wrong, right = self.operation, self.operation.wrong, self.operation.right
        if not wrong or not right or wrong.casefold() == right.casefold():
            yield "refused", "a correction names what is wrong and what is right"
            return
        pairs = [(rule.wrong.casefold(), rule.right.casefold()) for rule in self.batch.corrections]
        if (wrong.casefold(), right.casefold()) in pairs:
            yield "refused", "it is corrected already"
        if self.entries and not all(places(entry.text, wrong) or operation.text for entry in self.entries):
            yield "refused", f"'{wrong}' is not in the entry"
        if not self.entries and not _has_wrong(self.batch, operation, self.cited):
            yield "refused", f"'{wrong}' is neither in an entry nor in an earlier turn"
        text = "\n".join(citation.source(turn).text for turn in (*self.cited.turns, *self.cited.answered))
        is_counted = any(map(str.isdigit, right)) and not _find_missing(right, (Source(text),))
        if not (is_counted or places(text, right) or content_words(right) & content_words(text)):
            yield "refused", f"whose words: '{right}' is not what you say"

    def _find_place(self) -> Iterator[Fault]:
        """Yield why a change of the identity does not fit; one that is not nearly all in the operator's words waits."""
        operation, ground, before = self.operation, self.ground, self.old_line
        if operation.file not in ground.identity:
            yield "refused", "name a file of the identity"
            return
        if any(turn.session in ground.apart for turn in self.cited.turns):
            yield "refused", "it was said to an agent with a soul of its own"
        if operation.line and not before:
            yield "refused", f"there is no line {operation.line} of {operation.file}"
        if not operation.line and not operation.text:
            yield "refused", "name the line that goes, or the text that comes"
        if any(is_same_note(operation.text, row.text) for row in self.batch.soul if operation.text):
            yield "refused", "the identity says so already"
        if len(operation.text) - len(before) > ground.identity[operation.file]:
            yield "waits", f"{operation.file} has no room for it"
        own = "\n".join((*(citation.own(turn.text) for turn in self.cited.turns), *ground.speakers))
        words = content_words(operation.text or before)
        if len(words & content_words(own)) < _OWN_SHARE * len(words):
            yield "waits", "whose words: it says it in other words than you"

    def _make_claim(self, source: str) -> Claim:
        operation, text = self.operation, " ".join(self.statement.split())
        if operation.act == "retire":
            return Claim(Pair(f'No longer so: "{text}"', source), (Pair(f'Still so: "{text}"', source),))
        if operation.act == "correct" and not self.entries:
            wrong, right, line = operation.wrong, operation.right, operation.text
            reverse = mend(replace(operation, wrong=right, right=wrong), line)
            twist = Pair(f'Not "{right}" but "{wrong}"{f": {reverse}" if line else ""}', source)
            return Claim(Pair(f'Not "{wrong}" but "{right}"{f": {line}" if line else ""}', source), (twist,))
        if operation.due and operation.due not in text:
            text += f" (due {operation.due})"
        if operation.act == "soul":
            wish = text if operation.text else f'No longer wanted: "{text}"'
            return Claim(Pair(f"{FOR_ALWAYS}{wish}", source), form=judge.STANDING)
        twists = tuple(Pair(entry.text, source) for entry in self.entries if entry.text != self.statement)
        return Claim(Pair(text, source), twists)


def _find_unsafe(operation: Operation) -> Iterator[Fault]:
    text = "\n".join(filter(None, (operation.text, operation.right, operation.section)))
    if secrets.scan(text):
        yield "refused", "secret"
    if hidden_text.scan(text):
        yield "refused", "hidden text"


def _check_merge(operation: Operation, entries: Sequence[Known], ground: Ground) -> Checked:
    difference = find_difference(operation.text, [(entry.id, entry.text) for entry in entries])
    faults = list(_find_unsafe(operation))
    if len(entries) < _PAIR:
        faults.append(("refused", "a merge needs two entries"))
    elif not operation.text or len(operation.text) > MAX_LINE_CHARS:
        faults.append(("refused", _TOO_LONG))
    elif difference:
        faults.append(("refused", f"a merged line says all of its entries and nothing else: {difference}"))
    elif reason := ground.overruled(operation.text):
        faults.append(("refused", reason))
    if faults:
        return Decided(operation, *faults[0]), None
    return Decided(operation), Claim(Pair(operation.text, " ".join(f'"{entry.text}"' for entry in entries)))


def _check_conflict(batch: Batch, operation: Operation, entries: Sequence[Known]) -> Checked:
    """Return the result for two contradicting entries; a correction decides between them."""
    if len(entries) != _PAIR or is_same_note(entries[0].text, entries[1].text):
        return Decided(operation, "refused", "a conflict names two entries that differ"), None
    days = [f" ({entry.first})" if entry.first else "" for entry in entries]
    first, second = (f'{letter}{day}: "{entry.text}"' for letter, day, entry in zip("AB", days, entries, strict=True))
    words = content_words(entries[0].text)
    # Entries without a common word contradict nothing: such a pair is the canary.
    strangers = [entry for entry in batch.entries if not content_words(entry.text) & words]
    twists = tuple(Pair(_CLASH, f'{first} B: "{entry.text}"') for entry in strangers[:1])
    return Decided(replace(operation, turns=())), Claim(Pair(_CLASH, f"{first} {second}"), twists, judge.CONFLICTS)


def find_difference(text: str, sources: Sequence[tuple[str, str]]) -> str:
    """Return a value, denial or word of its sources that a text lacks, or that only the text has; "" for none."""
    words = content_words(text)
    for name, source in sources:
        if missing := _find_missing(source, (Source(text),), days=True):
            return f"'{missing}' of {name} is lost"
        if logic.denials(source) and not logic.denials(text):
            return f"what {name} denies is lost"
        if gone_words := content_words(source) - words:
            return f"'{min(gone_words)}' of {name} is lost"
    if logic.denials(text) and not any(logic.denials(source) for _, source in sources):
        return "it denies what no entry denies"
    fresh = words - frozenset(stem for _, source in sources for stem in content_words(source))
    return f"'{min(fresh)}' is in no entry" if fresh else ""


# ---- nothing invented

_NOON = 12
_CENTURY = 100
_CENTURIES = (1900, 2000)  # of a year in two digits
_DIGITS = re.compile(r"(?=(\d{1,17}(?:\.\d{1,17})?)(?!\d))(\d{1,17})(?!\d)")
_TOKEN = re.compile(r"(?<![A-Za-z\d@./+-])[A-Za-z_~/.][\w~]*(?:[-_./:@+]+\w+)*", re.ASCII)
_IDENTIFIER_MARK = re.compile(r"\d|_|@|/|:|[a-z][A-Z]|\w\.[a-z]{2}")
_MIN_SHORT_FORM = 4
"""Letters from which on the first half of an identifier in plain letters stands for it."""
_DATES = frozenset(("date", "month", "weekday"))
_ADDRESSES = frozenset(("path", "phone", "version"))


class _SourceValues(Struct, frozen=True):
    """All values of some sources: the text in small letters, numbers, times of day as (hour of 12, minute)."""

    text: str
    numbers: frozenset[float]
    times: frozenset[tuple[int, int]]


def _find_missing(text: str, sources: tuple[Source, ...], *, days: bool = False) -> str:
    """Return an address, an identifier, a number or a time of a text that no source has in any form, "" for none.

    A number of the text counts if it is written in digits; a source may say it in words. A date may follow from the
    day on which something was said: it is looked for with `days` alone.
    """
    source_values = _read_sources(sources)
    items = _find_values(text)
    missing = (value.text for value in items if not _is_known(value, source_values, days=days))
    tokens = (token for token in _list_identifiers(straight(text), items) if not _has_text(token, source_values))
    return next(chain(missing, tokens), "")


def _find_values(text: str) -> tuple[Value, ...]:
    return values.find(straight(text), lexicon.languages())


@lru_cache(maxsize=16)
def _read_sources(sources: tuple[Source, ...]) -> _SourceValues:
    text = "\n".join(straight(source.text) for source in sources).lower()
    items = [value for source in sources for value in _find_values(source.text)]
    number_set = {*_read_digits(text), *map(float, numbers.read_spoken(text))}
    number_set |= {number for value in items for number in _read_value_numbers(value)}
    years = [source.day.year for source in sources if source.day]
    # `last year` and `next year` name a year without its digits.
    number_set |= {float(year + step) for year in years for step in (-1, 0, 1)}
    # An age, or `seven years ago`, gives a year.
    number_set |= {year - number for year in years for number in number_set if number < _CENTURY}
    number_set |= {century + number for century in _CENTURIES for number in number_set if number < _CENTURY}
    times = frozenset(_read_clock(value) for value in items if value.kind == "time")
    return _SourceValues(text, frozenset(number_set), times)


def _is_known(value: Value, pool: _SourceValues, *, days: bool) -> bool:
    if value.kind in _DATES:
        day = value.canon.rpartition("-")[2] if value.kind == "date" else ""
        return not days or not day.isdecimal() or float(day) in pool.numbers
    if value.kind in _ADDRESSES:
        return _has_text(value.text, pool)
    if not any(map(str.isdigit, value.text)):
        return True
    if value.kind == "time":
        hour, minute = _read_clock(value)
        is_bare = minute == 0 and bool({hour, hour + _NOON} & pool.numbers)
        return is_bare or (hour, minute) in pool.times or set(_read_digits(value.text)) <= pool.numbers
    return bool(set(_read_value_numbers(value)) & pool.numbers)


def _read_clock(value: Value) -> tuple[int, int]:
    hour, _, minute = value.canon.partition(":")
    return int(hour) % _NOON, int(minute)


def _read_value_numbers(value: Value) -> Iterator[float]:
    """Yield all that the digits of a value may mean: `1.500` is 1500, or 1.5."""
    for digits in (value.canon, value.text.replace(",", ".")):
        try:
            yield abs(float(digits))
        except ValueError:
            continue
    if value.kind in _DATES or value.kind == "time":
        yield from (float(part) for part in re.findall(r"\d+", value.canon))


def _read_digits(text: str) -> Iterator[float]:
    """Yield every run of digits of a text as a number, and with the decimals behind it."""
    return (float(digits) for pair in _DIGITS.findall(text) for digits in pair)


def _list_identifiers(text: str, items: tuple[Value, ...]) -> Iterator[str]:
    """Yield words that are written as no word is: `relay-2`, `max_age`, `userName`, `example.org`, `/srv/www`."""
    for match in _TOKEN.finditer(text):
        token = match[0].rstrip(".:/") or match[0]
        is_inside = any(value.start < match.end() and match.start() < value.end for value in items)
        if not is_inside and any(map(str.isalpha, token)) and _IDENTIFIER_MARK.search(token):
            yield token


def _has_text(token: str, pool: _SourceValues) -> bool:
    """Return whether a token is in the sources, or its digits are with other marks between them."""
    low = straight(token).lower().rstrip(".")
    low = low if low.isascii() or not re.search(r"[a-z\d]", low) else re.sub(r"[^\x00-\x7f]+", "", low)
    if re.search(rf"(?<![a-z\d]){re.escape(low)}(?:s)?(?![a-z\d])", pool.text):
        return True
    if low.isalpha() and low[: len(low) // 2 + 1] in pool.text and len(low) >= _MIN_SHORT_FORM:
        return True
    digits = "".join(filter(str.isdecimal, low))
    return bool(digits) and set(low) <= set("0123456789 ()/+.-") and digits.lstrip("0") in re.sub(r"\D", "", pool.text)
