"""What stands against a claim, or says it already."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from clawgit.agents import standing_corrections
from clawgit.agents.protocol import nothing_invented
from clawgit.agents.protocol.batch import Batch, Turn
from clawgit.agents.protocol.check_result import Checked, Fault, Held
from clawgit.agents.protocol.nothing_invented import Source
from clawgit.agents.protocol.operations import Operation
from clawgit.agents.standing_corrections import Rule
from clawgit.language import detect, logic, sentences
from clawgit.language.own_words import straight
from clawgit.text.evidence_pointer import quote_hash
from clawgit.text.sameness.note_comparison import compare
from clawgit.text.sameness.note_reading import Known

_NEW = ("add", "replace", "merge", "lesson", "soul")
_WORDY = rf"[^\W{detect.DENSE}{detect.HANGUL}]"
"""A letter or digit that goes on a word: no letter of East Asia, as in `28\u65e5`."""


def overruled(text: str, batch: Batch) -> Fault | None:
    """Return the correction that a text goes against, None for none."""
    known = tuple(Rule(one.id, one.about, one.wrong, one.right) for one in batch.corrections)
    found = standing_corrections.ruling(text, known)
    if found is None:
        return None
    rule = found.rule
    return Fault(f"the operator corrected that: not '{rule.wrong}' but '{rule.right}' (correction {rule.id})")


def rule(one: Checked, batch: Batch) -> Rule | None:
    """Return what a correction that lands rules, None for what is none."""
    operation = one.operation
    if one.state != "fits" or operation.act != "correct":
        return None
    entries = [known.text for known in batch.entries if known.id in operation.entries]
    subject = next(iter(entries), standing_corrections.refuted(operation.text, operation.wrong, operation.right))
    return Rule("", subject, operation.wrong, operation.right) if subject else None


def anchored(operation: Operation, batch: Batch) -> Operation:
    """Return a correction with the entry that it goes against, if it names none and its line tells of just one."""
    if operation.act != "correct" or operation.entries:
        return operation
    subject = standing_corrections.refuted(operation.text, operation.wrong, operation.right)
    known = [Rule("", subject, operation.wrong, operation.right)] if subject else []
    found = [entry.id for entry in batch.entries if known and standing_corrections.ruling(entry.text, known)]
    return replace(operation, entries=(found[0],)) if len(found) == 1 else operation


def corrected_beside(one: Checked, rules: Sequence[Rule]) -> Checked:
    """Return what is said of a new line; refused where a correction in the same answer says otherwise."""
    found = one.state == "fits" and one.operation.act in _NEW and standing_corrections.ruling(one.operation.text, rules)
    if not found:
        return one
    why = f"this answer corrects it: not '{found.rule.wrong}' but '{found.rule.right}'"
    return replace(one, state="refused", why=why)


def stands(said: str, text: str) -> bool:
    """Return whether words stand in a text, whatever the case of their letters, the blanks between them and its end."""
    found = _finder(said)
    return found is not None and found.search(straight(text)) is not None


@lru_cache(maxsize=256)
def _finder(said: str) -> "re.Pattern[str] | None":
    words = straight(said).rstrip(" .\u3002").split()
    if not words:
        return None
    source = r"\s+".join(map(re.escape, words))
    if not detect.eastern(said):
        source = rf"(?<!{_WORDY}){source}(?!{_WORDY})"
    return re.compile(source, re.IGNORECASE)


def answered(operation: Operation, batch: Batch) -> tuple[Turn | None, str]:
    """Return the whole sentence that a correction without an entry answers: the agent's, or the operator's own before.

    That of the turn that it names counts, else the newest of the same talk, then of others, None and "" where none says
    what is wrong. What was said in other talks is not looked at where the operator himself names both sides: the same
    word may mean anything there.
    """
    return next((one for one in _saying_wrong(operation, batch) if one[0].by != "other"), (None, ""))


def in_own_words(operation: Operation, batch: Batch, direct: Collection[str]) -> Operation:
    """Return a correction as the line that is true where others had it wrong, or the agent did before them.

    A record would hold their sentence, and no memory has it.
    """
    if operation.act != "correct" or operation.entries or not operation.text:
        return operation
    turn = next((turn for turn, _ in _saying_wrong(operation, batch)), None)
    if turn is None or turn.by == "operator" or (turn.by == "agent" and turn.session in direct):
        return operation
    return replace(operation, act="add", tag=operation.tag or "knowledge", wrong="", right="", context=None)


def _saying_wrong(operation: Operation, batch: Batch) -> Iterator[tuple[Turn, str]]:
    """Yield the sentences that say what is wrong, with their turns; what others said in the same talk alone."""
    last = batch.turn(max(operation.turns, default=0))
    if last is None:
        return
    earlier = [one for one in batch.turns if one.by != "tool" and _is_before(one, last)]
    cited = {one.n for one in earlier if one.n in operation.turns and stands(operation.right, one.text)}
    earlier = [one for one in earlier if one.n not in cited]  # a turn that corrects is not what is corrected
    named = [one for one in earlier if one.n == operation.context and stands(operation.wrong, one.text)]
    near = [one for one in earlier if one.session == last.session]
    far = [] if stands(operation.wrong, last.text) else [one for one in earlier if one.session != last.session]
    far = [one for one in far if one.by != "other"]
    for turn in (*named, *reversed(near), *reversed(far)):
        yield from ((turn, text) for text in sentences.texts(turn.text) if stands(operation.wrong, text))


def _is_before(one: Turn, last: Turn) -> bool:
    """Return whether a turn was said before another, whatever their places."""
    return (one.time, one.n) < (last.time, last.n) if one.time and last.time else one.n < last.n


def mended(operation: Operation, text: str) -> str:
    """Return an entry as a correction leaves it: its wrong words replaced, else the line that the reader wrote."""
    here = places(operation.wrong, text)
    if not here:
        return operation.text or text
    for start, end in reversed(here):
        right = operation.right
        if text[start].isupper() and right.islower():
            right = right[:1].upper() + right[1:]  # as the word had it whose place it takes
        text = text[:start] + right + text[end:]
    return text


def places(said: str, text: str) -> list[tuple[int, int]]:
    """Return where words stand in a text, as `stands` finds them; as they are written where that is in it."""
    if said and said in text:
        return [one.span() for one in re.finditer(re.escape(said), text)]
    found = _finder(said)
    return [one.span() for one in found.finditer(straight(text))] if found else []


def known(text: str, held: Iterable[Held]) -> str:
    """Return the id of the entry that says the same: the same words, or the same numbers, dates, names and denials."""
    entries = tuple(held)
    mine = quote_hash(text)
    if same := next((entry.id for entry in entries if quote_hash(entry.text) == mine), ""):
        return same
    near = (entries[at] for at in _index(entries).near(text))
    return next((one.id for one in near if compare(text, one.text).relation == "same"), "")


@lru_cache(maxsize=4)
def _index(entries: tuple[Held, ...]) -> Known[int]:
    found: Known[int] = Known()
    for at, one in enumerate(entries):
        found.add(at, one.text)
    return found


def correction(operation: Operation, batch: Batch, entries: tuple[Held, ...], said: str) -> Fault | None:
    """Return what is wrong with a correction: `wrong` is a memory's or the agent's word, `right` the operator's."""
    wrong, right = operation.wrong, operation.right
    if not wrong or not right or (stands(right, wrong) and stands(wrong, right)):
        return Fault("a correction names what is wrong and what is right, and these are not the same")
    done = any((one.wrong.lower(), one.right.lower()) == (wrong.lower(), right.lower()) for one in batch.corrections)
    return Fault("it is corrected already") if done else _sides(operation, batch, entries, said)


def _sides(operation: Operation, batch: Batch, entries: tuple[Held, ...], said: str) -> Fault | None:
    """Return why a side of a correction is not where it should be, None where both are."""
    wrong, right = operation.wrong, operation.right
    if entries:
        if not all(stands(wrong, entry.text) for entry in entries):
            return Fault(f"'{wrong}' does not stand in the entry: copy the wrong words as they stand")
    elif not stands(wrong, said) and not answered(operation, batch)[1]:
        return Fault(f"'{wrong}' is neither in an entry named nor in an earlier turn")
    if operation.text and not entries and not _shares(operation.text, right):
        return Fault(f"'{right}' does not stand in '{operation.text}': write the line that is true")
    return None if _shares(said, right) else Fault(f"'{right}' is not what the operator says")


def _shares(text: str, right: str) -> bool:
    """Return whether a text has the right side of a correction, or a word or number of it."""
    isos = logic.languages(text, right)
    counted = any(map(str.isdigit, right)) and not nothing_invented.missing(right, (Source(text),), isos)
    return counted or stands(right, text) or bool(logic.content(right, isos) & logic.content(text, isos))
