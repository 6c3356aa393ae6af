"""Puts the true value in place of the wrong one."""

import re

from clawgit.agents.validating import openers, roles, speech
from clawgit.agents.validating.matter import past_gloss, places
from clawgit.agents.validating.outcome import Correction, Stored


def replaced(text: str, start: int, end: int, true: str) -> str:
    """Return a statement with its wrong value exchanged, with the date that glosses it, and nothing else."""
    before, after = text[:start], text[past_gloss(text, end) :]
    word, _, rest = true.partition(" ")
    if rest and before.casefold().rstrip().endswith(f" {word.casefold()}"):
        true = rest
    head, _, last = true.rpartition(" ")
    if head and re.match(rf" {re.escape(last)}(?!\w)", after, re.IGNORECASE):
        true = head
    if not true.isascii():
        tail = next((at for at in range(1, len(true)) if len(true) - at > 1 and after.startswith(true[at:])), 0)
        true = true[:tail] if tail else true
    if start == 0 and text[:1].isupper():
        true = true[:1].upper() + true[1:]
    return f"{before}{true}{after}"


def differing_words(before: str, after: str) -> tuple[str, str]:
    """Return the shortest run of whole words in which two sentences differ, of each."""
    one, two = re.findall(r"\s*\S+", before), re.findall(r"\s*\S+", after)
    start = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    rest = zip(reversed(one[start:]), reversed(two[start:]), strict=False)
    end = next((at for at, (a, b) in enumerate(rest) if a != b), min(len(one), len(two)) - start)
    ours, theirs = one[start : len(one) - end], two[start : len(two) - end]
    return "".join(ours).strip(), "".join(theirs).strip()


def within(text: str, entry: Stored) -> Correction | None:
    """Return the correction of a memory that is known to be meant, by words that tell both sides; None without them."""
    plain = speech.spoken(text)
    for sides in (*roles.told(openers.bare(plain)), *roles.told(plain)):
        if correction := exchanged(entry, sides.said, sides.true):
            return correction
    return None


def exchanged(entry: Stored, said: str, true: str) -> Correction | None:
    """Return the correction of a memory in which `said` stands once, None elsewhere."""
    spans = places(entry.text, said) if said else []
    if len(spans) != 1:
        return None
    ((start, end),) = spans
    return Correction(entry.text[start:end], true, entry, replaced(entry.text, start, end, true))
