"""Chooses the evidence for the judge of a claim."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec import Struct

from clawgit.language import sentences as language_sentences
from clawgit.language.own_words import straight
from clawgit.language.pasted import own_talk
from clawgit.language.sentences import sentences
from clawgit.language.values import content_words, names, places
from clawgit.reading import citation
from clawgit.reading.judge import Said
from clawgit.reading.operations import Operation
from clawgit.reading.turns import Batch, Known, Turn
from clawgit.reading.whose_words import Cited
from clawgit.safety import hidden_text
from clawgit.workspace.commit_message import fold_spaces

_MAX_WHOLE_LETTERS, _MAX_CONTEXT_LETTERS, _MAX_SENTENCE_LETTERS = 600, 300, 200
_MAX_EXPLANATIONS, _MAX_ANSWERED_LETTERS = 3, 120
_BRIEF_WORDS = 12
"""Words of a turn that means little without what it answers: `no, forget it`."""
_EXPLAINED = frozenset(("add", "replace", "lesson", "correct"))
"""Operations that may take from the talk who or what is meant; others rest on the operator's own words alone."""
_WHOSE = {"agent": "the agent: ", "other": "somebody else: "}


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
    answers = find_answered(batch, operation) if operation.act == "correct" and not entries else ""
    spoken = sorted((*citations.answered, *citations.turns), key=citation.place)
    own = [row for turn in spoken for row in _quote_turn(turn, quotes)]
    own_text = "\n".join((*(citation.source(turn).text for turn in spoken), *(entry.text for entry in entries)))
    missing = content_words(statement) - content_words("\n".join((own_text, answers, *speakers)))
    pieces = list(_explain(batch, citations, missing)) if operation.act in _EXPLAINED else []
    lends = any(missing & content_words(text) for _, text in pieces)
    pieces += _list_named(batch, citations, statement, missing, pieces) if operation.act in _EXPLAINED else []
    rows = [f'(to) {speaker}"{fold_spaces(text)}"' for speaker, text in pieces]
    rows += own
    rows += [f'(before{f", {entry.first}" if entry.first else ""}) "{entry.text}"' for entry in entries]
    rows += [f'(before) "{fold_spaces(answers)}"'] if answers else []
    numbers = " ".join(f"#{turn.n}" for turn in citations.turns)
    return Shown(f"{numbers} {' '.join(rows)}", lends, answers)


def _quote_turn(turn: Turn, quotes: Sequence[str]) -> Iterator[str]:
    """Yield a turn whole, or of a long one the quoted sentences with their neighbours, which may limit them.

    A turn of somebody else's is one that he answers.
    """
    if turn.by != "operator":
        yield f'(answered) {_WHOSE.get(turn.by, "")}"{fold_spaces(turn.text)}"'
        return
    text = fold_spaces(citation.source(turn).text.replace("\0", " "))
    day = f"({turn.day.isoformat()}) " if turn.day else ""
    if text and len(text) <= _MAX_WHOLE_LETTERS:
        yield f'{day}"{text}"'
    else:
        rows = [(row.own, turn.text[row.start : row.end]) for row in sentences(own_talk(turn.text))]
        numbers = {number for number, (_, text) in enumerate(rows) if any(text in quote for quote in quotes)}
        for number, (own, text) in enumerate(rows):
            if number in numbers or (numbers & {number - 1, number + 1} and "\0" not in own):
                yield f'{day}"{fold_spaces(text)}"'


