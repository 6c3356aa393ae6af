"""Tells a kind "no" from one that contradicts."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

from functools import cache
from typing import Any

_LONGEST = 80
_VERY = r"(?:(?:all|just|totally|really|perfectly|quite|absolutely|completely|still|pretty|very|so) ){0,2}"
_FINE = (
    r"(?:fine|ok|okay|good|alright|all right|right|cool|great|perfect|nice|lovely|nothing|enough|true|correct|fun|funny|awesome"
    r"|wonderful|amazing|beautiful|me|you|not (?:a (?:problem|big deal|worry|bother)|bad|necessary|needed|important|urgent)"
    r"|no (?:problem|trouble|bother|big deal|worries)|my (?:pleasure|fault|bad|mistake))"
)
_KIND = (
    rf"(?i)(?:no,? (?:(?:it's|it was|that's|the \w+ is) {_VERY}{_FINE}|my (?:pleasure|bad|fault|mistake))"
    r"|(?:不是|不)(?:的|啊)?[，,] ?(?:是的|(?:这样|這樣|那|那样)就?(?:好|行|可以))"
    r"|(?:いや|いいえ|いえ)[、,，] ?それ(?:は|で)?(?:大丈夫|いい|結構|問題ない)(?:です)?よ?"
    r"|(?:아니|아뇨|아니요)[,，.] ?(?:그건? ?)?(?:괜찮(?:아|아요|습니다)|좋아|좋아요))"
    r" *(?:$|[.!?,;:)…—–\-。！？，、\n]|(?:thanks?|thank you|with me|by me|for now|really|though|then|as (?:it )?is|to me|actually)\b)"
)


def reassures(text: str, start: int) -> bool:
    """Tell whether the words at `start` only wave something off: "no, it's fine" corrects nothing."""
    return _kind().match(text[start : start + _LONGEST]) is not None


@cache
def _kind() -> Any:
    import re2  # noqa: PLC0415 - costs milliseconds that other commands need not pay

    return re2.compile(_KIND)
