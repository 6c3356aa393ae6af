"""The cited turns of a claim, their sentences, the evidence."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from clawgit.language import lexicon, logic, standing_rules, values
from clawgit.language import sentences as language_sentences
from clawgit.language.own_words import straight, unquoted
from clawgit.language.pasted import own_talk
from clawgit.language.sentences import Sentence, sentences
from clawgit.language.values import content_words, places
from clawgit.reading import explicit_requests
from clawgit.reading.judge import Said
from clawgit.reading.operations import Operation
from clawgit.reading.turns import CUT, Batch, Known, Turn
from clawgit.safety import hidden_text, secrets
from clawgit.workspace.commit_message import fold_spaces

_MAX_WHOLE_LETTERS = 600
"""Letters of a turn that is cited or shown whole."""
_MAX_QUOTED_WORDS, _MAX_QUOTED_LETTERS = 5, 40
"""Size of what stands in quotation marks up to which it is a name."""
_FOREIGN_SHARE = 0.5
"""Share of a claim's words that others say and the operator does not, beyond which the claim is theirs."""
_MAX_AFFIRMED_LETTERS = 300
_MAX_CONTEXT_LETTERS, _MAX_SENTENCE_LETTERS = 300, 200
_MAX_EXPLANATIONS, _MAX_ANSWERED_LETTERS = 3, 120
_BRIEF_WORDS = 12
"""Words of a turn that means little without what it answers: `no, forget it`."""
_EXPLAINED = frozenset(("add", "replace", "lesson", "correct"))
"""Operations that may take from the talk who or what is meant; others rest on the operator's own words alone."""
_OWN_WORDS_ONLY = frozenset(("soul", "lesson", "retire"))
"""Operations that take no word from anybody else's turn."""
_SPEAKERS = {"agent": "the agent: ", "other": "somebody else: "}
_QUESTION_MARKS = ("?", "\uff1f")
_BLOTTED = re.compile("\0+")
_DIGITS = re.compile(r"\d+")
_RISKY = re.compile(r"\d(?:[ \u00a0-]?\d){5,}|@|://|[a-z]\.[a-z]{2,}")
"""A number with more digits than a day, a year or an hour; what may be an address."""


class Source(Struct, frozen=True):
    """A text that may support a claim, and its day."""

    text: str
    day: date | None = None


class Cited(Struct, frozen=True):
    """Cited turns of the operator's, in order, and what explains them.

    `answered` are turns of others right before them: what they say counts as far as he affirms it. `context` is an
    earlier turn of the agent's that tells what he means, None without. `unrelated` if one was named that does not
    count.
    """

    turns: tuple[Turn, ...]
    answered: tuple[Turn, ...] = ()
    context: Turn | None = None
    unrelated: bool = False

    @property
    def beside(self) -> tuple[Turn, ...]:
        """The turns of others that it takes words from."""
        return (*self.answered, *filter(None, (self.context,)))


def place(turn: Turn) -> tuple[str, int]:
    """Return the order of a turn in its conversation."""
    return turn.time, turn.n


def source(turn: Turn) -> Source:
    """Return the part of a turn that may support a claim: the operator's own talk, with names in quotation marks."""
    return Source(own(turn.text) if turn.by == "operator" else turn.text, turn.day)


@lru_cache(maxsize=1024)
def own(text: str) -> str:
    """Return a message without quoted or pasted parts; each character stays in place."""

    def replacement(run: "re.Match[str]") -> str:
        quotation = text[run.start() : run.end()]
        is_block = "\n" in quotation or quotation.lstrip().startswith(">")
        is_brief = len(quotation.split()) <= _MAX_QUOTED_WORDS and len(quotation) <= _MAX_QUOTED_LETTERS
        return quotation if is_brief and not is_block else " " * len(quotation)

    return _BLOTTED.sub(replacement, own_talk(text))


def find_traits(text: str) -> frozenset[str]:
    """Return the content words and numbers of a text."""
    return content_words(text) | frozenset(_DIGITS.findall(text))


def _is_all_own(turn: Turn) -> bool:
    """Return whether all of an operator's turn is his own; names in quotation marks are, a paste is not."""
    talk = own_talk(turn.text)
    ticked = any(turn.text[run.start()] == "`" for run in _BLOTTED.finditer(talk))
    unchanged = straight(own(turn.text)) == straight(turn.text)
    return turn.may_cite and talk == unquoted(turn.text) and not ticked and unchanged


