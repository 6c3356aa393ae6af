"""Tells when a claim reverses its quote, or its condition."""

import re
from collections.abc import Iterator, Sequence

from clawgit.agents.protocol import facts
from clawgit.language import detect, lexicon, logic, tense
from clawgit.language.logic import Part

_ASKS = frozenset("?\uff1f")
_FIRST = 2
"""Words behind a denial that it governs."""
_COMMON = 2
"""Words that parts of longer claims have in common at least: a name alone says nothing that could be denied."""
_DOUBT = 2
"""Words of a part that may be a doubt: `Maybe`, `not sure`."""


def denied(claim: str, quotes: Sequence[str], isos: tuple[str, ...]) -> str:
    """Return the part of a claim that a quote says the other way round, "" for none.

    Only what is said in the same words is compared: whether other words mean the reverse is a question of support.
    """
    said = [one for quote in quotes for one in logic.parts(quote, isos) if not one.conditional]
    parts = list(_finer(claim, isos))
    limited = any(one.conditional for quote in quotes for one in logic.parts(quote, isos))
    exclusive = limited and any(one.conditional for one in logic.parts(claim, isos))
    for part in parts:
        if exclusive and logic.finder(logic.phrases(isos, "only")).search(part):
            continue  # `only if urgent` for `not unless urgent`
        for other in _nearest(part, said, isos):
            if _reversed(part, other.text, isos, whole=len(parts) == 1):
                return part
    return ""


def _finer(claim: str, isos: tuple[str, ...]) -> Iterator[str]:
    """Yield the parts of a claim, also where `and` joins two; what a denial before it may reach is left out."""
    joins = tuple(word for word in logic.words(isos, "joins"))
    for part in logic.parts(claim, isos):
        if part.conditional:
            continue
        denies = bool(logic.denials(part.text, isos))
        for one in logic.finder(joins).split(part.text):
            if one.strip() and bool(logic.denials(one, isos)) == denies:
                yield one.strip()


def _nearest(part: str, said: Sequence[Part], isos: tuple[str, ...]) -> list[Part]:
    """Return the parts of the quotes that have most words of a part; those that agree with it first."""
    mine = logic.content(part, isos)
    shared = [len(mine & logic.content(one.text, isos)) for one in said]
    most = max(shared, default=0)
    if not most:
        return []
    best = [one for one, count in zip(said, shared, strict=True) if count == most]
    denies = bool(logic.denials(part, isos))
    return [] if any(bool(logic.denials(one.text, isos)) == denies for one in best) else best


def _reversed(one: str, other: str, isos: tuple[str, ...], *, whole: bool) -> bool:
    """Tell whether two parts say the same but for a denial; one word in common is enough for a `whole` claim."""
    if bool(logic.denials(one, isos)) == bool(logic.denials(other, isos)):
        return False
    denying, plain = (one, other) if logic.denials(one, isos) else (other, one)
    mine, theirs = told(denying, isos), logic.content(plain, isos)
    shared = mine & theirs
    if not shared:
        return False
    if detect.eastern(denying):
        return (whole or len(shared) >= _COMMON) and 2 * len(shared) >= min(len(mine), len(theirs))
    if _noun(denying, isos) & theirs:
        return True
    governed = set(_governed(denying, isos))
    if not whole and len(shared) < _COMMON:
        return False
    return 2 * len(shared) > min(len(mine), len(theirs)) and bool(governed & theirs or not governed)


def refuses(quote: str, isos: tuple[str, ...]) -> bool:
    """Tell whether an answer begins with a plain no."""
    first = logic.parts(quote, isos)[:1]
    return bool(first and logic.denials(first[0].text, isos)) and len(told(first[0].text, isos)) <= 1


def told(text: str, isos: tuple[str, ...]) -> frozenset[str]:
    """Return the content of a part without what denies it."""
    spans = logic.denials(text, isos)
    plain = text
    for start, end in spans:
        plain = plain[:start] + " " * (end - start) + plain[end:]
    return logic.content(plain, isos)


def _governed(text: str, isos: tuple[str, ...]) -> Iterator[str]:
    """Yield the first words behind a denial; the last before it where none is behind, as in German."""
    start, end = logic.denials(text, isos)[0]
    for side in (text[end:].split(), text[:start].split()[::-1]):
        found = [stem for word in side for stem in logic.content(word, isos)]
        if found:
            yield from found[:_FIRST]
            return


