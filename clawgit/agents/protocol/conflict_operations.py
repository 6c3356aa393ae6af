"""Checks a `conflict`, and makes its changes."""

import unicodedata
from collections.abc import Sequence
from hashlib import sha256

from msgspec.structs import replace

from clawgit.agents.detecting import conflict_findings, contradiction, past_statements
from clawgit.agents.detecting.conflict_decisions import Corrections, Dated, Decision, decide
from clawgit.agents.detecting.contradiction import Held, judge
from clawgit.agents.protocol import checked_operation, citation, comparison, nothing_invented, whose_words
from clawgit.agents.protocol.batch import Batch, Known
from clawgit.agents.protocol.check_result import Checked, Fault, Ground, Quote
from clawgit.agents.protocol.check_result import Held as CheckedMemory
from clawgit.agents.protocol.checked_operation import Decided
from clawgit.agents.protocol.operations import Operation
from clawgit.agents.running import View
from clawgit.errors import Command, already_decided, memory_changed
from clawgit.language import logic
from clawgit.text.confidence import OPERATOR
from clawgit.text.sameness.note_comparison import compare
from clawgit.workspace import write_guard
from clawgit.workspace.change import Change
from clawgit.workspace.commit_message import one_line

LONGEST = 200
"""Characters of the words in which an entry differs."""
_PAIR = 2
RULES = """\
Of two memories A and B, wholly: of the same thing, at the same time, both cannot be true; partly: they may be of
different things or times, or what the operator says leaves open which one holds; not: both can be true."""
_BOTH = "A and B cannot both be true."
_NEITHER = "A and B can both be true."
OPEN = "no later words of the operator's say which holds: he decides"


def check(batch: Batch, operation: Operation, ground: Ground) -> Checked:
    """Return what code says of two entries that cannot both hold.

    Both are shown in the batch, and the words that differ stand in them. Which of them holds is kept only where the
    operator says so on a later day than the other was first said; else the operation is left without it.
    """
    sides = _sides(batch, operation)
    if isinstance(sides, Fault):
        return Checked(operation, sides.state, sides.why)
    if not operation.holds:
        return Checked(operation, "fits", "", (), OPERATOR, needs_support=True)
    found = _quotes(batch, operation, ground, sides)
    if isinstance(found, Fault):
        return replace(undecided(operation), why=found.why)
    return Checked(operation, "fits", "", found, OPERATOR, needs_support=True)


def undecided(operation: Operation) -> Checked:
    """Return the operation without the side that holds."""
    return Checked(replace(operation, holds="", turns=()), "fits", OPEN, (), OPERATOR, needs_support=True)


def _sides(batch: Batch, operation: Operation) -> tuple[Known, Known] | Fault:
    known = {entry.id: entry for entry in batch.entries}
    names, differs = operation.entries, operation.differs
    if len(names) != _PAIR or len(set(names)) != _PAIR:
        return Fault("name the two entries that cannot both hold; an entry is no conflict with itself")
    if gone := [name for name in names if name not in known]:
        return Fault(f"there is no entry {gone[0]} in this batch")
    if operation.holds and operation.holds not in names:
        return Fault(f"{operation.holds} is neither of the two: holds is the id of the one that holds, or left out")
    one, other = (known[name] for name in names)
    if len(differs) != _PAIR:
        return Fault("differs holds two pieces: the words of the first entry, and those of the second")
    pieces = zip((one, other), differs, strict=True)
    lost = [words[:LONGEST] for each, words in pieces if not _stands(words, each.text)]
    if lost:
        return Fault(f"'{lost[0]}' does not stand in its entry: differs copies the words of each")
    same = _plain(differs[0]) == _plain(differs[1]) or compare(one.text, other.text).relation == "same"
    return Fault("both say the same: that is no conflict") if same else (one, other)


def _stands(words: str, text: str) -> bool:
    return any(map(str.isalnum, words)) and len(words) <= LONGEST and _plain(words) in _plain(text)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _quotes(
    batch: Batch, operation: Operation, ground: Ground, sides: tuple[Known, Known]
) -> tuple[Quote, ...] | Fault:
    """Return the operator's sentences that say which side holds, the last on a later day than the other side."""
    cited = whose_words.read(batch, operation.turns, None, ground.direct)
    if isinstance(cited, str) or not cited.turns:
        return Fault(cited if isinstance(cited, str) else OPEN)
    at = operation.entries.index(operation.holds)
    isos = logic.languages(*(turn.text for turn in cited.turns), *(side.text for side in sides))
    quotes = citation.quotes(cited.turns, sides[at].text, isos)
    if not quotes:
        return Fault(OPEN)
    said = max((quote.day for quote in quotes), default="")
    winner, loser = sides[at].first, sides[1 - at].first
    if not (winner and loser and loser < said and winner <= said):
        return Fault(OPEN)
    words = logic.content(operation.differs[at], isos)
    unsaid = words and not words & logic.content("\n".join(quote.text for quote in quotes), isos)
    if unsaid or nothing_invented.missing(operation.differs[at], tuple(map(citation.source, cited.turns)), isos):
        return Fault(f"the operator does not say '{operation.differs[at]}' there: he decides")
    return quotes


