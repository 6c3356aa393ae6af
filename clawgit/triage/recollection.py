"""Tells the wish to remember from talk about remembering."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

from functools import cache
from typing import Any, NamedTuple

_LONGEST = 60
_NOWHERE = r"\z."


class _Rule(NamedTuple):
    """Words of a match (`sign` is in all of them), and what must not stand before or behind them, or has to stand behind them, for a wish."""

    sign: str
    words: str
    never_before: str
    behind: str = ""
    never_behind: str = _NOWHERE


_END = r"^[\s♪]*(?:$|[.。!！~〜～…:：;；)）」』\n])"
_RULES = (
    # "do you remember that?", "I don't remember when"
    _Rule(
        "em",
        r"(?i)remember (?:that|this|when)",
        r"(?i)\b(?:(?:do|does|did)(?:n't)? (?:you|u|ya|y'all|we|they|he|she|anyone|anybody)|(?:i|we|you|they|he|she) (?:do not|don't|does not|doesn't|did not|didn't|can't|cannot|couldn't|never)) (?:\w+ ){0,2}$",
    ),
    # a question, or what somebody remembers himself: the bare word is a wish at the end of a clause alone
    _Rule(
        "기억",
        r"기억해라?|기억하세요",
        r"(?:^|[\s,.!?~])(?:나|난|나는|나도|내가|저|전|저는|저도|제가|우리는?|우린|그는|그녀는|아직|아직도|여전히|다|전부|모두|또렷이|또렷하게|생생히|생생하게|똑똑히|왜|뭘|뭐|누가|어떻게)(?:\s[^,.!?\n]{0,20})?\s$",
        r"^\s*(?:$|[.。!！~…:：,，;；)\n])",
    ),
    _Rule(
        "えて", r"(?:覚|憶|おぼ)えて", r"(?:まだ|今でも|よく|全部|なんで|どうして|私は|僕は|俺は)[^。、\n]{0,12}$", _END
    ),
    _Rule("줘", r"기억.*해\s?줘", _NOWHERE, never_behind="^(?:서|도)"),  # "thank you for remembering"
    # "did you memorise it?", "I have", "how does one"
    _Rule(
        "住",
        r"[记記]住",
        r"(?:[没沒不能会會]|没有|沒有|怎么|怎麼|怎样|怎樣|如何|(?:^|[^帮幫给給替])我(?:已经|已經|都|也|终于|終於|全)?|[他她谁誰])$",
        never_behind=r"^了?(?:吗|嗎|么|麼|多少|不了|不住|的(?:东西|東西|人|事)|(?:没|沒)(?:有)?\s*(?:[?？]|$))",
    ),
)


def wishes(text: str, start: int, end: int) -> bool:
    """Tell whether words of remembering, at `start` to `end`, ask to remember: "do you remember this?" does not."""
    words = text[start:end]
    for sign, rule, before, behind, never in _compiled():
        if sign in words and rule.fullmatch(words):
            said, after = text[max(0, start - _LONGEST) : start].rpartition("\n")[2], text[end : end + _LONGEST]
            return not before.search(said) and not never.match(after) and bool(behind.match(after))
    return True


@cache
def _compiled() -> tuple[tuple[Any, ...], ...]:
    import re2  # noqa: PLC0415 - costs milliseconds that other commands need not pay

    return tuple((sign, *(re2.compile(source) for source in sources)) for sign, *sources in _RULES)
