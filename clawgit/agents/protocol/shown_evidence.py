"""Chooses what the judge of a claim is shown."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile

from msgspec.structs import replace

from clawgit.agents.protocol import citation, existing_statements, facts
from clawgit.agents.protocol.batch import Batch, Turn
from clawgit.agents.protocol.check_result import Ground, Quote
from clawgit.agents.protocol.citation import Cited
from clawgit.agents.protocol.facts import Name
from clawgit.agents.protocol.operations import Operation
from clawgit.language import detect, logic
from clawgit.language.own_words import straight
from clawgit.language.pasted import own_talk
from clawgit.language.sentences import sentences
from clawgit.safety import hidden_text, injection

_WHOLE, _NAMED, _BRIEF = 600, 300, 200
"""Letters of a turn that is shown whole, of the one that was named as its context, and of a sentence of others."""
_MOST = 3
"""Pieces of what was said before, for one claim."""
_ROW = 4
"""Letters in a row that a claim in an East Asian script shares with a sentence that tells of what it speaks."""
_ALIKE = 2
"""Words of a claim that an entry has, one of them missing, from which on it tells of what it speaks; words of it that
are said nowhere, from which on what he answers is shown."""
_EXPLAINED = frozenset(("add", "replace", "lesson", "correct"))
"""What may take from the talk who or what is meant; all else stands on the operator's own words alone."""


def shown(
    batch: Batch, operation: Operation, ground: Ground, cited: Cited, quotes: Sequence[Quote], isos: tuple[str, ...]
) -> tuple[Quote, ...]:
    """Return the cited turns as the operator said them, and what tells of whom or what they speak.

    That are sentences of what he answers, of his own turn before it, or of an entry, which hold a word of the claim
    that the cited turns do not have. Nothing of it is evidence.
    """
    own = tuple(one for turn in cited.turns for one in _own(turn, quotes))
    if operation.act not in _EXPLAINED:
        return own
    entries = [ground.held[one].text for one in operation.entries if one in ground.held]
    answers = existing_statements.answered(operation, batch)[1] if operation.act == "correct" and not entries else ""
    own_names = ("operator", *sorted(ground.speakers))
    said = (*(citation.source(turn).text for turn in cited.turns), *entries, answers, *own_names)
    return (*_explaining(batch, operation, cited, "\n".join(said), isos), *own)


def from_elsewhere(found: Iterable[Quote]) -> bool:
    """Tell whether a claim has words that are shown beside the operator's own."""
    return any(one.context and one.lends for one in found)


def _own(turn: Turn, quotes: Sequence[Quote]) -> Iterator[Quote]:
    here = [one for one in quotes if one.turn == turn.n and not one.context]
    said = " ".join(citation.source(turn).text.replace("\0", " ").split())
    if not said or len(said) > _WHOLE:
        yield from here
        return
    day = turn.day
    yield Quote(turn.n, 0, len(turn.text), said, day.isoformat() if day else "", turn.session, turn.event)


def _explaining(batch: Batch, operation: Operation, cited: Cited, told: str, isos: tuple[str, ...]) -> Iterator[Quote]:
    """Yield the sentences that have words which are not `told`, the nearest first, as few as it takes.

    Where none has, and the claim has words of its own or names what he answers, the last of that is shown.
    """
    wanted = logic.content(operation.text, isos)
    near, last = _nearby(batch, operation, cited, wanted - logic.content(told, isos), isos)
    yield from near
    room = _MOST - len(near)
    told = "\n".join((told, *(one.text for one in near)))
    missing = wanted - logic.content(told, isos)
    for quote in islice(_remembered(batch, operation, wanted, missing, told, isos), max(0, room)):
        room, told = room - 1, f"{told}\n{quote.text}"
        missing -= logic.content(quote.text, isos)
        yield quote
    for quote in islice(_naming(batch, operation, cited, told, isos), max(0, room)):
        room, told = room - 1, f"{told}\n{quote.text}"
        missing -= logic.content(quote.text, isos)
        yield quote
    for quote in islice(_speaking(batch, operation.text, cited, told, isos), max(0, room)):
        room -= 1
        yield quote
    needed = len(missing) >= _ALIKE or (last and last.turn == operation.context)
    if needed and room == _MOST and last and len(last.text) <= _BRIEF:
        yield last


def _nearby(
    batch: Batch, operation: Operation, cited: Cited, missing: frozenset[str], isos: tuple[str, ...]
) -> tuple[list[Quote], Quote | None]:
    """Return the context that is named, and sentences of what is answered, each with a word that is `missing`.

    And the last sentence of what is answered, whatever it says.
    """
    near: list[Quote] = []
    last: Quote | None = None
    for turn in _before(batch, operation, cited):
        own = own_talk(turn.text) if turn.by == "operator" else straight(turn.text)
        said = missing & logic.content(own, isos)
        if turn.n == operation.context and _is_harmless(own, _BRIEF if turn.by == "other" else _NAMED):
            missing -= said
            words = " ".join(own.replace("\0", " ").split())
            near.append(Quote(turn.n, 0, len(turn.text), words, context=True, by=turn.by, lends=bool(said)))
            continue
        for one in sentences(own):
            text = turn.text[one.start : one.end]
            if turn.by == "other" and not _is_harmless(text):
                continue
            quote = Quote(turn.n, one.start, one.end, text, context=True, by=turn.by)
            last = quote if last is None or last.turn == turn.n else last
            found = missing & logic.content(one.own, isos)
            if found and len(near) < _MOST:
                missing -= found
                near.append(quote)
    return near, last


