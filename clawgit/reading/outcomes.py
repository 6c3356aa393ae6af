"""Decides which operations land, wait, or are refused."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from clawgit.language import sentences
from clawgit.reading import checks, judge
from clawgit.reading.checks import Checked, Decided, Ground
from clawgit.reading.judge import Claim, Degree, Judged, Pair, Said, Say
from clawgit.reading.operations import Batch, Operation
from clawgit.reading.whose_words import find_place, read_own
from clawgit.text.similarity import is_same_note
from clawgit.workspace.commit_message import fold_spaces

UNRELIABLE = "the judge was not reliable"
UNJUDGED = "nobody judged whether your words say it"
_REASONS: dict[Degree | None, str] = {
    "partly": "judge: your words say it only in part",
    "not": "judge: your words do not say it",
    "changed": "judge: something that you said later changes it",
}
_MIN_TAKEN, _TAKEN_SHARE = 5, 0.05
"""Entries that one reading may take away: five, or a twentieth of all."""
_MAX_SOUL_LINES = 3
_BULLET_CHARS = 3
_BRIEF_WORDS, _MAX_ANSWERED_LETTERS = 12, 120
"""Words of a turn that means little without what it answers: `no, forget it`."""


def decide(batch: Batch, operations: Sequence[Operation], ground: Ground, say: Say | None) -> tuple[Decided, ...]:
    """Return the decision on each operation. Raises ModelError if the judge fails.

    Without a judge only the operator's own requests land, word for word. If the judge passed canaries twice, all
    fitting operations wait.
    """
    checked = _join_corrections(batch, [checks.check_operation(batch, operation, ground) for operation in operations])
    judgement = _judge(batch, [claim for _, claim in checked if claim], ground, say)
    decided = [
        _settle_claim(decision, judgement.degrees.get(claim.pair), reliable=judgement.reliable) if claim else decision
        for decision, claim in checked
    ]
    return tuple(_limit(decided, batch, ground))


def _join_corrections(batch: Batch, checked: list[Checked]) -> list[Checked]:
    """Return the checked operations; corrections of one entry claim it together, as all of them leave it."""
    numbers_by_entry: dict[str, list[int]] = {}
    for number, (decision, claim) in enumerate(checked):
        if claim and decision.operation.act == "correct" and len(decision.operation.entries) == 1:
            numbers_by_entry.setdefault(decision.operation.entries[0], []).append(number)
    for name, numbers in numbers_by_entry.items():
        entry, pairs = batch.entry(name), [claim.pair for n in numbers if (claim := checked[n][1])]
        text = entry.text if entry else ""
        for number in numbers:
            text = checks.apply_correction(checked[number][0].operation, text)
        pair = Pair(" ".join(text.split()), " ".join(dict.fromkeys(pair.source for pair in pairs)))
        # One judgement for all: each correction alone would leave the other wrong words in the claim.
        for number in numbers if len(numbers) > 1 else ():
            decision, claim = checked[number]
            checked[number] = decision, replace(claim, pair=pair) if claim else None
    return checked


def _judge(batch: Batch, claims: list[Claim], ground: Ground, say: Say | None) -> Judged:
    if say is None or not claims:
        return Judged({})
    talk = (turn for turn in batch.turns if turn.by == "agent" or turn.may_cite)
    others = [*(text for turn in talk for text in sentences.texts(turn.text)), *(entry.text for entry in batch.entries)]
    about = f"The operator is {' or '.join(sorted(ground.speakers))}." if ground.speakers else ""
    return judge.judge(claims, others, say, batch.id, about, tuple(_list_said(batch)))


def _list_said(batch: Batch) -> Iterator[Said]:
    """Yield all words of the operator, in order; a brief turn with the agent's turn before it."""
    turns = sorted(batch.turns, key=find_place)
    for before, turn in zip((None, *turns), turns, strict=False):
        if text := fold_spaces(read_own(turn.text).replace("\0", " ")) if turn.may_cite else "":
            is_answer = before and before.session == turn.session and before.by == "agent"
            is_brief = is_answer and len(text.split()) <= _BRIEF_WORDS
            answered_text = fold_spaces(before.text)[:_MAX_ANSWERED_LETTERS] if before and is_brief else ""
            yield Said(turn.n, text, f' (to) the agent: "{answered_text}"' if answered_text else "")


def _settle_claim(decision: Decided, degree: Degree | None, *, reliable: bool) -> Decided:
    if not reliable:
        return replace(decision, state="waits", why=UNRELIABLE)
    if degree == "wholly":
        return decision
    if decision.operation.act == "conflict" and degree:
        return replace(decision, state="refused", why="judge: both can hold, or they are of different things")
    return replace(decision, state="refused" if degree == "not" else "waits", why=_REASONS.get(degree, UNJUDGED))


def _limit(decided: Iterable[Decided], batch: Batch, ground: Ground) -> Iterator[Decided]:
    """Yield decisions with their numbers: a repeated text is refused, one beyond a limit waits."""
    texts: list[str] = []
    removal_count, lines, free = 0, 0, batch.free
    for n, decision in enumerate(decided):
        result, operation = replace(decision, n=n), decision.operation
        if result.state == "refused" or result.same:
            yield result
            continue
        if operation.text and any(is_same_note(operation.text, text) for text in texts):
            yield replace(result, state="refused", why="another operation of this answer says so")
            continue
        texts += [operation.text] if operation.text else []
        lines += operation.act == "soul"
        removal_count += len(set(operation.entries)) if operation.act in checks.WITH_ENTRIES else 0
        if operation.act in checks.WITH_ENTRIES and removal_count > max(_MIN_TAKEN, len(ground.held) * _TAKEN_SHARE):
            yield replace(result, state="waits", why="a reading takes away at most 5 entries, or 5 % of them")
        elif operation.act == "soul" and lines > _MAX_SOUL_LINES:
            reason = f"a reading changes at most {_MAX_SOUL_LINES} lines of the identity"
            yield replace(result, state="waits", why=reason)
        elif operation.act == "add":
            # A line without room in the memory file goes to the file of its topic.
            free = None if free is None else free - len(operation.text) - _BULLET_CHARS
            is_full = free is not None and free < 0
            yield replace(result, aside=is_full or (operation.detail and not set(operation.turns) & set(batch.asked)))
        else:
            yield result
