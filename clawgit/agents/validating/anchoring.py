"""Finds the memory that a pair of sides is about."""
# ruff: noqa: RUF001 -- punctuation of several scripts

import itertools
import re
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path

from msgspec import Struct

from clawgit.agents.validating import contradicting_words, standalone_sentences, unclaimed
from clawgit.agents.validating.contradicting_words import Candidate, Correction, Stored
from clawgit.agents.validating.matter import alike, equal, places, read, words
from clawgit.agents.validating.standalone_sentences import replaced
from clawgit.agents.validating.value_finder import Value, names, values
from clawgit.language import detect, pattern_tables, sentences
from clawgit.messages.triage import names_value

_pattern = partial(pattern_tables.pattern, Path(__file__).parent / "data/corrections.toml", "anchoring")

_ROOM = 2
"""Letters that a side may have beyond twice those of the other, in scripts without spaces: a longer one is a clause."""
_EDGE = re.compile(
    r"[,;:，、；：—–(](?!\d)\s*|\s-\s|\s(?:and|but|so|because|since we|und|aber|weil|denn|y|pero|porque|et|mais|car)\s",
    re.IGNORECASE,
)


def around(sentence: str, start: int, end: int) -> str:
    """Return the clause that characters `start` to `end` stand in; the whole sentence where that names nothing more."""
    edges = [match.span() for match in _EDGE.finditer(sentence)]
    first = max((stop for _, stop in edges if stop <= start), default=0)
    last = min((begin for begin, _ in edges if begin >= end), default=len(sentence))
    return sentence[first:last]


_FARTHEST = 60
"""Letters between two values of which one is offered instead of the other."""


def left_open(sentence: str, said: str, true: str) -> bool:
    """Tell whether `true` stands beside another value of its kind: `the 5th or the 6th`."""
    every, offered = _offered(sentence)
    if not offered:
        return False
    wrong = {one.canon for one in every if one.text == said}
    spots = places(sentence, true)
    return any(
        other.canon not in wrong and any(one.start < end and start < one.end for start, end in spots)
        for pair in offered
        for one, other in (pair, pair[::-1])
    )


@lru_cache(maxsize=8)
def _offered(sentence: str) -> tuple[Sequence[Value], Sequence[tuple[Value, Value]]]:
    """Return the values of a sentence, and the pairs of them of which one is offered instead of the other."""
    plain = values(sentence)
    every = sorted((*plain, *names(sentence, plain, opening=True)), key=lambda one: one.start)
    offered = []
    for at, one in enumerate(every):
        for other in itertools.islice(every, at + 1, None):
            if other.start - one.end > _FARTHEST:
                break
            if alike(one, other) and not equal(one, other) and _pattern("or").match(sentence[one.end : other.start]):
                offered.append((one, other))
    return every, offered


_VAGUE = frozenset(("weekday", "month", "time", "date", "money", "percent", "number"))
_WORDY = 4
_BRIEF = 100
"""Letters of a correction that may be a memory as it stands."""


class Scene(Struct, frozen=True):
    """What a message is read in: what the agent stated last and before, what was talked about, what is remembered.

    `own` is what the operator said before, the newest first; `mine` is what of the message is no quotation.
    """

    text: str
    agent: str
    talk: str
    stored: Sequence[Stored]
    earlier: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    mine: str = ""


def anchored(said: str, true: str, scene: Scene, sentence: str) -> Correction | Candidate:
    """Return the correction of the one memory that says `said` of the matter, or of what the agent said."""
    one, two = read(said), read(true)
    reason = _unlike(one, two, true) or ("it is left open" if left_open(sentence, said, true) else "")
    if reason := reason or ("" if names_value(said) and names_value(true) else "one side is no value"):
        return Candidate(reason, said, true)
    if any(_both(text, said, true) for text in (scene.agent, *(entry.text for entry in scene.stored))):
        return Candidate("both sides were said already", said, true)
    vague = bool(one and one.kind.partition(" ")[0] in _VAGUE)
    own = () if places(scene.agent, true) else scene.own  # else the agent has it right already
    heard = any(places(text, said) for text in (scene.agent, *scene.earlier, *own))
    subject = answered(said, true, scene, sentence)
    right = [entry for entry in scene.stored if places(entry.text, true)]
    wrong = [entry for entry in scene.stored if places(entry.text, said)]
    closer = wrong and not set(best_of([*right, *wrong], scene, sentence, said, true)) & set(right)
    if heard and right and not closer:
        best = best_of(right, scene, sentence, said, true) or (right if len(right) == 1 and not vague else [])
        if len(best) == 1:
            return Correction(said, true, None, "", subject)
    if wrong:
        return _of(wrong, said, true, scene, sentence, vague=vague)
    plainly = len(said) >= _WORDY and any(places(text, said) for text in (scene.agent, *own))
    if heard and ((one and two) or plainly or _stand_alike(said, true)):
        return Correction(
            said, true, None, _whole(subject, said, true, scene, sentence) or _full(sentence, said, true), subject
        )
    return Candidate("nothing that was said or stored says so", said, true)