def _read_foreign(turn: Turn) -> str:
    """Return the part of a turn that is somebody else's: a tool, another person, a quotation, a paste."""
    if turn.by != "operator" or not turn.may_cite:
        return "" if turn.by == "agent" else turn.text
    pairs = zip(turn.text, own_talk(turn.text), strict=False)
    return "".join(letter if blotted == "\0" else "\n" for letter, blotted in pairs)


# ---- whose words


def read(batch: Batch, operation: Operation, direct: frozenset[str], groups: frozenset[str]) -> Cited | str:
    """Return the cited turns that are the operator's own talk, or why none of them is, and what they answer.

    A turn of somebody else's, cited or named as context, counts if the operator answers it with a cited turn: the
    agent's in one of the `direct` sessions where neither a tool, nor somebody else, nor pasted text came between,
    and, in one of the `groups`, anybody's of which `_may_affirm` holds. An earlier turn of his own that is named as
    context is cited with the others; a correction finds what it answers by itself.
    """
    numbers = dict.fromkeys(operation.turns)
    wrong = {number: objection for number in numbers if (objection := _find_objection(batch, number))}
    turns = [turn for number in numbers if number not in wrong and (turn := batch.turn(number))]
    if wrong and not turns:
        return next(iter(wrong.values()))
    if operation.act in _OWN_WORDS_ONLY:
        return Cited(tuple(turns))
    context = batch.turn(operation.context) if operation.context else None
    if context and operation.act != "correct" and not _find_objection(batch, context.n):
        turns += [] if context in turns else [context]
    offers = [turn for n in (*wrong, operation.context) if n and (turn := batch.turn(n)) and turn.by != "operator"]
    answer_turns = [
        turn for turn in dict.fromkeys(offers) if any(_answers(batch, turn, reply, direct, groups) for reply in turns)
    ]
    citations = Cited(tuple(sorted(turns, key=place)), tuple(sorted(answer_turns, key=place)))
    if operation.act == "correct" or context is None or context in (*turns, *answer_turns):
        return citations
    counts = any(_explains(batch, context, turn, direct) for turn in turns)
    return replace(citations, context=context if counts else None, unrelated=not counts)


def _find_objection(batch: Batch, number: int) -> str:
    """Return why a turn is no evidence, "" where it is."""
    turn = batch.turn(number)
    if turn is None:
        return f"there is no turn {number}"
    if turn.by != "operator" or not turn.may_cite:
        return f"turn {number} is no evidence: only the operator's own words are"
    talk = own_talk(turn.text)
    speaks = any(map(str.isalnum, talk)) or (talk.strip() and "\0" not in talk)
    return "" if speaks else f"turn {number} holds only pasted or quoted text"


def list_answered(batch: Batch, turn: Turn) -> tuple[Turn, ...]:
    """Return the turns that a turn answers: all since the operator's turn before, the newest first, and that turn.

    None if a tool answered in between, or that turn has pasted text.
    """
    earlier = (item for item in batch.turns if item.session == turn.session and place(item) < place(turn))
    since: list[Turn] = []
    for item in sorted(earlier, key=place, reverse=True):
        since.append(item)
        if item.by == "operator":
            return tuple(since) if _is_all_own(item) else ()
        if item.by == "tool":
            return ()
    return tuple(since) if any(item.by == "other" for item in since) else ()


def _explains(batch: Batch, context: Turn, turn: Turn, direct: frozenset[str]) -> bool:
    """Return whether a turn answers an earlier one of the agent's, in a session without others."""
    if context.by != "agent" or context.session != turn.session or turn.session not in direct:
        return False
    answer_turns = list_answered(batch, turn)
    is_alone = all(item.by != "other" for item in answer_turns) and bool(answer_turns)
    return is_alone and answer_turns[-1].by == "operator" and context in answer_turns


def _answers(batch: Batch, turn: Turn, reply: Turn, direct: frozenset[str], groups: frozenset[str]) -> bool:
    """Return whether a turn of somebody else's stands right before a reply of the operator's that may affirm it."""
    earlier = (item for item in batch.turns if item.session == reply.session and place(item) < place(reply))
    if not reply.session or max(earlier, key=place, default=None) != turn:
        return False
    return _explains(batch, turn, reply, direct) or (reply.session in groups and _may_affirm(batch, turn, reply))


