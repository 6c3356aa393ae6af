"""Links remarks on answers with those of other days."""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from clawgit.agents.keeping import SPOKEN
from clawgit.agents.keeping.aside import Aside, Form
from clawgit.agents.keeping.signal import Kind, Signal
from clawgit.agents.keeping.topics import LOOSE
from clawgit.agents.mining.listed import listed
from clawgit.language.detect import language

_OPEN = 30 * 86_400.0
"""Seconds for which a remark waits for another one."""
_WORD = re.compile(r"[a-zA-Z\u00c0-\u024f]{4,}|(?=([\u4e00-\u9fff]{2}|[\uac00-\ud7a3]{2}))")
_COMMON = listed(
    "again this that with have same time last like just what when your them they been were more want know"
    " before please don't said says told asked wieder schon immer noch dass nicht eine einen otra para"
    " como cada igual misma encore toujours comme avec pour dans même 上次 说过 又是"
)
_ALIKE = 0.2
_ENOUGH, _SURELY = 2.0, 3.0
_KINDS: dict[Form, Kind] = {
    "order": "complaint",
    "blame": "complaint",
    "again": "complaint",
    "welcome": "praise",
    "keep": "praise",
    "lapse": "lapse",
    "able": "capability",
    "said": "remark",
}


class _Matter(Struct):
    """Remarks on one matter so far: their first name, and the words that say best what is wanted."""

    name: str
    kind: Kind
    last: Aside
    best: Aside


def linked(asides: Iterable[Aside]) -> Iterator[Signal]:
    """Yield a signal for each remark on an answer, those on one matter under one name.

    A complaint that says it is not the first, and praise that asks for more, goes to the last one that shares its
    topic, its words or the kind of answer before it, within 30 days; else to the only one there is.
    """
    matters: list[_Matter] = []
    for one in sorted(asides, key=lambda aside: (aside.heard.time or 0.0, aside.heard.event)):
        kind = _KINDS[one.form]
        open_ = [some for some in matters if some.kind == kind and _within(some.last, one)]
        matter = _same(one, open_) if kind in ("complaint", "praise", "remark") else None
        if matter is None:
            matter = _Matter(one.heard.mention, kind, one, one)
            matters.append(matter)
        if one.words and (not matter.best.words or _says_more(one, matter.best)):
            matter.best = one
        matter.last = one
        signal = _signal(one, matter)
        if signal:
            yield signal


def _within(earlier: Aside, one: Aside) -> bool:
    return 0 <= (one.heard.time or 0.0) - (earlier.heard.time or 0.0) <= _OPEN


def _says_more(one: Aside, best: Aside) -> bool:
    """Tell whether the words of a newer remark say better what is wanted."""
    if best.bids:
        return one.bids and one.form == "order"
    return (one.bids and one.form != "keep") or (one.form in ("keep", "order") and not one.mute)


def _same(one: Aside, matters: list[_Matter]) -> _Matter | None:
    """Return the matter that a remark goes on with, None where it opens one."""
    rated = [(max(likeness(one, some.last), likeness(one, some.best)), at) for at, some in enumerate(matters)]
    share, at = max(rated, default=(0.0, -1))
    if one.form not in ("again", "keep"):
        heard = at >= 0 and not one.mute and not matters[at].best.mute
        return matters[at] if heard and share >= _SURELY else None
    if at >= 0 and share >= _ENOUGH:
        return matters[at]
    mine = [some for some in matters if _script(some.last) == _script(one)]
    plain = len(mine) == 1 and (not mine[0].best.mute or (one.form == "keep" and (one.mute or not one.words)))
    return mine[0] if plain else None


def _script(one: Aside) -> str:
    lang = language(one.heard.text, SPOKEN)
    return lang if lang in ("zh", "ja", "ko") else ""


def likeness(one: Aside, other: Aside) -> float:
    """Return how much two remarks have in common: topics, words, and the answers before them."""
    shared = one.topics & other.topics
    about = 2.0 * len(shared - LOOSE) + len(shared & LOOSE)
    words = len(_words(one.heard.text) & _words(other.heard.text))
    mine, theirs = _words(one.heard.before), _words(other.heard.before)
    common = len(mine & theirs) / max(1, min(len(mine), len(theirs)))
    alike = 3 * common if common >= _ALIKE and len(mine & theirs) > 1 else 0.0
    return about + min(2, words) * (_ENOUGH if one.mute or other.mute else 1) + alike


def _words(text: str) -> frozenset[str]:
    found = (match[1] or match[0].casefold()[:6] for match in _WORD.finditer(text))
    return frozenset(found) - _COMMON


def _signal(one: Aside, matter: _Matter) -> Signal | None:
    pointer = one.heard.pointer(one.quote)
    words = matter.best.words
    if pointer is None or one.heard.time is None or not words:
        return None
    alone = one is matter.best
    if matter.best.mute:
        return None
    strong = one.sure or (one.form == "again" and not alone)
    return Signal(
        matter.kind,
        " ".join(words.split()),
        None,
        strong,
        pointer,
        one.heard.mention,
        one.heard.time,
        one.heard.session,
        language(words, SPOKEN),
        matter=matter.name,
        form="order" if matter.best.bids and matter.kind == "complaint" else matter.best.form,
        guessed=one.guessed,
    )
