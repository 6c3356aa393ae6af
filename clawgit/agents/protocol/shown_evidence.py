"""Chooses what the judge of a claim is shown."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from msgspec.structs import replace

from clawgit.agents.protocol import citation, existing_statements
from clawgit.agents.protocol.batch import Batch, Turn
from clawgit.agents.protocol.check_result import Ground, Quote
from clawgit.agents.protocol.operations import Operation
from clawgit.agents.protocol.whose_words import Cited
from clawgit.language import logic
from clawgit.language.own_words import straight
from clawgit.language.pasted import own_talk
from clawgit.language.sentences import sentences
from clawgit.safety import hidden_text, injection

_MAX_WHOLE_LETTERS, _MAX_CONTEXT_LETTERS, _MAX_SENTENCE_LETTERS = 600, 300, 200
_MAX_PIECES = 3
"""Pieces of what was said before, for one claim."""
_ENOUGH_WORDS = 2
"""Words that an entry shares with a claim; words of a claim said nowhere, from which on what he answers is shown."""
_EXPLAINED = frozenset(("add", "replace", "lesson", "correct"))
"""What may take from the talk who or what is meant; all else stands on the operator's own words alone."""
_CAPITAL = re.compile(r"\b[^\W\d_a-z]\w+")
_INNER_CAPITAL = re.compile(r"(?<=[\w,;] )[^\W\d_a-z]\w+")


def shown(
    batch: Batch, operation: Operation, ground: Ground, cited: Cited, quotes: Sequence[Quote], isos: tuple[str, ...]
) -> tuple[Quote, ...]:
    """Return the cited turns as the operator said them, and up to three pieces that tell of what they speak.

    These are the named context, sentences of what he answers, entries, and earlier sentences of the talk with a word
    of the claim that is said nowhere else. Nothing of it is evidence.
    """
    own = tuple(quote for turn in cited.turns for quote in _own(turn, quotes))
    if operation.act not in _EXPLAINED:
        return own
    entries = [ground.held[name].text for name in operation.entries if name in ground.held]
    answers = existing_statements.answered(operation, batch)[1] if operation.act == "correct" and not entries else ""
    said = (*(citation.source(turn).text for turn in cited.turns), *entries, answers, "operator", *ground.speakers)
    return (*_explaining(batch, operation, cited, "\n".join(said), isos), *own)


def from_elsewhere(found: Iterable[Quote]) -> bool:
    """Return whether a claim has words that are shown beside the operator's own."""
    return any(quote.context and quote.lends for quote in found)


def _own(turn: Turn, quotes: Sequence[Quote]) -> Iterator[Quote]:
    said = " ".join(citation.source(turn).text.replace("\0", " ").split())
    if not said or len(said) > _MAX_WHOLE_LETTERS:
        yield from (quote for quote in quotes if quote.turn == turn.n and not quote.context)
        return
    day = turn.day.isoformat() if turn.day else ""
    yield Quote(turn.n, 0, len(turn.text), said, day, turn.session, turn.event)


def _explaining(batch: Batch, operation: Operation, cited: Cited, said: str, isos: tuple[str, ...]) -> Iterator[Quote]:
    """Yield the pieces that have words which are not `said`, the nearest first, as few as it takes.

    Where none has, and two words of the claim or more are said nowhere, the last of what he answers is shown.
    """
    wanted = logic.content(operation.text, isos)
    missing = wanted - logic.content(said, isos)
    names = logic.content(" ".join(_CAPITAL.findall(operation.text)), isos)
    context = _context(batch, operation, cited)
    pieces, last = 0, None
    if context:
        lends = bool(missing & logic.content(context.text, isos))
        missing -= logic.content(context.text, isos)
        pieces = 1
        yield replace(context, lends=lends)
    for quote, far in _candidates(batch, cited, context.turn if context else 0):
        words = logic.content(quote.text, isos)
        last = last or (quote if not far else None)
        telling = missing & words
        if far:
            named = telling & names & logic.content(" ".join(_INNER_CAPITAL.findall(quote.text)), isos)
            enough = quote.by == "operator" or (quote.by == "memory" and len(words & wanted) >= _ENOUGH_WORDS)
            telling = telling if enough else named
        if telling and pieces < _MAX_PIECES and (not far or _is_harmless(quote.text)):
            pieces += 1
            missing -= words
            yield quote
    if last and not pieces and len(missing) >= _ENOUGH_WORDS and len(last.text) <= _MAX_SENTENCE_LETTERS:
        yield last


def _context(batch: Batch, operation: Operation, cited: Cited) -> Quote | None:
    """Return the named context, if people or the agent said it before in the same talk and it may be read."""
    turn = batch.turn(operation.context or 0)
    if turn is None or turn in cited.turns or turn.by == "tool" or (turn.by == "operator" and not turn.may_cite):
        return None
    if not any(one.session == turn.session and citation.place(turn) < citation.place(one) for one in cited.turns):
        return None
    text = " ".join(_talk(turn).replace("\0", " ").split())
    longest = _MAX_SENTENCE_LETTERS if turn.by == "other" else _MAX_CONTEXT_LETTERS
    return Quote(turn.n, 0, len(turn.text), text, context=True, by=turn.by) if _is_harmless(text, longest) else None


def _candidates(batch: Batch, cited: Cited, context: int) -> Iterator[tuple[Quote, bool]]:
    """Yield what may tell of whom or what he speaks, the nearest first, and whether it lies farther than his answer.

    That are sentences of what he answers; entries; what was said in the session before, up to a tool or a paste.
    """
    seen = {context, *(turn.n for turn in cited.turns)}
    for turn in cited.turns:
        for before in citation.answered_by(batch, turn):
            if before.n not in seen:
                seen.add(before.n)
                yield from ((quote, False) for quote in _sentences(before))
    yield from ((Quote(0, 0, len(entry.text), entry.text, context=True, by="memory"), True) for entry in batch.entries)
    until = max((turn.n for turn in cited.turns), default=0)
    sessions = {turn.session for turn in cited.turns}
    earlier = (turn for turn in reversed(batch.turns) if turn.n < until and turn.session in sessions)
    talk = list(takewhile(_is_plain_talk, earlier))
    own = [turn for turn in talk if turn.by == "operator"]
    first = talk.index(own[-1]) if own else 0  # what the agent said before may answer a tool or a paste
    for turn in (*own, *(turn for turn in talk[:first] if turn.by == "agent")):
        if turn.n not in seen:
            yield from ((quote, True) for quote in _sentences(turn))


def _is_plain_talk(turn: Turn) -> bool:
    return citation.is_all_own(turn) if turn.by == "operator" else turn.by != "tool"


def _sentences(turn: Turn) -> Iterator[Quote]:
    for sentence in sentences(_talk(turn)):
        text = turn.text[sentence.start : sentence.end]
        if "\0" not in sentence.own and (turn.by != "other" or _is_harmless(text)):
            yield Quote(turn.n, sentence.start, sentence.end, text, context=True, by=turn.by)


def _talk(turn: Turn) -> str:
    return own_talk(turn.text) if turn.by == "operator" else straight(turn.text)


def _is_harmless(text: str, longest: int = _MAX_SENTENCE_LETTERS) -> bool:
    """Return whether a judge may read what stands beside the evidence: it is short, and words nothing as an order."""
    return len(text) <= longest and not injection.scan(text) and not hidden_text.scan(text)