def _may_affirm(batch: Batch, turn: Turn, reply: Turn) -> bool:
    """Return whether a reply in a group may affirm the turn before it.

    The turn is short and all its speaker's own talk, and holds no secret, link, amount of money, long number, word of
    standing orders or request to keep something. The reply is no question, and does not begin with a denial unless
    the turn denies something as well. If others spoke since the operator did, it has a word or number of this turn
    alone.
    """
    text, since = turn.text, [item for item in list_answered(batch, reply) if item.by != "operator"]
    is_plain = len(text) <= _MAX_AFFIRMED_LETTERS and CUT not in text and straight(own(text)) == straight(text)
    is_denial = logic.denials(next(iter(language_sentences.texts(reply.text)), "")) and not logic.denials(text)
    is_question = reply.text.rstrip("\"' )").endswith(_QUESTION_MARKS)
    if not since or not is_plain or not _is_all_own(reply) or is_question or is_denial:
        return False
    kinds = {value.kind for value in values.find(text, lexicon.languages())}
    # A yes alone grants no payments, accounts or rights.
    is_risky = kinds & {"path", "phone"} or any(kind.partition(" ")[2] in values.MONEY for kind in kinds)
    is_order = standing_rules.has_standing_words(text) or explicit_requests.extract(text)
    if is_risky or is_order or _RISKY.search(text) or secrets.scan(text) or hidden_text.scan(text):
        return False
    others = frozenset[str]().union(*(find_traits(item.text) for item in since if item != turn))
    return len(since) == 1 or bool(find_traits(reply.text) & (find_traits(text) - others))


def is_foreign(batch: Batch, citations: Cited, claim: str, direct: frozenset[str], entries: str = "") -> bool:
    """Return whether more than half of a claim's words are somebody else's, and neither the operator's nor `entries`.

    Somebody else is a tool, a group, a quotation, a paste, and the agent outside of `direct` sessions. A claim on a
    context that does not count is theirs if most of its words are not the operator's.
    """
    own_text = "\n".join(own(turn.text) for turn in (*citations.turns, *citations.beside))
    words = content_words(claim)
    missing = words - content_words(f"{own_text}\n{entries}")
    if len(missing) <= _FOREIGN_SHARE * len(words):
        return False
    echoes = (turn.text for turn in batch.turns if turn.by == "agent" and turn.session not in direct)
    theirs = (content_words(text) for text in (*map(_read_foreign, batch.turns), *echoes) if text)
    return citations.unrelated or any(len(missing & other) > _FOREIGN_SHARE * len(words) for other in theirs)


def is_quoted_only(citations: Cited, claim: str, *, strict: bool = False) -> bool:
    """Return whether all words of a claim are in the operator's quotation marks, and he quotes more than he says.

    If `strict`, whether he quotes a word of it, however little.
    """
    talk = "\n".join(own_talk(turn.text) for turn in citations.turns)
    talk_words = content_words(talk.replace("\0", " "))
    if "\0" not in talk or talk_words & content_words(claim):
        return False
    quote_words = content_words("\n".join(turn.text for turn in citations.turns)) - talk_words
    return bool(quote_words & content_words(claim)) if strict else len(quote_words) >= len(talk_words)


# ---- the sentences of a claim


def quotes(turns: Sequence[Turn], claim: str) -> tuple[str, ...]:
    """Return the sentences of the operator's turns with words of a claim, letter for letter.

    A turn without such a sentence is quoted whole if it is short and all of it is own talk; () for none.
    """
    quotations = {turn.n: list(_quote(turn, claim)) for turn in turns}
    is_said = any(quotations.values())
    for turn in turns:
        is_plain = len(turn.text) <= _MAX_WHOLE_LETTERS and (is_said or _is_all_own(turn))
        quotations[turn.n] = quotations[turn.n] or (list(_quote(turn)) or [turn.text.strip()] if is_plain else [])
    return tuple(text for turn in turns for text in quotations[turn.n])


