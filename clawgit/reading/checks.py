"""Checks operations in code; makes claims for the judge."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.language import own_words
from clawgit.language import sentences as language_sentences
from clawgit.language.own_words import own_talk
from clawgit.language.values import content_words, find_value_places
from clawgit.memory.value_exchange import replace_value
from clawgit.reading import judge, whose_words
from clawgit.reading.judge import FOR_ALWAYS, Claim, Pair
from clawgit.reading.nothing_invented import Source, find_missing
from clawgit.reading.operations import Batch, KnownEntry, Operation, State, Turn
from clawgit.reading.whose_words import find_place, read_own
from clawgit.safety import hidden_text, secrets
from clawgit.text.confidence import CORRECTION, INFERRED, OPERATOR
from clawgit.text.entry import make_name
from clawgit.text.similarity import is_same_note
from clawgit.workspace.commit_message import fold_spaces

MAX_LINE_CHARS = 240
VERBATIM = "in your own words"
_IDENTITY = frozenset(("soul", "lesson", "retire"))
"""Operations that rest on the operator's own words alone, without what he answers or quotes."""
WITH_ENTRIES = frozenset(("replace", "retire", "merge"))
_PAIR = 2
_OWN_SHARE = 0.8
"""Share of the words of a line of the identity that the operator says himself; with fewer the line waits."""
_MARKUP = re.compile(r"\s*(?:(?:[-*+\u2022]|\d{1,2}[.)])\s|\[\w+\]|#\w)")
_CLASH = "A and B cannot both be true."
_TOO_LONG = f"a line has at most {MAX_LINE_CHARS} characters"


class Ground(Struct, frozen=True):
    """What the checks need of a workspace, as plain values.

    `held` are the texts of all entries by id. `direct` are the sessions without other people, `apart` those of an agent
    with a soul of its own. `requests` are the sentences in which the operator asks to have something kept. `speakers`
    are his names. `identity` says how many characters each file of the identity may grow. `overruled` says which
    correction a text goes against, `same` which entry says it already; "" for none.
    """

    held: Mapping[str, str] = field(default_factory=dict)
    direct: frozenset[str] = frozenset()
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


def check_operation(batch: Batch, operation: Operation, ground: Ground) -> Checked:
    """Return the result of the checks of an operation, and the claim for the judge, None if it needs none."""
    entries = tuple(entry for name in dict.fromkeys(operation.entries) if (entry := batch.entry(name)))
    if len(entries) < len(set(operation.entries)):
        return Decided(operation, "refused", "it names an entry that was not shown"), None
    if operation.act == "conflict":
        return _check_conflict(batch, operation, entries)
    if operation.act == "merge":
        return _check_merge(operation, entries, ground)
    # An earlier turn of the operator's that is named as context is cited with the others.
    context = [] if operation.act in (*_IDENTITY, "correct") or not operation.context else [operation.context]
    objections = {n: whose_words.find_objection(batch, n) for n in dict.fromkeys((*operation.turns, *context))}
    turns = [turn for n, objection in objections.items() if not objection and (turn := batch.turn(n))]
    if not any(turn.n in operation.turns for turn in turns):
        reason = next(iter(filter(None, objections.values())), "no turn of the operator's is named")
        return Decided(operation, "refused", f"whose words: {reason}"), None
    turns.sort(key=find_place)
    answered: list[Turn] = []
    if operation.act not in _IDENTITY:
        named = {*operation.turns, operation.context}
        answers = (item for turn in turns for item in whose_words.list_answered(batch, turn, ground.direct))
        answered = sorted((item for item in dict.fromkeys(answers) if item.n in named), key=find_place)
    first_answered = answered[0].n if answered else operation.context if operation.act == "correct" else None
    cited_numbers = tuple(turn.n for turn in turns)
    operation = replace(operation, turns=cited_numbers, context=first_answered, due=_read_due(operation.due))
    # A correction of words that occur nowhere is a new memory.
    if operation.act == "correct" and operation.text and not entries and not _has_wrong(batch, operation, turns):
        return check_operation(batch, replace(operation, act="add", wrong="", right=""), ground)
    return _Checking(batch, ground, operation, entries, turns, answered).check()


def _read_due(due: str) -> str:
    """Return a day as YYYY-MM-DD, "" for an invalid one."""
    try:
        return date.fromisoformat(due[:10]).isoformat() if due else ""
    except ValueError:
        return ""


