"""Finds a name that was spelled wrongly."""
# ruff: noqa: RUF001 -- a pattern is read whole, in its own script

import re
from collections.abc import Iterator

from clawgit.agents.validating.anchoring import Scene, anchored
from clawgit.agents.validating.outcome import Candidate, Correction
from clawgit.agents.validating.values import names, values

_WORD = re.compile(r"[^\W\d_]{4,}")
_LETTERS = re.compile("字|名字|漢字|打错|写错|名前|이름|글자|철자|写错|拼错")
_DENSE = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2,6}")
_STARTS = re.compile("^(?:是|叫|应该是|應該是|正しくは)")
_ENDS = re.compile("(?:ね|です|だよ|だ|よ|啊|哦|吧|的|이야|야|예요|이에요|입니다)+$")
_ALIKE, _SAME = 75, 100


def respelled(plain: str, scene: Scene) -> Iterator[Correction | Candidate]:
    """Yield the correction of the one name of the agent's that a word is nearly: `its halvorsen with an o`."""
    yield from _rewritten(plain, scene)
    from rapidfuzz.fuzz import ratio  # noqa: PLC0415 - few messages get here

    named = names(scene.agent, values(scene.agent), opening=True)
    heard = {part for one in named for part in _WORD.findall(one.text)}
    said = set(_WORD.findall(plain))
    if {one.casefold() for one in heard} & {one.casefold() for one in said}:
        return
    near = [(one, word) for one in heard for word in said if _ALIKE <= ratio(one.casefold(), word.casefold()) < _SAME]
    if len(near) == 1:
        yield anchored(*near[0], scene, plain)


def _rewritten(plain: str, scene: Scene) -> Iterator[Correction | Candidate]:
    """Yield the correction of a name of the agent's of which one letter is written with another one."""
    if not _LETTERS.search(scene.text):
        return
    for part in re.split(r"[\s,，、。.!！]+", plain):
        word = _ENDS.sub("", _STARTS.sub("", part))
        if not _DENSE.fullmatch(word) or word in scene.agent:
            continue
        size = len(word)
        windows = {scene.agent[at : at + size] for at in range(len(scene.agent) - size + 1)}
        near = [one for one in windows if sum(a != b for a, b in zip(one, word, strict=True)) == 1]
        if len(near) == 1:
            yield anchored(near[0], word, scene, plain)
