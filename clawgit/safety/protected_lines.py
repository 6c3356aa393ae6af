"""Whether what binds the agent still stands, unsoftened."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from clawgit.language.detect import detect
from clawgit.safety import script_patterns
from clawgit.safety.binding import FILE, Said, binds, forces, said, topics
from clawgit.safety.normalise import plain, tokens
from clawgit.safety.script_patterns import WIDE

COVERED, NEAR = 0.6, 0.34  # of the words of a sentence: said anew, spoken of
LONG, ALIKE = 5, 80.0  # letters of a word; of 100: the same with a letter more, less or other
SHORT = 4  # words
_TITLE = 5  # words of a heading that says little else
_AMOUNT = r"\d[\d.,]*"
_NEEDS = r"\b(?:needs?|requires?|braucht|erfordert|necesita|requiere|exige|demande|precisa|требу\w+)\b|需要|必要|필요"
_YES = r"\b(?:yes|ok|permission|approv\w+|consent\w*|confirm\w*|agree[sd]?|said so|says so|asked|go ?-?ahead)\b"
_UNTIL = r"\b(?:unless|until|except (?:with|after|when)|ausser|bis|salvo|hasta|sauf|até|exceto)\b|кроме|пока"
_NOT = ("ban", "negation")
_KEPT = ("consent", "report", "care")
_TURNS = ("un", "in", "im", "ir", "dis", "non", "mis")  # before a word they turn it round


class Loss(Struct, frozen=True):
    """A binding sentence that no longer stands: its 1-based line in the old text, and whether some of it is left."""

    line: int
    weakened: bool


class _Text(Struct, frozen=True):
    """The sentences of a new text; `new` are those whose words the old one did not hold."""

    sentences: tuple[Said, ...]
    new: tuple[Said, ...]
    keys: frozenset[str]
    places: dict[str, list[int]]


def lost(old: str, new: str, lines: Collection[int], operator: Collection[str], *, notes: bool) -> Iterator[Loss]:
    """Yield what bound the agent on one of `lines` of `old` and does so no more, or less, in `new`."""
    names = frozenset(name.casefold() for name in operator if name.strip())
    was = said(old, names)
    now = _compared(was, said(new, names))
    judged: dict[tuple[str, tuple[str, str, str]], bool | None] = {}
    for one in was:
        about = (one.key, one.under)
        if one.line in lines and one.key and about not in judged:
            judged[about] = _judge(one, now, new, notes=notes)
        if one.line in lines and (weakened := judged.get(about)) is not None:
            yield Loss(one.line, weakened)


def nearest(line: str, fresh: Sequence[str]) -> str:
    """Return the one of the `fresh` lines that shares most words with `line`, "" where none speaks of the same."""
    words = tokens(plain(line).casefold())
    shares = {other: len(words & tokens(plain(other).casefold())) for other in fresh}
    best = max(shares, key=lambda other: shares[other], default="")
    return best if best and shares[best] >= max(1, NEAR * len(words)) else ""


def _judge(one: Said, now: _Text, new: str, *, notes: bool) -> bool | None:
    """Return whether `one` is weakened (True) or gone (False) in `now`; None: it stands, or never bound."""
    places = now.places.get(one.key) or [at for at, other in enumerate(now.sentences) if _within(one, other)]
    if any(not _spoilt(one, at, now) for at in places) or not binds(one, notes=notes):
        return None
    if places:
        return True
    if _resaid(one, now.new) or _retold(one, now.new):
        return None
    return _near(one, now.new) or one.text in new.casefold()


def _compared(was: tuple[Said, ...], now: tuple[Said, ...]) -> _Text:
    known = {one.key for one in was}
    places: dict[str, list[int]] = {}
    for at, one in enumerate(now):
        places.setdefault(one.key, []).append(at)
    fresh = {one.key: one for one in now if one.key not in known}
    return _Text(now, tuple(fresh.values()), frozenset(fresh), places)


def _within(one: Said, other: Said) -> bool:
    return f" {one.key} " in f" {other.key} "


def _spoilt(one: Said, at: int, now: _Text) -> bool:
    """Return whether the sentence stands at `at` with something new that takes its force."""
    here = now.sentences[at]
    if here.key != one.key and (_loosened(one.text, here.text) or _stale(here.key.replace(one.key, ""))):
        return True
    if any(title not in one.under and _aside(title) for title in here.under):
        return True
    after = next((other for other in now.sentences[at + 1 : at + 2] if other.key in now.keys), None)
    before = next((other for other in now.sentences[max(0, at - 1) : at] if other.key in now.keys), None)
    return bool((after and _undone(here, after)) or (before and _set_aside(before, here)))


def _stale(words: str) -> bool:
    return len(words.split()) <= SHORT and bool(script_patterns.search(FILE, "stale", words))


def _aside(title: str) -> bool:
    if script_patterns.search(FILE, "void", title):
        return True
    return len(title.split()) <= _TITLE and any(
        script_patterns.search(FILE, one, title) for one in ("stale", "suggest")
    )


def _undone(here: Said, after: Said) -> bool:
    """Return whether the new sentence `after` takes back what was said `here`."""
    within = after.unit == here.unit or (after.listed and after.indent > here.indent)
    if within and script_patterns.search(FILE, "except", after.text):
        return True
    if within and here.listed and script_patterns.search(FILE, "loose", after.text):
        return True
    return bool(script_patterns.match(FILE, "except", after.text)) or _set_aside(after, here)


def _set_aside(one: Said, other: Said) -> bool:
    """Return whether `one`, which stands beside `other`, says that it is void."""
    if script_patterns.search(FILE, "void", one.text):
        return True
    if one.text.endswith(":"):
        return bool(script_patterns.search(FILE, "stale", one.text))
    return one.unit == other.unit and _stale(one.key)


def _resaid(one: Said, fresh: tuple[Said, ...]) -> bool:
    """Return whether new sentences say `one` in other words, with the same force."""
    words = tokens(one.text)
    shares = sorted(((len(words & tokens(other.text)), other) for other in fresh), key=lambda pair: -pair[0])
    best = [other for share, other in shares[:3] if words and share >= NEAR * len(words)]
    joined = "; ".join(other.text for other in best)
    if any(_turned(one, other) for other in best):
        return False
    if any(_mistyped(one, other) for other in best):
        return True
    if best and len(words & tokens(joined)) >= COVERED * len(words):
        return _holds(one, joined) and topics(one.text) <= topics(joined) and _files(one.text) <= _files(joined)
    pairs = ((first, second) for first, second in pairwise(fresh) if first.unit == second.unit)
    groups = ([other.text for other in group] for group in (*((single,) for single in fresh), *pairs))
    return any(_means(one, " ; ".join(group)) for group in groups)


def _retold(one: Said, fresh: tuple[Said, ...]) -> bool:
    """Return whether `one`, which only explains or is hedged itself, is told anew in its place with no more leave."""
    hedged = bool(script_patterns.search(FILE, "loose", one.text)) and forces(one.text) <= set(_NOT)
    if forces(one.text) and not hedged:
        return False
    words = tokens(one.text)
    here = (other for other in fresh if other.under == one.under and abs(other.line - one.line) <= 1)
    return any(
        (hedged or not _loosened(one.text, other.text))
        and len(words & tokens(other.text)) >= NEAR * len(words)
        and not (hedged and script_patterns.search(FILE, "unasked", other.text))
        for other in here
    )


def _mistyped(one: Said, other: Said) -> bool:
    """Return whether the two differ in a letter of a longer word or two, and forbid alike."""
    from rapidfuzz import fuzz  # noqa: PLC0415 -- needed only where an approved line is gone

    pairs = list(zip(one.key.split(), other.key.split(), strict=False))
    if len(one.key.split()) != len(other.key.split()) or forces(one.text) & set(_NOT) - forces(other.text):
        return False
    wrong = [(a, b) for a, b in pairs if a != b]
    return not re.search(WIDE, one.key) and all(
        min(len(a), len(b)) >= LONG and fuzz.ratio(a, b) >= ALIKE for a, b in wrong
    )


def _turned(one: Said, other: Said) -> bool:
    """Return whether a word of `one` stands in `other` as its opposite, and no more as itself."""
    was, now = set(one.key.split()), set(other.key.split())
    pairs = ((word, turn + word) for word in was ^ now for turn in _TURNS)
    return any((word in was - now and odd in now) or (odd in was and word in now - was) for word, odd in pairs)


def _near(one: Said, fresh: tuple[Said, ...]) -> bool:
    words = tokens(one.text)
    return any(len(words & tokens(other.text)) >= NEAR * len(words) for other in fresh) if words else False


def _holds(one: Said, text: str) -> bool:
    return _forced(one.text, text) and not _loosened(one.text, text)


def _files(text: str) -> set[str]:
    return set(re.findall(r"\b\w+\.(?:md|env|json|ya?ml|toml)\b", text))


def _means(one: Said, text: str) -> bool:
    """Return whether `text` binds as `one` does, and over the same things, in whatever language."""
    stake = topics(one.text)
    return bool(stake and forces(one.text)) and stake <= topics(text) and _holds(one, text)


def _forced(old: str, new: str) -> bool:
    """Return whether `new` binds in each way in which `old` does."""
    was, now = forces(old), forces(new)
    denies = bool(now.intersection(_NOT)) or "privacy" in was & now
    if any(name in was and name not in now for name in _KEPT):
        return False
    asks = "consent" in now and ("limit" in now or re.search(_NEEDS, new))
    if was.intersection(_NOT) and not denies and not asks:
        return False
    if "limit" in was and "limit" not in now and not denies:
        return False
    if "privacy" in was and "privacy" not in now and not (denies and "secret" in topics(new)):
        return False
    if was == {"duty"} and "duty" not in now:
        return False
    return bool(now) or not was


def _loosened(old: str, new: str) -> bool:
    """Return whether `new` says what `old` does not: an exception, a condition, a leave, a larger amount."""
    if _new("loose", old, _agreed(new)) or _new("unasked", old, new):
        return True
    if script_patterns.search(FILE, "doubt", new) and not script_patterns.search(FILE, "doubt", old):
        return True
    conditions = _new("when", old, _always(_agreed(new)))
    if (
        conditions
        and not script_patterns.search(FILE, "when", old)
        and not ({detect(old), detect(new)} - {detect(new), ""})
    ):
        return True
    return _amount(new) > _amount(old) > 0


def _agreed(text: str) -> str:
    """Leave out exceptions that are a yes: "unless she agrees"."""
    return re.sub(rf"(?:{_UNTIL})[^.;]{{0,40}}{_YES}", " ", text)


def _always(text: str) -> str:
    """Leave out conditions that are none: "even if", "when in doubt"."""
    return script_patterns.without(FILE, "doubt", script_patterns.without(FILE, "even", text))


def _new(name: str, old: str, new: str) -> set[str]:
    return script_patterns.every(FILE, name, new) - script_patterns.every(FILE, name, old)


def _amount(text: str) -> float:
    found = [re.sub(r"[^\d]", "", re.sub(r"[.,]\d\d$", "", one.rstrip(".,"))) for one in re.findall(_AMOUNT, text)]
    return max((float(one) for one in found if one), default=0.0)