def left_open(batch: Batch, found: Sequence[Checked], reasons: frozenset[int]) -> tuple[Checked, ...]:
    """Return what rules find of pairs to which a reader gave neither an operation that fits nor a reason."""
    had = {frozenset(one.operation.entries) for one in found if one.state != "refused"}
    texts = {entry.id: entry.text for entry in batch.entries}
    left = (pair for pair in batch.pairs if pair.must and pair.n not in reasons and {pair.one, pair.other} not in had)
    return tuple(
        Checked(
            Operation("conflict", entries=(one.one, one.other), differs=(texts[one.one], texts[one.other])),
            "fits",
            "found by rules; the reader said nothing of it",
            confidence=OPERATOR,
        )
        for one in left
    )


def by_rules(one: Checked, batch: Batch) -> Checked:
    """Return what becomes of a conflict where nobody judges it: what rules find, too, is recorded, the rest waits."""
    if one.state != "fits" or not one.needs_support:
        return one
    texts = {each.id: each.text for each in batch.entries}
    if judge(*(texts[name] for name in one.operation.entries)).contradicts:
        return replace(undecided(one.operation), needs_support=False)
    return replace(one, state="waits", why="without a model nobody judged whether both can hold")


# ---- what the call of support is asked


def source(entries: Sequence[CheckedMemory]) -> list[str]:
    """Return two memories, each with its day."""
    return [
        f'{letter}{f" ({one.first})" if one.first else ""}: "{_line(one.text)}"'
        for letter, one in zip("AB", entries, strict=True)
    ]


def claim(operation: Operation, entries: Sequence[CheckedMemory]) -> str:
    """Return what is claimed of two memories."""
    del entries
    return f"{_BOTH}{_winner(operation, operation.holds)}"


def twin(operation: Operation, ground: Ground) -> str:
    """Return a claim that is false where the other is true.

    It names the other side where one is said to hold; else it says that both can be true, or that one of them cannot
    be true together with a memory that has nothing to do with it.
    """
    if operation.holds:
        return f"{_BOTH}{_winner(operation, next(entry for entry in operation.entries if entry != operation.holds))}"
    first = ground.held[operation.entries[0]].text
    isos = logic.languages(first)
    mine = logic.content(first, isos)
    far = [one.text for one in ground.held.values() if not logic.content(one.text, logic.languages(one.text)) & mine]
    key = int(sha256(first.encode("utf-8", "replace")).hexdigest(), 16)
    return f'A and "{_line(far[key % len(far)])}" cannot both be true.' if far and key % 2 else _NEITHER


def left(one: Checked, claimed: str | None, other: str | None) -> Checked:
    """Return what becomes of a conflict that is not wholly borne out: it is left open, or both may hold."""
    if claimed == "not":
        return replace(one, state="refused", why="both can hold")
    if other == "wholly":
        return replace(one, state="refused", why="a false form of it was taken for true, too")
    if claimed == "partly" and one.operation.holds:
        return replace(undecided(one.operation), needs_support=False)
    return replace(one, state="refused", why="they may be of different things, or times")


def _winner(operation: Operation, name: str) -> str:
    return f" What holds is {'AB'[operation.entries.index(name)]}." if name else ""


def _line(text: str) -> str:
    return " ".join(text.split())


_AGAIN = Command("clawgit run conflict-detector")


def recorded(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change that records a conflict, and puts the side out of force that the rules say gives way.

    The rules decide first (spec §5.4), then the operator's own words that the reader cites; else it stays open.
    Raises ClawgitError where a side is gone, reworded or out of force, or the pair was recorded or taken back before.
    """
    shown = {each.id: each for each in batch.entries}
    both = [_held(view, shown[name]) for name in one.operation.entries]
    name = conflict_findings.pair(both[0].key, both[1].key)
    if known := past_statements.settled(view).get(name):
        raise already_decided(f"this pair is {known}", fix=Command("clawgit show {}", name))
    dated = (Dated(each, contradiction.dated(view.workspace, each)) for each in both)
    older, newer = sorted(dated, key=lambda each: (each.day, each.held.path, each.held.entry.start))
    decision = _decision(view, batch, one, older, newer)
    differs = one.operation.differs if older.held == both[0] else one.operation.differs[::-1]
    why = (write_guard.cleaned(" / ".join(map(one_line, differs))),)
    record = conflict_findings.record(older, newer, why, decision, view.workspace.now(), comparison.NAME)
    change = conflict_findings.change(view, record, older, newer, decision, comparison.NAME)
    return replace(change, id=one.name(batch))


def _decision(view: View, batch: Batch, one: Decided, older: Dated, newer: Dated) -> Decision:
    found = decide(older, newer, Corrections(view.corrections))
    if found.winner or not one.operation.holds or not one.quotes:
        return found
    winner = next(each for each in (older, newer) if each.held.row.id == one.operation.holds)
    if winner.held.row.origin == "untrusted":
        return found
    evidence = checked_operation.pointers(view.workspace, batch, one)
    return Decision("the operator's words", winner, evidence[-1] if evidence else None)


def _held(view: View, wanted: Known) -> Held:
    there = (one for one in contradiction.held(view, wanted.file) if one.row.id == wanted.id)
    found = next((one for one in there if comparison.shown(one) == wanted.text), None)
    if found is None:
        raise memory_changed(f"entry {wanted.id} is gone, or says something else by now", fix=_AGAIN)
    if not found.in_force:
        raise memory_changed(f"entry {wanted.id} gave way to another one meanwhile", fix=_AGAIN)
    return found
