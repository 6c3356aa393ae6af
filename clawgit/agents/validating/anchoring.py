"""Finds the memory that a pair of sides is about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clawgit.agents.validating import cues, roles
from clawgit.agents.validating.matter import alike, equal, places, read, words
from clawgit.agents.validating.outcome import Candidate, Correction, Stored
from clawgit.agents.validating.values import Value

_VAGUE = frozenset(("weekday", "month", "time", "date", "money", "percent", "number"))
_CHANGED = re.compile(
    r"\b(?:is|are|was|it's|that's|my|moved|changed|switched|now|ist|sind|heißt|es|son|est|sont|c'est|s'appelle)\b|[是在叫改换은는이가は]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Scene:
    """What a message is read in: what the agent said last, what was talked about, what is remembered."""

    text: str
    agent: str
    talk: str
    stored: Sequence[Stored]


def anchored(said: str, true: str, scene: Scene, sentence: str) -> Correction | Candidate:
    """Return the correction of the one memory that says `said` of the matter, or of what the agent said."""
    one, two = read(said), read(true)
    if reason := _unlike(one, two, true):
        return Candidate(reason, said, true)
    vague = bool(one and one.kind.partition(" ")[0] in _VAGUE)
    heard = bool(places(scene.agent, said) or places(scene.talk, said))
    right = [entry for entry in scene.stored if places(entry.text, true)]
    if heard and right:
        best = best_of(right, scene, sentence, said, true) or (right if len(right) == 1 and not vague else [])
        if len(best) == 1 and places(scene.agent, said):
            return Correction(said, true, None, "")
    wrong = [entry for entry in scene.stored if places(entry.text, said)]
    if wrong:
        return _of(wrong, said, true, scene, sentence, vague=vague)
    if heard and ((one and two) or not (said.isascii() or true.isascii())):
        return Correction(said, true, None, _full(sentence, said, true))
    return Candidate("nothing that was said or stored says so", said, true)


def _unlike(one: Value | None, two: Value | None, true: str) -> str:
    """Return why two sides are no pair, "" where they may be one."""
    unlike = "the two sides are of different kinds"
    if one and not two:
        return unlike if one.kind != "name" or true.casefold().startswith(("the ", "a ", "an ")) else ""
    if one and two and alike(one, two):
        return "both sides say the same" if equal(one, two) else ""
    return unlike if one and two and "name" not in (one.kind, two.kind) else ""


def _of(
    wrong: Sequence[Stored], said: str, true: str, scene: Scene, sentence: str, *, vague: bool
) -> Correction | Candidate:
    best = best_of(wrong, scene, sentence, said, true)
    if not best and len(wrong) == 1 and not vague:
        best = list(wrong)
    if len(best) != 1:
        reason = "several memories fit" if best else "no memory speaks of the same for certain"
        return Candidate(reason, said, true, tuple(best or wrong))
    spans = places(best[0].text, said)
    if len(spans) > 1:
        return Candidate("the memory says it twice", said, true, (best[0],))
    if places(best[0].text, true) and not places(said, true) and not places(true, said):
        return Candidate("the memory says both already", said, true, (best[0],))
    if re.search(r"\d[ -]$", best[0].text[: spans[0][0]]) and not said[:1].isdigit():
        return Candidate("the memory names more than that", said, true, (best[0],))
    (start, end) = spans[0]
    text = best[0].text
    return Correction(text[start:end], true, best[0], replaced(text, start, end, true))


def replaced(text: str, start: int, end: int, true: str) -> str:
    """Return a statement with its wrong value exchanged, and nothing else."""
    before, after = text[:start], text[end:]
    word, _, rest = true.partition(" ")
    if rest and before.casefold().rstrip().endswith(f" {word.casefold()}"):
        true = rest
    head, _, last = true.rpartition(" ")
    if head and re.match(rf" {re.escape(last)}(?!\w)", after, re.IGNORECASE):
        true = head
    if start == 0 and text[:1].isupper():
        true = true[:1].upper() + true[1:]
    return f"{before}{true}{after}"


def best_of(
    some: Sequence[Stored], scene: Scene, sentence: str, said: str, true: str, *, talk: bool = True
) -> list[Stored]:
    """Return the memories that share most of the matter: with the sentence, else with what was talked about."""
    without = (said, true)
    grounds = [words(sentence, without), words(scene.text, without)]
    if talk:
        grounds += [words(_near(scene.agent, said), without), words(scene.agent, without), words(scene.talk, without)]
    left = list(some)
    marked = False
    for ground in grounds:
        scores = {one.id: len(ground & words(one.text, without)) for one in left}
        most = max(scores.values(), default=0)
        if most:
            left, marked = [one for one in left if scores[one.id] == most], True
        if marked and len(left) == 1:
            break
    return left if marked else []


def _near(agent: str, said: str) -> str:
    return " ".join(one for one in cues.sentences(agent) if places(one, said))


def _full(sentence: str, said: str, true: str) -> str:
    """Return what the operator stated, where it is a whole sentence that needs no other."""
    plain = cues.bare(sentence)
    if places(plain, said) or not words(plain, (said, true)) or not _CHANGED.search(plain):
        return ""
    if re.match(r"(?:it|that|this|he|she|they|es|das|c|ce|that's|it's|那|这|それ|그건)\b", plain, re.IGNORECASE):
        return ""
    return plain[:1].upper() + plain[1:]


def within(text: str, entry: Stored) -> Correction | None:
    """Return the correction of a memory that is known to be meant, by words that tell both sides; None without them."""
    plain = cues.spoken(text)
    for sides in (*roles.told(cues.bare(plain)), *roles.told(plain)):
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
