"""Makes of a claim one that its quote denies."""

import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

from clawgit.agents.protocol import facts, nothing_invented
from clawgit.agents.protocol.existing_statements import stands
from clawgit.language import detect, lexicon, logic, numbers
from clawgit.language.dates import Mention

_ENDS = frozenset(".!\u3002")
_ANEW = frozenset(";\uff1b")
_STEP, _LAST, _HOURS = 6, 28, 24
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_SPARE, _KINDS = 1009, 4
"""Parts the choice of a twin from the choices within it; kinds of those without a value."""
_HANGUL = re.compile(rf"[{detect.HANGUL}]{{2}}")
_NEAR = 24
"""Letters before a value in which `at least` stands."""
Maker = Callable[[str, str, tuple[str, ...]], Iterator[str]]


def twin(claim: str, quote: str, isos: tuple[str, ...], others: Sequence[str] = ()) -> str:
    """Return a claim of which the quote does not say all; which kind of change it has depends on the claim alone.

    None follows from the claim itself: a day by which something is done is made an earlier one, a number that is at
    least reached a higher one. `others` are other claims. "" where none is decidable.
    """
    makers: list[Maker] = [_dated, _counted, _timed, _uncased, _allowed]
    turn = _key(claim) % len(makers)
    for maker in (*makers[turn:], *makers[:turn]):
        for found in maker(claim, quote, isos):
            if found != claim and not stands(found, quote):
                return found
    return _otherwise(claim, quote, isos, others)


def _key(claim: str) -> int:
    return int(sha256(claim.encode("utf-8", "replace")).hexdigest(), 16) // _SPARE


def _otherwise(claim: str, quote: str, isos: tuple[str, ...], others: Sequence[str]) -> str:
    """Return a twin of a claim that has no value to change: its denial, a narrower scope, or a claim of another quote.

    A reader that knows the forms of the first two does not know the third.
    """
    said = logic.content(quote, isos)
    foreign = [other for other in others if other != claim and len(logic.content(other, isos) & said) <= 1]
    kind = _key(claim) // _SPARE % _KINDS
    if kind > 1 and foreign:
        return foreign[_key(claim) % len(foreign)]
    denied = next(_undenied(claim, isos), "")
    return denied if denied and kind % 2 == 0 else _limited(claim, isos)


def _dated(claim: str, quote: str, isos: tuple[str, ...]) -> Iterator[str]:
    """Yield the claim with another day, month or year in digits: an earlier one, from which the later would follow."""
    del quote
    for one in facts.read(claim, isos).mentions:
        said = claim[one.start : one.end]
        if one.lead not in {"until", "since", "from"} and _compared(claim, one.start, one.end, isos):
            continue
        if other := _day(said, one) or _year(said, one):
            yield claim[: one.start] + other + claim[one.end :]