def _has_wrong(batch: Batch, operation: Operation, turns: Sequence[Turn]) -> bool:
    """Return whether the cited turns, or an earlier one, have the wrong words of a correction."""
    own = "\n".join(read_own(turn.text) for turn in turns)
    return bool(find_value_places(own, operation.wrong) or find_answered(batch, operation))


def find_answered(batch: Batch, operation: Operation) -> str:
    """Return the whole sentence that a correction without an entry answers, "" for none.

    The nearest earlier one that has its wrong words: of the cited turns, of the same talk, then of others.
    """
    last = batch.turn(max(operation.turns, default=0))
    if last is None:
        return ""
    named = (operation.context, *operation.turns)
    earlier = (turn for turn in batch.turns if turn.by in ("operator", "agent") and find_place(turn) < find_place(last))
    for turn in sorted(earlier, key=lambda turn: (turn.n not in named, turn.session != last.session, -turn.n)):
        for text in language_sentences.texts(turn.text):
            if find_value_places(text, operation.wrong) and not find_value_places(text, operation.right):
                return text
    return ""


def apply_correction(operation: Operation, text: str) -> str:
    """Return an entry as a correction leaves it: its wrong words replaced, else the line that the reader wrote."""
    spots = find_value_places(text, operation.wrong)
    for start, end in reversed(spots):
        text = replace_value(text, start, end, operation.right)
    return text if spots else operation.text or text