def _remembered(
    batch: Batch,
    operation: Operation,
    wanted: frozenset[str],
    missing: frozenset[str],
    told: str,
    isos: tuple[str, ...],
) -> Iterator[Quote]:
    """Yield the entries that have a name which is not told, or words that are `missing` beside others of the claim."""
    lost = _untold(operation.text, told, isos)
    for entry in batch.entries:
        here = {one for one in lost if _is_named(one, entry.text, isos)}
        words = logic.content(entry.text, isos)
        if here or (words & missing and len(words & wanted) >= _ALIKE):
            missing -= words
            lost = [one for one in lost if one not in here]
            yield Quote(0, 0, len(entry.text), entry.text, context=True, by="memory")


def _naming(batch: Batch, operation: Operation, cited: Cited, told: str, isos: tuple[str, ...]) -> Iterator[Quote]:
    """Yield for each name that is not told yet the operator's last sentence with it before the cited turns.

    Where he has none, the agent's in the same session, as far back as no tool and no paste had a part.
    """
    until = max((one.n for one in cited.turns), default=0)
    own = [one for one in reversed(batch.turns) if one.by == "operator" and one.may_cite and one.n < until]
    talk = list(_talk(batch, cited))
    first = max((at for at, one in enumerate(talk) if one.by == "operator"), default=0)
    agents = [one for one in talk[:first] if one.by == "agent"]  # what it said before may answer a tool or a paste
    for name in _untold(operation.text, told, isos):
        if existing_statements.stands(name.said, told):
            continue
        found = (
            Quote(turn.n, one.start, one.end, turn.text[one.start : one.end], context=True, by=turn.by)
            for turn in (*own, *agents)
            for one in sentences(own_talk(turn.text) if turn.by == "operator" else straight(turn.text))
            if _is_named(name, one.own, isos)
        )
        for one in islice(found, 1):
            if _is_harmless(one.text):
                told = f"{told}\n{one.text}"
                yield one


def _speaking(batch: Batch, claim: str, cited: Cited, told: str, isos: tuple[str, ...]) -> Iterator[Quote]:
    """Yield sentences that the operator said before in the same session with words of a claim that are not told.

    The last first. In East Asia words are not told from their parts: four letters in a row are looked for.
    """
    missing = logic.content(claim, isos) - logic.content(told, isos)
    rows = {claim[at : at + _ROW] for at in range(len(claim) - _ROW + 1)} if detect.eastern(claim) else set[str]()
    rows = {one for one in rows if one not in told and all(map(str.isalnum, one))}
    for turn in (one for one in _talk(batch, cited) if one.by == "operator"):
        for one in sentences(own_talk(turn.text)):
            text = turn.text[one.start : one.end]
            found = missing & logic.content(one.own, isos)
            shared = {row for row in rows if row in one.own}
            if (shared if detect.eastern(text) else found) and _is_harmless(text):
                missing, rows = missing - found, rows - shared
                yield Quote(turn.n, one.start, one.end, text, context=True, by="operator")


def _talk(batch: Batch, cited: Cited) -> Iterator[Turn]:
    """Yield what was said in the same session before the cited turns, the last first, up to a tool or a paste."""
    until = max((one.n for one in cited.turns), default=0)
    sessions = {one.session for one in cited.turns}
    before = (one for one in reversed(batch.turns) if one.n < until and one.session in sessions)
    return takewhile(lambda one: one.by != "tool" and (one.by != "operator" or _is_own(one)), before)


def _is_own(turn: Turn) -> bool:
    return turn.may_cite and citation.all_own(turn)


def _untold(text: str, told: str, isos: tuple[str, ...]) -> list[Name]:
    """Return the names and identifiers of a text that do not stand in what is told."""
    read = facts.read(text, isos)
    names = (replace(one, said=one.said.removesuffix("'s")) for one in facts.names(straight(text), isos, read))
    every = dict.fromkeys((*names, *(Name(one, sure=True) for one in read.tokens)))
    return [one for one in every if not existing_statements.stands(one.said, told)]


def _is_named(name: Name, text: str, isos: tuple[str, ...]) -> bool:
    """Tell whether a text has a name; the first word of a claim is one only where a text has it as a name for sure."""
    if name.sure or not existing_statements.stands(name.said, text):
        return existing_statements.stands(name.said, text)
    said = facts.names(straight(text), isos, facts.read(text, isos))
    return any(one.sure and one.said.removesuffix("'s") == name.said for one in said)


def _is_harmless(text: str, most: int = _BRIEF) -> bool:
    """Tell whether a judge may read what stands beside the evidence: it is short, and words nothing as an order."""
    return len(text) <= most and not injection.scan(text) and not hidden_text.scan(text)


def _is_said_before(turn: Turn, cited: Cited) -> bool:
    """Tell whether people or the agent said it, in the same talk, before what is cited."""
    if turn.by == "tool" or (turn.by == "operator" and not turn.may_cite):
        return False
    return any(one.session == turn.session and citation.place(turn) < citation.place(one) for one in cited.turns)


def _before(batch: Batch, operation: Operation, cited: Cited) -> Iterator[Turn]:
    """Yield what cited turns answer, as far as no tool and no paste had a part in it; what a reader named first."""
    seen = {one.n for one in cited.turns}
    named = batch.turn(operation.context or 0)
    if named and named.n not in seen and _is_said_before(named, cited):
        seen.add(named.n)
        yield named
    for turn in cited.turns:
        for one in citation.answered_by(batch, turn):
            if one.n not in seen:
                seen.add(one.n)
                yield one
