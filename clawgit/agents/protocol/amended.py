"""What stands against a claim, or says it already."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from clawgit.agents.protocol.batch import Batch, Rule
from clawgit.agents.protocol.checked import Fault, Ground, Held
from clawgit.agents.protocol.operations import Operation
from clawgit.language import detect, logic
from clawgit.language.own_words import straight
from clawgit.text.evidence import quote_hash
from clawgit.text.sameness.known import Known
from clawgit.text.sameness.relation import compare


def overruled(text: str, batch: Batch, ground: Ground, isos: tuple[str, ...]) -> Fault | None:
    """Return the correction that a text goes against, None for none."""
    for rule in batch.corrections:
        if _against(text, rule, ground.held, isos):
            return Fault(f"the operator corrected that: not '{rule.wrong}' but '{rule.right}' (correction {rule.id})")
    return None


def _against(text: str, rule: Rule, held: Mapping[str, Held], isos: tuple[str, ...]) -> bool:
    if not rule.wrong.strip() or stands(rule.right, text):
        return False
    if compare(text, rule.wrong).relation == "same":
        return True
    if not stands(rule.wrong, text):
        return False
    about = held[rule.about].text if rule.about in held else rule.about
    wrong = logic.content(rule.wrong, isos)
    subject = logic.content(f"{about} {rule.quote}", isos) - wrong - logic.content(rule.right, isos)
    return bool(subject & logic.content(text, isos)) or (not subject and len(wrong) > 1)


def stands(said: str, text: str) -> bool:
    """Tell whether words stand in a text, whatever the case of their letters, the blanks between them and its end."""
    words = straight(said).lower().rstrip(" .\u3002").split()
    if not words:
        return False
    source = r"\s+".join(map(re.escape, words))
    if not detect.eastern(said):
        source = rf"(?<!\w){source}(?!\w)"
    return re.search(source, straight(text).lower()) is not None


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
    if not wrong or not right:
        return Fault("a correction names what is wrong and what is right")
    if stands(right, wrong) and stands(wrong, right):
        return Fault("wrong and right are the same")
    if entries:
        if not all(stands(wrong, one.text) for one in entries):
            return Fault(f"'{wrong}' does not stand in the entry: copy the wrong words as they stand")
    elif not any(stands(wrong, one.text) for one in batch.turns if one.by == "agent"):
        return Fault(f"'{wrong}' is neither in an entry named nor in a turn of the agent's")
    if not stands(right, said) and not logic.content(right, logic.languages(said, right)):
        return Fault(f"'{right}' is not what the operator says")
    return None