def _compared(claim: str, start: int, end: int, isos: tuple[str, ...]) -> bool:
    """Return whether words around a value say that it is a limit: another one might follow from it."""
    said = logic.finder(logic.phrases(isos, "compared"))
    return said.search(claim[max(0, start - _NEAR) : end + _NEAR // 2]) is not None


def _day(said: str, one: Mention) -> str:
    if not one.day:
        return ""
    early = one.day > _STEP
    other = one.day - _STEP if early else one.day + _STEP
    if other > _LAST or (one.lead in {"until", "since", "from"} and not early):
        return ""
    found = [match for match in re.finditer(r"\d+", said) if int(match[0]) == one.day]
    if not found:
        return ""
    return _digits(said, found[-1] if one.year and said.startswith(str(one.year)) else found[0], other)


def _year(said: str, one: Mention) -> str:
    found = re.search(str(one.year), said) if one.year else None
    return _digits(said, found, int(found[0]) - 1) if found else ""


def _digits(said: str, found: "re.Match[str]", other: int) -> str:
    return said[: found.start()] + str(other).zfill(len(found[0])) + said[found.end() :]


def _counted(claim: str, quote: str, isos: tuple[str, ...]) -> Iterator[str]:
    """Yield the claim with a higher number; none beside `at least` and its like: it might follow."""
    read = facts.read(claim, isos)
    known = {value for amount in facts.read(quote, isos).amounts for value in amount.values} | {
        *nothing_invented.groups(quote)
    }
    for one in read.amounts:
        at = read.rest.find(one.said)
        value = max(one.values)
        if at < 0 or value != int(value) or value < 2:  # noqa: PLR2004 - below it is no count
            continue
        if _compared(claim, at, at + len(one.said), isos):
            continue
        count = int(one.said) if one.said.isdecimal() else int(value)
        lower = _FIRST_YEAR <= count <= _LAST_YEAR
        lower |= read.rest[at + len(one.said) :][:1] == "h" and count <= _HOURS  # `23h` may be a time of day
        other = count - 1 if lower else count + max(1, count // 3)
        while other in known:
            other += -1 if lower else 1
        if word := str(other) if any(map(str.isdecimal, one.said)) else _spelled(other, one.said, isos):
            yield claim[:at] + word + claim[at + len(one.said) :]


def _spelled(count: int, like: str, isos: tuple[str, ...]) -> str:
    """Return a number in a word, as the language does of which another one is a word; "" where it has none."""
    for iso in isos:
        if numbers.number(like.lower(), iso) is not None:
            found = next((word for word, value in numbers.table(iso).items() if value == count), "")
            return found.capitalize() if like[:1].isupper() else found
    return ""


def _timed(claim: str, quote: str, isos: tuple[str, ...]) -> Iterator[str]:
    """Yield the claim with another hour."""
    del quote
    for one in facts.read(claim, isos).clocks:
        found = re.search(r"\d+", claim[one.start : one.end])
        if found and not _compared(claim, one.start, one.end, isos):
            other = (int(found[0]) + 2) % _HOURS
            yield claim[: one.start] + _digits(claim[one.start : one.end], found, other) + claim[one.end :]


def _uncased(claim: str, quote: str, isos: tuple[str, ...]) -> Iterator[str]:
    """Yield the claim without its condition.

    That it lasts until a day is none, nor what begins anew behind a semicolon: what is left would follow from it.
    """
    del quote
    parts = logic.parts(claim, isos)
    once = logic.finder(logic.phrases(isos, "occasions"))  # `when` it has been, what is left follows
    cases = [part for part in parts if part.conditional and claim[: part.start].rstrip()[-1:] not in _ANEW]
    cases = [one for one in cases if not once.match(one.text)]
    if any(mention.sure for one in cases for mention in facts.read(one.text, isos).mentions):
        return
    if not cases or len(cases) == len(parts):
        return
    case = cases[0]
    if any(_HANGUL.match(claim[at - 1 : at + 1]) for at in (case.start, case.end)):
        return  # `if` is an ending, and this a part of another word
    rest = f"{claim[: case.start].rstrip(' ,;')} {claim[case.end :].lstrip(' ,;')}".strip()
    left = re.sub(r"\s+([.,;!])", r"\1", rest).lstrip(",;. \u3001\uff0c")
    if logic.content(left, isos):
        ended = left if left[-1:] in _ENDS or claim[-1:] not in _ENDS else left + claim[-1]
        yield ended[:1].upper() + ended[1:]


def _allowed(claim: str, quote: str, isos: tuple[str, ...]) -> Iterator[str]:
    """Yield the claim without the word that denies it."""
    del quote
    said = tuple(logic.words(isos[:1], "plain"))
    spans = logic.denials(claim, isos)
    if said and len(spans) == 1 and logic.finder(said).fullmatch(claim, *spans[0]):
        start, end = spans[0]
        behind = re.match(r"\s*([^\W\d_]*)", claim[end:])
        if claim[:start].rstrip()[-1:] in {",", ";"} or (behind and behind[1].lower() in logic.small(isos)):
            return  # `on 2222, not 22`; `nicht mehr`
        left = claim[:start] + claim[end:].lstrip()
        yield left[:1].upper() + left[1:]


def _undenied(claim: str, isos: tuple[str, ...]) -> Iterator[str]:
    """Yield the denial of the claim."""
    for iso in isos:
        said = lexicon.section(iso, "claims", "denial")
        if isinstance(said, str) and said:
            yield said.replace("{}", claim)
            return


def _limited(claim: str, isos: tuple[str, ...]) -> str:
    """Return the claim in a narrower scope; in English for a language that has no words for it."""
    said = next((str(one) for iso in isos if (one := lexicon.section(iso, "claims", "limit"))), "{}")
    return said.replace("{}", claim.rstrip(".\u3002")) + "."
