"""Finds the memory of where something is that has moved."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

import re
from collections.abc import Iterator

from clawgit.agents.validating.anchoring import Scene, anchored
from clawgit.agents.validating.matter import places, words
from clawgit.agents.validating.outcome import Candidate, Correction

_WHEN = r"(?:上个?月|上周|昨天|去年|今年|刚刚?|已经|最近|先月|先週|去年|昨日|今年|この前|最近|もう|지난달|지난주|작년|어제|최근에?)"
_MOVED = (
    re.compile(
        rf"(?:^|[，,。\s])(?P<what>[^\s，,。]{{1,8}}?)(?:{_WHEN})*(?:搬到|搬去|迁到|搬进)(?P<where>[^\s，,。！了]{{2,12}})了?"
    ),
    re.compile(
        rf"(?:^|[、，。\s])(?P<what>[^\s、，。]{{1,8}}?)[はが](?:{_WHEN}(?:に)?)*(?P<where>[^\s、，。はが]{{2,12}}?)(?:に|へ)(?:引っ越|移転|移っ|移り)"
    ),
    re.compile(
        rf"(?:^|[\s,.])(?P<what>[^\s,.]{{1,8}}?)(?:은|는|이|가)? (?:{_WHEN}에? )*(?P<where>[^\s,.]{{2,10}}?)(?:으로|로) (?:이사|이전|옮)"
    ),
    re.compile(
        r"\b(?:our |the |my )?(?P<what>[a-z]{3,12}(?: [a-z]{3,12})?) (?:has |have |just )?(?:moved|relocated) (?:over )?to (?P<where>(?-i:[A-ZÄÖÜÉ])[\w-]+(?: (?-i:[A-ZÄÖÜÉ])[\w-]+)?)(?= |[,.;!]|$)|\b(?:unser\w*|mein\w*|die|das|der) (?P<what2>[A-ZÄÖÜ]\w+) (?:ist|sind) (?:\w+ )?nach (?P<where2>[A-ZÄÖÜ]\w+) (?:um)?gezogen",
        re.IGNORECASE,
    ),
)
_AT = re.compile(
    r"^(?P<what>.{1,14}?)(?:位于|在|就在)(?P<where>[^。，]{2,14})|^(?P<what2>.{1,12}?)は(?P<where2>[^。、]{2,12}?)(?:にある|に住んでいる|です|$|。)|^(?P<what3>.{1,12}?)(?:은|는) (?P<where3>\S{2,12}?)에 (?:있|산|살)",
)


def moved(sentence: str, scene: Scene) -> Iterator[Correction | Candidate]:
    """Yield the correction of the one memory that says where something was that a sentence says has moved."""
    for form in _MOVED:
        for match in form.finditer(sentence):
            what, where = _groups(match)
            about = words(what) or frozenset((what,))
            found = [
                (entry, at) for entry in scene.stored if (at := _where(entry.text, about, what)) and at not in where
            ]
            if len(found) == 1 and where:
                ((entry, at),) = found
                said = next((at[cut:] for cut in range(len(at) - 1) if places(scene.agent, at[cut:])), at)
                alone = Scene(scene.text, scene.agent, scene.talk, (entry,))
                yield anchored(said, where, alone, sentence)
            elif found:
                yield Candidate("several memories fit", "", where, tuple(one for one, _ in found))


def _groups(match: re.Match[str]) -> tuple[str, str]:
    found = {name.rstrip("23"): said for name, said in match.groupdict().items() if said}
    return found.get("what", ""), found.get("where", "").strip()


def _where(text: str, about: frozenset[str], what: str) -> str:
    """Return where a memory says that something is, "" where it speaks of other things."""
    match = _AT.match(text)
    if match is None:
        return ""
    thing, where = _groups(match)
    return where if thing.endswith(what) or what.endswith(thing) or (about & words(thing)) else ""
