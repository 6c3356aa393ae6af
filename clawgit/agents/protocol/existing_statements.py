"""What stands against a claim, or says it already."""

import re
from collections.abc import Iterable
from functools import lru_cache

from clawgit.agents import standing_corrections
from clawgit.agents.protocol.batch import Batch
from clawgit.agents.protocol.check_result import Fault, Held
from clawgit.agents.protocol.operations import Operation
from clawgit.language import detect, logic, sentences
from clawgit.language.own_words import straight
from clawgit.text.evidence_pointer import quote_hash
from clawgit.text.sameness.note_reading import Known
from clawgit.text.sameness.relation import compare


def overruled(text: str, batch: Batch) -> Fault | None:
    """Return the correction that a text goes against, None for none."""
    known = tuple(standing_corrections.Rule(one.id, one.about, one.wrong, one.right) for one in batch.corrections)
    found = standing_corrections.ruling(text, known)
    if found is None:
        return None
    rule = found.rule
    return Fault(f"the operator corrected that: not '{rule.wrong}' but '{rule.right}' (correction {rule.id})")


def stands(said: str, text: str) -> bool:
    """Tell whether words stand in a text, whatever the case of their letters, the blanks between them and its end."""
    words = straight(said).lower().rstrip(" .\u3002").split()
    if not words:
        return False
    source = r"\s+".join(map(re.escape, words))
    if not detect.eastern(said):
        source = rf"(?<!\w){source}(?!\w)"
    return re.search(source, straight(text).lower()) is not None


def answered(operation: Operation, batch: Batch) -> str:
    """Return the whole sentence that a correction without an entry answers: the agent's, or the operator's own before.

    The newest counts, "" where none says what is wrong.
    """
    first = max(operation.turns, default=0)
    earlier = [one for one in batch.turns if one.by == "agent" or (one.by == "operator" and one.n < first)]
    every = (one for turn in reversed(earlier) for one in sentences.texts(turn.text))
    return next((one for one in every if stands(operation.wrong, one)), "")


def known(text: str, held: Iterable[Held]) -> str:
    """Return the id of the entry that says the same: the same words, or the same numbers, dates, names and denials."""
    entries = tuple(held)
    mine = quote_hash(text)
    if same := next((one.id for one in entries if quote_hash(one.text) == mine), ""):
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
    if entries:
        if not all(stands(wrong, one.text) for one in entries):
            return Fault(f"'{wrong}' does not stand in the entry: copy the wrong words as they stand")
    elif not answered(operation, batch):
        return Fault(f"'{wrong}' is neither in an entry named nor in an earlier turn")
    if not entries and operation.text and (stands(wrong, operation.text) or not stands(right, operation.text)):
        return Fault(f"'{operation.text}' is not the line with '{right}' in the place of '{wrong}'")
    if not stands(right, said) and not logic.content(right, logic.languages(said, right)):
        return Fault(f"'{right}' is not what the operator says")
    return None