def _noun(text: str, isos: tuple[str, ...]) -> frozenset[str]:
    """Return what stands right behind a word that denies a thing, as `kein`."""
    said = tuple(logic.words(isos, "none"))
    found: frozenset[str] = frozenset()
    for one in logic.finder(said).finditer(text) if said else ():
        words = re.findall(r"[^\W\d_]+", text[one.end() :])
        known = {word for iso in isos for word in lexicon.words(iso, "detect", "words")}
        thing = next((word for word in words if word.lower() not in known), "")
        found |= logic.content(thing, isos)
    return found


# ---- conditions


def uncovered(claim: str, quotes: Sequence[str], isos: tuple[str, ...]) -> str:
    """Return the condition of the quotes that a claim leaves out though it says what holds under it, "" for none."""
    mine = logic.content(claim, isos)
    own = any(one.conditional for one in logic.parts(claim, isos))
    cases: list[tuple[int, Part]] = []
    free = -1
    for quote in quotes:
        past = tense.past(quote, isos) is True
        parts = logic.parts(quote, isos, past=past)
        bound = _bound(parts)
        for at, part in enumerate(parts):
            told = len(mine & logic.content(part.text, isos))
            if at in bound:
                cases += [(told, parts[case]) for case in bound[at]]
            elif not part.conditional:
                free = max(free, told)
    for told, case in cases:
        if (told > max(free, 0) or (free < 0 and not own)) and not _keeps(claim, case, isos, own=own):
            return case.text
    return ""


def _keeps(claim: str, case: Part, isos: tuple[str, ...], *, own: bool) -> bool:
    """Tell whether a claim says a condition, in a word for one or in half of its words."""
    theirs = logic.content(case.text, isos)
    if values := _values(case.text, isos):
        told = frozenset(value for some in _values(claim, isos) for value in some)
        if all(some & told for some in values):
            return True
    return own or not theirs or 2 * len(theirs & logic.content(claim, isos)) >= len(theirs)


def _values(text: str, isos: tuple[str, ...]) -> list[frozenset[object]]:
    """Return the numbers, times and days that a text names, each in all that it may mean."""
    found = facts.read(text, isos)
    amounts = [frozenset[object](one.values) for one in found.amounts]
    clocks = [frozenset[object]({(one.hour % 12, one.minute)}) for one in found.clocks]
    days = [frozenset[object]({("day", one.month, one.day, one.weekday)}) for one in found.mentions if one.sure]
    return amounts + clocks + days


def _told_in(part: Part, sentence: int) -> bool:
    return not part.conditional and part.sentence == sentence


def _bound(parts: Sequence[Part]) -> dict[int, list[int]]:
    """Return which parts of a sentence hold only in which case, by their numbers."""
    found: dict[int, list[int]] = {}
    for at, case in enumerate(parts):
        if not case.conditional:
            continue
        following = [one for one in range(at + 1, len(parts)) if _told_in(parts[one], case.sentence)]
        ahead = case.first or case.joined or not any(not one.conditional for one in parts[:at])
        if ahead and following:  # if X, Y
            for number in following:
                found.setdefault(number, []).append(at)
            continue
        for number in range(at - 1, -1, -1):  # Y, unless X; Y. Unless X
            if not parts[number].conditional:
                found.setdefault(number, []).append(at)
            if parts[number].joined or (parts[number].first and number != at):
                break
    return found


# ---- where no reader judges


def unlike(claim: str, quotes: Sequence[str], isos: tuple[str, ...]) -> str:
    """Return why the words of the quotes do not carry a claim by themselves, "" where they do.

    Every word of the claim stands in them, and what it takes from them it takes whole: nothing of a part that it goes
    back to is left out, neither a denial nor a condition nor a doubt.
    """
    mine = logic.content(claim, isos)
    known = frozenset(stem for quote in quotes for stem in logic.content(quote, isos))
    if fresh := sorted(mine - known):
        return f"'{fresh[0]}' is no word of the operator's here: a reader has to judge it"
    said = [one for quote in quotes for one in logic.parts(quote, isos)]
    words = {one: logic.content(one.text, isos) for one in said}
    used = [one for one in said if mine & words[one] or len(words[one]) <= _DOUBT]
    if lost := sorted({stem for one in used for stem in words[one]} - mine):
        return f"'{lost[0]}', which the operator says there, is left out: a reader has to judge it"
    if any(quote.rstrip()[-1:] in _ASKS for quote in quotes):
        return "the operator asks there: a reader has to judge it"
    denies = sum(bool(logic.denials(one.text, isos)) for one in used if words[one])
    if denies != sum(bool(logic.denials(one.text, isos)) for one in logic.parts(claim, isos)):
        return "it denies something else than the operator does: a reader has to judge it"
    cases = any(one.conditional for one in used), any(one.conditional for one in logic.parts(claim, isos))
    return "" if cases[0] == cases[1] else "its condition is another one: a reader has to judge it"