def _quote(turn: Turn, claim: str = "") -> Iterator[str]:
    """Yield the sentences of a turn that have most words of a claim, without one all; neighbours are one quote."""
    own_sentences = list(sentences(own_talk(turn.text)))
    numbers = _choose_sentences(own_sentences, source(turn).text, claim)
    plain = (number for number, sentence in enumerate(own_sentences) if "\0" not in sentence.own)
    spans: list[tuple[int, int]] = []
    for number in sorted(numbers) if claim else plain:
        start, end = own_sentences[number].start, own_sentences[number].end
        if spans and not turn.text[spans[-1][1] : start].strip():
            start = spans.pop()[0]
        spans.append((start, end))
    return (turn.text[start:end] for start, end in spans)


def _choose_sentences(own_sentences: Sequence[Sentence], text: str, claim: str) -> set[int]:
    """Return the places of the sentences that together have most words and numbers of a claim, the fewest of them."""
    claim_traits = find_traits(claim)
    traits = [find_traits(text[sentence.start : sentence.end]) for sentence in own_sentences]
    numbers: set[int] = set()
    while traits and claim_traits:
        # The sentence with most of the missing words comes next, the earlier one on a tie.
        best = max(range(len(traits)), key=lambda number: (len(traits[number] & claim_traits), -number))
        if not traits[best] & claim_traits:
            break
        numbers.add(best)
        claim_traits = claim_traits - traits[best]
    return numbers


# ---- the evidence for the judge


class Shown(Struct, frozen=True):
    """The source of a claim as the judge sees it.

    `lends`: words of the claim come from the text beside the cited turns. `answers` is the whole sentence that a
    correction without an entry answers.
    """

    text: str
    lends: bool = False
    answers: str = ""


def show(
    batch: Batch,
    operation: Operation,
    citations: Cited,
    quotes: Sequence[str],
    entries: Sequence[Known],
    statement: str,
    speakers: frozenset[str] = frozenset(),
) -> Shown:
    """Return the cited turns, their subjects, and the state before."""
    # Without an entry the judge sees the sentence that the correction answers instead.
    answers = find_answered(batch, operation) if operation.act == "correct" and not entries else ""
    talk = sorted((*citations.answered, *citations.turns), key=place)
    own_text = "\n".join((*(source(turn).text for turn in talk), *(entry.text for entry in entries)))
    missing = content_words(statement) - content_words("\n".join((own_text, answers, *speakers)))
    pieces = list(_explain_claim(batch, citations, missing)) if operation.act in _EXPLAINED else []
    lends = any(missing & content_words(text) for _, text in pieces)
    pieces += _list_named(batch, citations, statement, missing, pieces) if operation.act in _EXPLAINED else []
    rows = [f'(to) {speaker}"{fold_spaces(text)}"' for speaker, text in pieces]
    rows += [row for turn in talk for row in _quote_turn(turn, quotes)]
    rows += [f'(before{f", {entry.first}" if entry.first else ""}) "{entry.text}"' for entry in entries]
    rows += [f'(before) "{fold_spaces(answers)}"'] if answers else []
    return Shown(" ".join((*(f"#{turn.n}" for turn in citations.turns), *rows)), lends, answers)


def _quote_turn(turn: Turn, quotes: Sequence[str]) -> Iterator[str]:
    """Yield a turn whole, or of a long one the quoted sentences with their neighbours, which may limit them.

    A turn of somebody else's is one that he answers.
    """
    if turn.by != "operator":
        yield f'(answered) {_SPEAKERS.get(turn.by, "")}"{fold_spaces(turn.text)}"'
        return
    text = fold_spaces(source(turn).text.replace("\0", " "))
    day = f"({turn.day.isoformat()}) " if turn.day else ""
    if text and len(text) <= _MAX_WHOLE_LETTERS:
        yield f'{day}"{text}"'
    else:
        rows = [(row.own, turn.text[row.start : row.end]) for row in sentences(own_talk(turn.text))]
        numbers = {number for number, (_, text) in enumerate(rows) if any(text in quote for quote in quotes)}
        for number, (own_row, text) in enumerate(rows):
            if number in numbers or (numbers & {number - 1, number + 1} and "\0" not in own_row):
                yield f'{day}"{fold_spaces(text)}"'