class _Checking(Struct, frozen=True, dict=True):
    """An operation with the entries that it changes, the turns that it cites and those that these answer."""

    batch: Batch
    ground: Ground
    operation: Operation
    entries: tuple[KnownEntry, ...]
    turns: Sequence[Turn]
    answered: Sequence[Turn]

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
            return "; ".join(apply_correction(operation, entry.text) for entry in self.entries)
        return operation.text or operation.right or self.old_line

    @cached_property
    def own_text(self) -> str:
        """The operator's talk in the cited turns; without names in quotation marks where his own words count alone."""
        is_strict = self.operation.act in _IDENTITY
        texts = (own_talk(turn.text).replace("\0", " ") if is_strict else read_own(turn.text) for turn in self.turns)
        return "\n".join(texts)

    @cached_property
    def spoken(self) -> tuple[Source, ...]:
        """The cited turns, and what they answer."""
        sources = [Source(read_own(turn.text), turn.day) for turn in self.turns]
        if self.operation.act not in _IDENTITY:
            direct = self.ground.direct
            answered = (item for turn in self.turns for item in whose_words.list_answered(self.batch, turn, direct))
            sources += [Source(turn.text, turn.day) for turn in dict.fromkeys((*answered, *self.answered))]
        return tuple(sources)

    @cached_property
    def backing(self) -> tuple[KnownEntry, ...]:
        """Shown entries on the subject that have values of the text which were not said anew: `the number is the same`.

        The judge sees them as what was remembered before.
        """
        entries = list[KnownEntry]()
        words = content_words(self.statement)
        while missing := find_missing(self.operation.text, (*self.spoken, *map(Source, self._list_old_texts(entries)))):
            others = (entry for entry in self.batch.entries if entry not in (*self.entries, *entries))
            related = (entry for entry in others if words & content_words(entry.text))
            entry = next((entry for entry in related if not find_missing(missing, (Source(entry.text),))), None)
            if entry is None or self.operation.act in _IDENTITY:
                return ()
            entries.append(entry)
        return tuple(entries)

    def _list_old_texts(self, entries: Sequence[KnownEntry]) -> tuple[str, ...]:
        return (self.old_line, self.operation.right, *(entry.text for entry in (*self.entries, *entries)))

    def check(self) -> Checked:
        """Return the result, and the claim for the judge."""
        operation, ground = self.operation, self.ground
        is_request = operation.act in ("add", "lesson", "soul") and operation.text in ground.requests
        quotes = whose_words.quote_sentences(self.turns, f"{self.statement} {operation.wrong}".rstrip())
        faults = list(_find_unsafe(operation))
        # A text that the operator asked to keep word for word needs no test of its words.
        if not is_request:
            faults += (*self._find_foreign(quotes), *self._find_form(), *self._find_invented())
        faults += self._find_side() if operation.act == "correct" else ()
        faults += self._find_place() if operation.act == "soul" else ()
        if reason := ground.overruled(operation.text) if operation.act not in ("retire", "correct") else "":
            faults.append(("refused", reason))
        if faults:
            # A reason to refuse weighs more than a reason to wait.
            state, reason = next((fault for fault in faults if fault[0] == "refused"), faults[0])
            return Decided(operation, state, reason, quotes), None
        duplicate = ground.same(operation.text) if operation.act == "add" else ""
        decided = Decided(operation, quotes=quotes, same=duplicate)
        if is_request:
            return replace(decided, state="waits" if operation.act == "soul" else "landed", why=VERBATIM), None
        if duplicate:
            return replace(decided, why=f"already known, as entry {duplicate}"), None
        # Without an entry the judge sees the sentence that the correction answers instead.
        answers = find_answered(self.batch, operation) if operation.act == "correct" and not self.entries else ""
        confidence = CORRECTION if operation.act == "correct" else INFERRED if self.answered else OPERATOR
        claim = self._make_claim(" ".join(self._write_source(quotes, answers)))
        return replace(decided, answers=answers, confidence=confidence), claim

    def _find_foreign(self, quotes: Sequence[str]) -> Iterator[Fault]:
        """Yield reasons that a text is not in the operator's words."""
        words = content_words(self.statement)
        if self.operation.act in _IDENTITY and not words & content_words(self.own_text):
            is_quoted = words & content_words("\n".join(turn.text for turn in self.turns))
            yield "refused" if is_quoted else "waits", "whose words: the cited turns share no word of yours with it"
        if not quotes:
            yield "refused", "whose words: no cited turn has a word of it"
        texts = [self.own_text, *(turn.text for turn in self.answered), *(entry.text for entry in self.entries)]
        cited = (*self.turns, *self.answered)
        if self.operation.act != "retire" and whose_words.is_foreign(
            self.batch, cited, self.statement, "\n".join(texts)
        ):
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
        if _MARKUP.match(text):
            yield "refused", "a line has no bullet and no tag"
        if text.rstrip("\"' )").endswith(("?", "\uff1f")):
            yield "refused", "this is a question"

    def _find_invented(self) -> Iterator[Fault]:
        """Yield a value that is in no cited turn, no turn answered by one, and no entry changed.

        A correction of an entry waits then: the operator did say that the entry is wrong.
        """
        operation = self.operation
        if operation.act == "retire":
            return
        is_correction = operation.act == "correct"
        missing = find_missing(operation.right, (*self.spoken, Source(operation.wrong))) if is_correction else ""
        statement = self.statement if is_correction and self.entries else operation.text
        texts = self._list_old_texts(self.backing)
        if missing := missing or find_missing(statement, (*self.spoken, *map(Source, texts))):
            waits = is_correction and self.entries
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
        if self.entries and not all(find_value_places(entry.text, wrong) or operation.text for entry in self.entries):
            yield "refused", f"'{wrong}' is not in the entry"
        if not self.entries and not _has_wrong(self.batch, operation, self.turns):
            yield "refused", f"'{wrong}' is neither in an entry nor in an earlier turn"
        text = "\n".join((self.own_text, *(turn.text for turn in self.answered)))
        is_counted = any(map(str.isdigit, right)) and not find_missing(right, (Source(text),))
        if not (is_counted or find_value_places(text, right) or content_words(right) & content_words(text)):
            yield "refused", f"whose words: '{right}' is not what you say"

    def _find_place(self) -> Iterator[Fault]:
        """Yield why a change of the identity does not fit; one that is not nearly all in the operator's words waits."""
        operation, ground, before = self.operation, self.ground, self.old_line
        if operation.file not in ground.identity:
            yield "refused", "name a file of the identity"
            return
        if any(turn.session in ground.apart for turn in self.turns):
            yield "refused", "it was said to an agent with a soul of its own"
        if operation.line and not before:
            yield "refused", f"there is no line {operation.line} of {operation.file}"
        if not operation.line and not operation.text:
            yield "refused", "name the line that goes, or the text that comes"
        if any(is_same_note(operation.text, row.text) for row in self.batch.soul if operation.text):
            yield "refused", "the identity says so already"
        if len(operation.text) - len(before) > ground.identity[operation.file]:
            yield "waits", f"{operation.file} has no room for it"
        words = content_words(operation.text or before)
        if len(words & content_words("\n".join((self.own_text, *ground.speakers)))) < _OWN_SHARE * len(words):
            yield "waits", "whose words: it says it in other words than you"

    def _write_source(self, quotes: Sequence[str], answers: str) -> Iterator[str]:
        """Yield the cited turns, what they answer, and the state before, as the judge sees them.

        Of a long turn it sees the quoted sentences with their neighbours, which may limit them.
        """
        yield from (f"#{turn.n}" for turn in self.turns)
        for turn in sorted((*self.answered, *self.turns), key=find_place):
            if turn.by != "operator":
                yield f'(answered) the agent: "{fold_spaces(turn.text)}"'
                continue
            day = f"({turn.day.isoformat()}) " if turn.day else ""
            text = fold_spaces(read_own(turn.text).replace("\0", " "))
            if text and len(text) <= whose_words.MAX_WHOLE_LETTERS:
                yield f'{day}"{text}"'
                continue
            rows = [turn.text[row.start : row.end] for row in language_sentences.sentences(own_talk(turn.text))]
            numbers = {n for n, row in enumerate(rows) if any(row in quote for quote in quotes)}
            neighbours = {n + step for n in numbers for step in (-1, 0, 1)}
            yield from (f'{day}"{fold_spaces(read_own(row))}"' for n, row in enumerate(rows) if n in neighbours)
        yield from (
            f'(before{f", {entry.first}" if entry.first else ""}) "{entry.text}"'
            for entry in (*self.entries, *self.backing)
        )
        yield from (f'(before) "{fold_spaces(text)}"' for text in (answers,) if text)

    def _make_claim(self, source: str) -> Claim:
        operation, text = self.operation, fold_spaces(self.statement)
        if operation.act == "retire":
            return Claim(Pair(f'No longer so: "{text}"', source), (Pair(f'Still so: "{text}"', source),))
        if operation.act == "correct" and not self.entries:
            wrong, right, line = operation.wrong, operation.right, operation.text
            reverse = apply_correction(replace(operation, wrong=right, right=wrong), line)
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
    if secrets.find_secrets(text):
        yield "refused", "secret"
    if hidden_text.find_hidden_text(text):
        yield "refused", "hidden text"


