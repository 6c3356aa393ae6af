"""Sentences that can stand as memories."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from clawgit.agents import explicit_requests
from clawgit.agents.validating import contradicting_words, roles, unclaimed
from clawgit.agents.validating.contradicting_words import Correction, Stored
from clawgit.agents.validating.matter import past_gloss, places, words
from clawgit.errors import Advice, memory_shape
from clawgit.language import logic, pattern_tables
from clawgit.messages.patterns import BUILT_IN, MINER
from clawgit.messages.triage import triage
from clawgit.text import document
from clawgit.text.entry import STATUS, Entry, entries, normalise, split_tags, without_comments

_pattern = partial(pattern_tables.pattern, Path(__file__).parent / "data/corrections.toml", "standalone_sentences")

_LONGEST = 240
_LEAST = 2


def plainly(sentence: str) -> str:
    """Return a sentence without the words that only ask to remember it: `Remember that`."""
    plain = explicit_requests.without_request(sentence)
    if plain != sentence:
        return plain[:1].upper() + plain[1:]
    match = next((one for one in triage(sentence, BUILT_IN).matches if one.route == MINER), None)
    if match is None or words(sentence[: match.start]):
        return sentence
    rest = sentence[_pattern("joins").match(sentence, match.end).end() :]  # type: ignore[union-attr]  # it matches nothing, too
    return rest[:1].upper() + rest[1:] if len(words(rest)) >= _LEAST else sentence


def tells(sentence: str) -> bool:
    """Tell whether a sentence of the operator's states something by itself, and is understood without others."""
    isos = logic.languages(sentence)
    return (
        len(sentence) <= _LONGEST
        and len(words(sentence)) >= 1
        and contradicting_words.bare(sentence) == sentence.strip()
        and not (logic.dangles(sentence, isos) or logic.leans(sentence, isos))
        and not (unclaimed.unsure(sentence) or contradicting_words.strongly(sentence))
    )


def others(sentence: str) -> bool:
    """Tell whether a sentence of the agent's can stand so too: it names neither of the two that talk."""
    persons = logic.finder(logic.phrases(logic.languages(sentence), "persons"))
    return tells(sentence) and states(sentence) and persons.search(sentence.lower()) is None


def states(sentence: str) -> bool:
    """Tell whether a sentence says what something is."""
    return _pattern("verb").search(sentence) is not None


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
    for said, true in both_sides(text):
        if correction := exchanged(entry, said, true):
            return correction
    return None


def both_sides(text: str) -> Iterator[tuple[str, str]]:
    """Yield what words call wrong, and what they call true, where they tell both."""
    plain = contradicting_words.spoken(text)
    for sides in (*roles.told(contradicting_words.bare(plain)), *roles.told(plain), *roles.phrased(plain)):
        yield sides.said, sides.true


def says_so(text: str, entry: Stored) -> tuple[str, str] | None:
    """Return both sides of what words tell, where a memory says the true one and not the wrong one, else None."""
    pairs = ((said, true) for said, true in both_sides(text) if said and true)
    return next(((a, b) for a, b in pairs if places(entry.text, b) and not places(entry.text, a)), None)


def exchanged(entry: Stored, said: str, true: str) -> Correction | None:
    """Return the correction of a memory in which `said` stands once, None elsewhere."""
    spans = places(entry.text, said) if said else []
    if len(spans) != 1:
        return None
    ((start, end),) = spans
    return Correction(entry.text[start:end], true, entry, replaced(entry.text, start, end, true))


TAG = "correction"


def amended(text: str, entry: Entry, said: str, true: str, statement: str, remark: str) -> str:
    """Return `text` with `entry` corrected in its place: its tag stays, `#correction` is the second, `remark` behind.

    With `said` "" the whole entry becomes `statement`. Every other byte stays. Raises ClawgitError where the entry
    could not be read as this `statement` afterwards.
    """
    rows = document.split(text)
    block = "".join(rows[entry.start - 1 : entry.end])
    body = document.content(block) if entry.start == entry.end else block.rstrip("\r\n")
    ending = block[len(body) :]
    plain = without_comments(body)
    comments = body[len(plain.rstrip()) :].strip()
    core, tag, status = split_tags(plain)
    new = _exchanged(core, said, true) if said else core.replace(entry.text, statement) if entry.text in core else ""
    states = [one for one in dict.fromkeys((*status, TAG)) if one in STATUS and one != "superseded"]  # it holds now
    tags = [f"#{one}" for one in (tag, *states) if one]
    line = " ".join(part for part in (new, *tags, comments, remark) if part)
    after = "".join((*rows[: entry.start - 1], line + ending, *rows[entry.end :]))
    if not new or not any(normalise(one.text) == normalise(statement) and TAG in one.status for one in entries(after)):
        raise memory_shape(
            f"line {entry.start} cannot be corrected in its place: {entry.text[:60]!r}",
            fix=Advice("edit it by hand, and say so: clawgit correct TEXT"),
        )
    return after


def _exchanged(core: str, said: str, true: str) -> str:
    """Return a line with its one `said` exchanged, "" where it stands there twice or not at all."""
    return core.replace(said, true) if core.count(said) == 1 else ""