def _explain_claim(batch: Batch, citations: Cited, missing: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the named context, then sentences that have words which are missing, each with its speaker.

    Those of what the cited turns answer, and of what was said before them in the same talk, the nearest first.
    """
    context = citations.context
    if context and _is_harmless(text := fold_spaces(source(context).text), _MAX_CONTEXT_LETTERS):
        yield _SPEAKERS.get(context.by, ""), text
        missing -= content_words(text)
    until, sessions = max(turn.n for turn in citations.turns), {turn.session for turn in citations.turns}
    answer_turns = (before for turn in citations.turns for before in list_answered(batch, turn))
    talk = (turn for turn in reversed(batch.turns) if turn.n < until and turn.session in sessions)
    # A tool's turn, or a paste, may have put words into the talk before it.
    plain = takewhile(lambda turn: _is_all_own(turn) if turn.by == "operator" else turn.by != "tool", talk)
    nearest = dict.fromkeys((*answer_turns, *plain))
    count = 0
    for turn in (item for item in nearest if item not in (*citations.turns, *citations.beside)):
        for text in _split_talk(turn):
            words = missing & content_words(text)
            if words and count < _MAX_EXPLANATIONS and _is_harmless(text):
                yield _SPEAKERS.get(turn.by, ""), text
                missing, count = missing - words, count + 1


def _list_named(
    batch: Batch, citations: Cited, statement: str, missing: frozenset[str], pieces: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Yield entries, then sentences of the operator's, with a name of a claim that the talk does not say."""
    unknown = (missing & _list_words_of_names(statement)) - content_words("\n".join(text for _, text in pieces))
    first = min(turn.n for turn in citations.turns)
    earlier = (text for turn in reversed(batch.turns[:first]) if turn.may_cite for text in _split_talk(turn))
    for label, text in (*(("remembered: ", entry.text) for entry in batch.entries), *(("", text) for text in earlier)):
        if words := unknown & content_words(text) if unknown and _is_harmless(text) else None:
            yield label, text
            unknown -= words


def list_remembered(batch: Batch, statement: str) -> Iterator[str]:
    """Yield the entries that have a name of a claim."""
    name_words = _list_words_of_names(statement)
    return (entry.text for entry in batch.entries if name_words & content_words(entry.text))


def _list_words_of_names(text: str) -> frozenset[str]:
    return content_words("\n".join(name.text for name in values.names(text)))


def _split_talk(turn: Turn) -> Iterator[str]:
    talk = own_talk(turn.text) if turn.by == "operator" else straight(turn.text)
    return (turn.text[row.start : row.end] for row in sentences(talk) if "\0" not in row.own)


def _is_harmless(text: str, longest: int = _MAX_SENTENCE_LETTERS) -> bool:
    """Return whether a judge may read a text beside the evidence: it is short, and nothing in it is hidden."""
    return len(text) <= longest and not hidden_text.scan(text)


def list_said(batch: Batch) -> Iterator[Said]:
    """Yield all words of the operator, in order; a brief turn with the turn that it answers."""
    turns = sorted(batch.turns, key=place)
    for before, turn in zip((None, *turns), turns, strict=False):
        text = fold_spaces(source(turn).text.replace("\0", " ")) if turn.may_cite else ""
        answers = ""
        if before and before.session == turn.session and before.by in _SPEAKERS and len(text.split()) <= _BRIEF_WORDS:
            answers = f' (to) {_SPEAKERS[before.by]}"{fold_spaces(before.text)[:_MAX_ANSWERED_LETTERS]}"'
        if text:
            yield Said(turn.n, text, answers)


def find_answered(batch: Batch, operation: Operation) -> str:
    """Return the whole sentence that a correction without an entry answers, "" for none.

    The nearest earlier one that has its wrong words: of the cited turns, of the same talk, then of others.
    """
    last = batch.turn(max(operation.turns, default=0))
    if last is None:
        return ""
    cited_numbers = (operation.context, *operation.turns)
    has_wrong = places(last.text, operation.wrong)
    earlier = (turn for turn in batch.turns if turn.by in ("operator", "agent") and place(turn) < place(last))
    talk = [turn for turn in earlier if turn.n in cited_numbers or turn.session == last.session or not has_wrong]
    for turn in sorted(talk, key=lambda turn: (turn.n not in cited_numbers, turn.session != last.session, -turn.n)):
        for text in language_sentences.texts(turn.text):
            if places(text, operation.wrong) and not places(text, operation.right):
                return text
    return ""
