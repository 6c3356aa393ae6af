"""Takes polite endings and particles off Korean words."""

import re

from clawgit.text.sameness.note import bag

_FIRST, _FINALS, _VOWELS = 0xAC00, 28, 21
_N, _B, _M = 4, 17, 16
_ENDINGS = ("습니다", "는다", "아요", "어요", "여요", "음")
_COPULA = re.compile(r"(?<=[가-힣\w])(?:입니다|이에요|예요|이다|임|이야)$")
_OPEN = {6: 20, 9: 8, 14: 13, 10: 11}
"""Vowels that a polite ending has swallowed, by what they were: 마셔요 is 마시-."""
_PARTICLES = {
    "은": "topic",
    "는": "topic",
    "이": "topic",
    "가": "topic",
    "께서": "topic",
    "을": "object",
    "를": "object",
    "의": "of",
}
_PARTICLE = re.compile(r"(?<=[가-힣\w\ue011])(은|는|이|가|께서|을|를|의)$")
_WHOLE = (
    "회의",
    "주의",
    "동의",
    "합의",
    "협의",
    "강의",
    "논의",
    "문의",
    "정의",
    "예의",
    "편의",
    "거의",
    "건의",
    "고양이",
    "아이",
    "나이",
    "차이",
    "종이",
    "놀이",
    "어린이",
    "사이",
    "휴가",
    "평가",
    "국가",
    "작가",
    "추가",
    "증가",
    "가을",
    "마을",
    "다이",
)
_SHORT = {"써": "쓰", "해": "하", "가": "가", "봐": "보"}
_LONE = bag("이 가 그 저 나 너 안 못 더 덜")
_SAME = {
    "저는": "§user",
    "나는": "§user",
    "저": "§user",
    "나": "§user",
    "사용자는": "§user",
    "사용자": "§user",
    "유저는": "§user",
    "제": "§users",
    "내": "§users",
    "매일": "daily",
    "날마다": "daily",
    "매주": "weekly",
    "매달": "monthly",
    "현재": "",
    "지금": "",
    "항상": "항상",
    "언제나": "항상",
    "늘": "항상",
    "엄마": "어머니",
    "아빠": "아버지",
    "안": "안",
    "우리는": "",
    "우리": "",
    "와이프": "아내",
    "핸드폰": "휴대폰",
    "디비": "데이터베이스",
    "전혀": "절대",
    "서버에서": "서버에서",
    "그리고": "",
    "또한": "",
}


def word(said: str) -> tuple[str, str]:
    """Return the stem of a word and its particle: `topic`, `object` or nothing."""
    if said in _SAME:
        return _SAME[said], "topic" if said.endswith("는") else ""
    if said in _SHORT:
        return _SHORT[said], ""
    if said in _LONE or len(said) == 1:
        return said, ""
    plain = _stem(_COPULA.sub("", said))
    if plain == said and not said.endswith(_WHOLE) and (found := _PARTICLE.search(said)) and len(said) > 1:
        bare = said[: found.start()]
        return _SAME.get(bare, bare), _PARTICLES[found[1]]
    return _SAME.get(plain, plain), ""


def _stem(said: str) -> str:
    """Return a verb without its ending in the present: 합니다, 해요, 한다, 함 are 하."""
    for end in _ENDINGS:
        if said.endswith(end) and len(said) > len(end):
            return said[: -len(end)]
    if said.endswith("다"):
        return _declared(said)
    if said.endswith("세요") and len(said) > len("세요"):
        return said[:-2].removesuffix("으")
    if said.endswith("요"):
        return _opened(said[:-1])
    if said.endswith(("함", "됨", "짐", "옴", "감")) and len(said) > len("함"):
        return said[:-1] + chr(ord(said[-1]) - _M)
    return said[:-1] + "하" if said.endswith("해") and len(said) > 1 else said


def _declared(said: str) -> str:
    """Return what stands before 다 and 니다, without the letter that they put under it."""
    formal = said.endswith("니다") and len(said) > len("니다")
    if not formal and len(said) == 1:
        return said
    before = said[: -2 if formal else -1]
    final = _final(before[-1])
    if final == (_B if formal else _N):
        return before[:-1] + chr(ord(before[-1]) - final)
    return said if formal else before


def _opened(said: str) -> str:
    """Return a stem whose last vowel is what it was before the ending: 마셔 is 마시, 해 is 하."""
    last = said[-1:]
    if not "가" <= last <= "힣" or _final(last):
        return said
    if last == "해":
        return said[:-1] + "하"
    vowel = (ord(last) - _FIRST) // _FINALS % _VOWELS
    return said[:-1] + chr(ord(last) + (_OPEN.get(vowel, vowel) - vowel) * _FINALS)


def _final(letter: str) -> int:
    return (ord(letter) - _FIRST) % _FINALS if "가" <= letter <= "힣" else 0