def _explain(batch: Batch, citations: Cited, missing: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the named context, then sentences that have words which are missing, each with its speaker.

    Those of what the cited turns answer, and of what was said before them in the same talk, the nearest first.
    """
    context = citations.context
    if context and _is_harmless(text := fold_spaces(citation.source(context).text), _MAX_CONTEXT_LETTERS):
        yield _WHOSE.get(context.by, ""), text
        missing -= content_words(text)
    until, sessions = max(turn.n for turn in citations.turns), {turn.session for turn in citations.turns}
    answer_turns = (before for turn in citations.turns for before in citation.list_answered(batch, turn))
    talk = (turn for turn in reversed(batch.turns) if turn.n < until and turn.session in sessions)
    nearest = dict.fromkeys((*answer_turns, *takewhile(_is_plain_talk, talk)))
    count = 0
    for turn in (item for item in nearest if item not in (*citations.turns, *citations.beside)):
        for text in _split(turn):
            words = missing & content_words(text)
            if words and count < _MAX_EXPLANATIONS and _is_harmless(text):
                yield _WHOSE.get(turn.by, ""), text
                missing, count = missing - words, count + 1


def _list_named(
    batch: Batch, cited: Cited, statement: str, missing: frozenset[str], pieces: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Yield entries, then sentences of the operator's, with a name of a claim that the talk does not say."""
    unknown = (missing & _list_words_of_names(statement)) - content_words("\n".join(text for _, text in pieces))
    first = min(turn.n for turn in cited.turns)
    earlier = (text for turn in reversed(batch.turns[:first]) if turn.may_cite for text in _split(turn))
    for whose, text in (*(("remembered: ", entry.text) for entry in batch.entries), *(("", text) for text in earlier)):
        if words := unknown & content_words(text) if unknown and _is_harmless(text) else None:
            yield whose, text
            unknown -= words


def list_remembered(batch: Batch, statement: str) -> Iterator[str]:
    """Yield the entries that have a name of a claim."""
    named = _list_words_of_names(statement)
    return (entry.text for entry in batch.entries if named & content_words(entry.text))


def _list_words_of_names(text: str) -> frozenset[str]:
    return content_words("\n".join(name.text for name in names(text)))


def _is_plain_talk(turn: Turn) -> bool:
    return citation.is_all_own(turn) if turn.by == "operator" else turn.by != "tool"


def _split(turn: Turn) -> Iterator[str]:
    talk = own_talk(turn.text) if turn.by == "operator" else straight(turn.text)
    return (turn.text[row.start : row.end] for row in sentences(talk) if "\0" not in row.own)


def list_said(batch: Batch) -> Iterator[Said]:
    """Yield all words of the operator, in order; a brief turn with the turn that it answers."""
    turns = sorted(batch.turns, key=citation.place)
    for before, turn in zip((None, *turns), turns, strict=False):
        text = fold_spaces(citation.source(turn).text.replace("\0", " ")) if turn.may_cite else ""
        answers = ""
        if before and before.session == turn.session and before.by in _WHOSE and len(text.split()) <= _BRIEF_WORDS:
            answers = f' (to) {_WHOSE[before.by]}"{fold_spaces(before.text)[:_MAX_ANSWERED_LETTERS]}"'
        if text:
            yield Said(turn.n, text, answers)


def find_answered(batch: Batch, operation: Operation) -> str:
    """Return the whole sentence that a correction without an entry answers, "" for none.

    The nearest earlier one that has its wrong words: of the cited turns, of the same talk, then of others.
    """
    last = batch.turn(max(operation.turns, default=0))
    if last is None:
        return ""
    earlier = [
        turn for turn in batch.turns if turn.by in ("operator", "agent") and citation.place(turn) < citation.place(last)
    ]
    named = [turn for turn in earlier if turn.n in (operation.context, *operation.turns)]
    session_turns = [turn for turn in earlier if turn.session == last.session]
    other_sessions = (
        [] if places(last.text, operation.wrong) else [turn for turn in earlier if turn.session != last.session]
    )
    for turn in (*reversed(named), *reversed(session_turns), *reversed(other_sessions)):
        for text in language_sentences.texts(turn.text):
            if places(text, operation.wrong) and not places(text, operation.right):
                return text
    return ""


def _is_harmless(text: str, longest: int = _MAX_SENTENCE_LETTERS) -> bool:
    """Return whether a judge may read a text beside the evidence: it is short, and nothing in it is hidden."""
    return len(text) <= longest and not hidden_text.scan(text)
