"""Finds the one place where two sentences differ."""
# ruff: noqa: RUF001 -- a table is read whole, in its own script

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from clawgit.agents.validating.matter import words
from clawgit.text.sameness.note import bag

_DENSE = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_TOKEN = re.compile(r"[^\W_]+(?:[.'’/_+-][^\W_]+)*[+#]*")
_EXPANDED = {"it's": "it is", "that's": "that is", "i'm": "i am", "we're": "we are", "he's": "he is", "she's": "she is"}
_LIGHT = bag(
    "the a an my your our his her their its user user's users operator operator's i you we he she they it that"
    " called named heißt llama s'appelle"
    " this am are is was now actually really already always of mein meine dein deine der die das den ein eine"
    " ich du mi tu su el la los las mon ma ton ta le les je vous nous yo"
)
_BREAKS = "的是在叫用住到于成为喝吃去做当了和姓はがをにでの은는이가을를에 ：:"
_ENDS = re.compile(
    r"[。.!！?？,，、;；\s]+$|(?:です|でした|だよ|だ|ですよ|よ|예요|이에요|이야|야|입니다|吧|啊|哦|了)+$"
)
_MOST = 4
_LONGEST = 10
_ENOUGH = 2


def differing(sentence: str, other: str) -> tuple[str, str] | None:
    """Return what stands in `other` where `sentence` has something else, and what it has.

    All else must be the same, but for light words; None where more differs, or too little is the same.
    """
    if _DENSE.search(sentence):
        return _dense(sentence, other) if _DENSE.search(other) else None
    return _spaced(sentence, other)


def _spaced(sentence: str, other: str) -> tuple[str, str] | None:
    mine, theirs = _tokens(sentence), _tokens(other)
    left, right = [_stem(one) for one, _, _ in mine], [_stem(one) for one, _, _ in theirs]
    found: list[tuple[int, int, int, int]] = []
    for act, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if act == "replace":
            found.append((a, b, c, d))
        elif (
            act == "insert" and not (a == len(left) and found and other[theirs[c - 1][2] : theirs[c][1]].strip())
        ) or (act == "delete" and not _LIGHT.issuperset(left[a:b])):
            return None
    if len(found) != 1:
        return None
    a, b, c, d = found[0]
    same = words(" ".join(one for one, _, _ in (*mine[:a], *mine[b:])))
    if not same or b - a > _MOST or d - c > _MOST or not a or len(mine) - (b - a) + 1 < max(b - a, d - c):
        return None
    return other[theirs[c][1] : theirs[d - 1][2]], sentence[mine[a][1] : mine[b - 1][2]]


def _tokens(text: str) -> list[tuple[str, int, int]]:
    plain = text.casefold() if len(text.casefold()) == len(text) else text.lower()
    found: list[tuple[str, int, int]] = []
    for match in _TOKEN.finditer(plain):
        pieces = _EXPANDED.get(match[0], match[0]).split()
        found += [(one, *match.span()) for one in pieces if one not in _LIGHT]
    return found


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 else word  # noqa: PLR2004 - gas


def _dense(sentence: str, other: str) -> tuple[str, str] | None:
    if re.search("ない|なく|아니|말고|不是|不在|不叫|不", sentence):  # it says more than what is true
        return None
    one, two = _ENDS.sub("", _ENDS.sub("", sentence)), _ENDS.sub("", _ENDS.sub("", other))
    for ours, theirs in ((one, two), (_bare(one), _bare(two))):
        start = _shared(ours, theirs)
        end = min(_shared(ours[::-1], theirs[::-1]), len(ours) - start, len(theirs) - start)
        while start and ours[start - 1] not in _BREAKS:
            start -= 1
        while end and ours[len(ours) - end] not in _BREAKS:
            end -= 1
        true, said = ours[start : len(ours) - end], theirs[start : len(theirs) - end]
        same = words(ours[:start]) | words(ours[len(ours) - end :])
        if re.search("引っ越|移転|に移|搬到|迁到|이사", true):
            continue
        if start >= _ENOUGH and same and 0 < len(true.strip()) <= _LONGEST and 0 < len(said.strip()) <= _LONGEST:
            return said.strip(), true.strip()
    return None


def _bare(text: str) -> str:
    return re.sub(
        "^(?:用户|用戶|使用者|我|你|您|操作者|ユーザー(?:の|は)|私(?:の|は)|僕(?:の|は)|제|내|저의|나의|사용자의?|사용자는?)的?\\s*",
        "",
        text,
    )


def _shared(one: Sequence[str], two: Sequence[str]) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