def _check_merge(operation: Operation, entries: Sequence[KnownEntry], ground: Ground) -> Checked:
    """Return the result for a line in the place of several: it has all their values, words and denials."""
    text, faults = operation.text, list(_find_unsafe(operation))
    if len(entries) < _PAIR:
        faults.append(("refused", "a merge needs two entries"))
    if not text or len(text) > MAX_LINE_CHARS:
        faults.append(("refused", _TOO_LONG))
    for entry in entries:
        lost = find_missing(entry.text, (Source(text),), with_days=True)
        lost = lost or min(content_words(entry.text) - content_words(text), default="")
        if lost or (own_words.denials(entry.text) and not own_words.denials(text)):
            faults.append(("refused", f"'{lost or 'not'}' of {entry.id} is lost in the merged line"))
    if invented := find_missing(text, tuple(Source(entry.text) for entry in entries)):
        faults.append(("refused", f"nothing invented: '{invented}' is in no entry"))
    if reason := ground.overruled(text):
        faults.append(("refused", reason))
    if faults:
        return Decided(operation, *faults[0]), None
    return Decided(operation), Claim(Pair(text, " ".join(f'"{entry.text}"' for entry in entries)))


def _check_conflict(batch: Batch, operation: Operation, entries: Sequence[KnownEntry]) -> Checked:
    """Return the result for two contradicting entries; a correction decides between them."""
    if len(entries) != _PAIR or is_same_note(entries[0].text, entries[1].text):
        return Decided(operation, "refused", "a conflict names two entries that differ"), None
    days = [f" ({entry.first})" if entry.first else "" for entry in entries]
    first, second = (f'{letter}{day}: "{entry.text}"' for letter, day, entry in zip("AB", days, entries, strict=True))
    # Entries without a common word contradict nothing: such a pair is the canary.
    words = content_words(entries[0].text)
    strangers = [entry for entry in batch.entries if not content_words(entry.text) & words]
    twists = tuple(Pair(_CLASH, f'{first} B: "{entry.text}"') for entry in strangers[:1])
    return Decided(replace(operation, turns=())), Claim(Pair(_CLASH, f"{first} {second}"), twists, judge.CONFLICTS)