def _stand_alike(said: str, true: str) -> bool:
    """Tell whether one side may stand in the other's place: in scripts without spaces, where none is a whole clause."""
    clause = detect.eastern(said) and len(true) > 2 * len(said) + _ROOM
    return not (said.isascii() or true.isascii() or clause)


def _both(text: str, said: str, true: str) -> bool:
    """Tell whether a text names the two sides beside each other."""
    one, two = places(text, said), places(text, true)
    return bool(one and two) and not any(a < d and c < b for a, b in one for c, d in two)


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
    if not best and len(wrong) == 1 and not vague and _distinct(wrong[0].text, said, scene):
        best = list(wrong)
    if len(best) != 1:
        reason = "several memories fit" if best else "no memory speaks of the same for certain"
        return Candidate(reason, said, true, tuple(best or wrong))
    spans = places(best[0].text, said)
    if len(spans) > 1:
        return Candidate("the memory says it twice", said, true, (best[0],))
    if re.search(r"\d[ -]$", best[0].text[: spans[0][0]]) and not said[:1].isdigit():
        return Candidate("the memory names more than that", said, true, (best[0],))
    (start, end) = spans[0]
    text = best[0].text
    if reason := doubtful(sentence, true, best[0]):
        return Candidate(reason, said, true, (best[0],))
    return Correction(text[start:end], true, best[0], replaced(text, start, end, true))


def _distinct(text: str, said: str, scene: Scene) -> bool:
    """Tell whether a side is no everyday word: a name, or what the agent just said."""
    (start, end), *_ = places(text, said)
    return (
        text[start:end] != text[start:end].lower()
        or not said.isascii()
        or " " in said
        or bool(places(scene.agent, said))
    )


def doubtful(sentence: str, true: str, entry: Stored) -> str:
    """Return why a sentence may not hold for what the memory speaks of, "" where nothing says so."""
    (start, end), *_ = [*places(sentence, true), (0, len(sentence))]
    part = around(sentence, start, end)
    if unclaimed.once(sentence) or (unclaimed.passing(part, entry.text) and unclaimed.lasting(entry.text)):
        return "it may hold this once only"
    if unclaimed.past(sentence) and not unclaimed.past(entry.text):
        return "it may have been so only once"
    return "it may be about somebody else" if unclaimed.elsewhere(part.replace(true, " "), entry.text) else ""


def best_of(some: Sequence[Stored], scene: Scene, sentence: str, said: str, true: str) -> list[Stored]:
    """Return the memories that share most of the matter: with the sentence, else with what was talked about."""
    without = (said, true)
    texts = (sentence, scene.text, _near(scene.agent, said), scene.agent, scene.talk)
    grounds = [words(one, without) for one in texts]
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
    return " ".join(one for one in sentences.texts(agent) if places(one, said))


def answered(said: str, true: str, scene: Scene, sentence: str) -> str:
    """Return the whole sentence that says `said` and is corrected, "" where there is none, or it may be another one.

    Best is one that can stand as a memory: the operator's own. Of several that which shares most of the matter counts.
    """
    own = [
        standalone_sentences.plainly(one) for text in scene.own for one in sentences.texts(text) if places(one, said)
    ]
    told = [one for text in (scene.agent, *scene.earlier) for one in sentences.texts(text) if places(one, said)]
    mine = words(contradicting_words.bare(sentence), (said, true))
    about = mine or words(next(iter(told), ""), (said,))
    whole = [one for one in own if standalone_sentences.tells(one)]
    for some in (whole, [one for one in told if standalone_sentences.others(one)], told, own):
        best = max(some, key=lambda one: len(about & words(one, (said,))), default="")
        if best and (not about or about & words(best, (said,))):
            return best
    every = dict.fromkeys((*whole, *told, *own))
    return next(iter(every), "") if len(every) == 1 or not mine else ""


def _whole(subject: str, said: str, true: str, scene: Scene, sentence: str) -> str:
    """Return a sentence with what is true in it, "" where it would not stand alone: the operator's, or plain fact."""
    spots = places(subject, said)
    own = [one for text in scene.own for one in sentences.texts(text) if standalone_sentences.plainly(one) == subject]
    shared = words(contradicting_words.bare(sentence), (said, true)) & words(subject)
    meant = shared or standalone_sentences.states(subject) or any(one != subject for one in own)
    stands = standalone_sentences.tells(subject) and meant if own else standalone_sentences.others(subject)
    return replaced(subject, *spots[0], true) if stands and len(spots) == 1 else ""


def _full(sentence: str, said: str, true: str) -> str:
    """Return what the operator stated, where it is a whole sentence that needs no other."""
    plain = contradicting_words.bare(sentence)
    whole = standalone_sentences.tells(plain) and standalone_sentences.states(plain) and words(plain, (said, true))
    if not whole or unclaimed.passing(plain) or places(plain, said) or len(plain) > _BRIEF:
        return ""
    return plain[:1].upper() + plain[1:]
