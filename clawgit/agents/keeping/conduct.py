"""What can be seen of conduct in an answer."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, with the marks of many scripts

import re
from collections.abc import Callable, Mapping

from clawgit.agents.keeping.aspects import Aim
from clawgit.text.tokens import count

_LONG, _SHORT, _MANY, _SHOUTS = 250, 40, 3, 2
_EMOJI = re.compile(r"[\u2600-\u27bf\U0001f300-\U0001faff]")
_BULLET = re.compile(r"^[ \t]*(?:[-*•]|\d+[.)])[ \t]+\S", re.MULTILINE)
_TABLE = re.compile(r"^\|?[ \t]*:?-{3,}:?[ \t]*\|", re.MULTILINE)
_HEAVY = re.compile(r"^#{1,6} |\*\*[^*\n]+\*\*", re.MULTILINE)
_FLATTERS = re.compile(
    r"(?i)^(?:what an? )?(?:great|good|excellent|fantastic|brilliant) (?:question|idea|point)|you're (?:absolutely )?right|^(?:gute|tolle|super) (?:frage|idee)|^(?:buena|excelente|gran) (?:pregunta|idea)|^(?:bonne|excellente) (?:question|idée)|好问题|いい質問|素晴らしい質問|좋은 질문"
)
_APOLOGIZES = re.compile(
    r"(?i)\b(?:sorry|apologi[sz]e|apologies|entschuldig\w*|tut mir leid|lo siento|disculpa|perdón|désolée?|excuse-moi)\b|抱歉|对不起|申し訳|すみません|ごめん|죄송|미안"
)
_HEDGES = re.compile(
    r"(?i)\bas an ai\b|\bi'?m not a (?:lawyer|doctor|financial)|\bconsult (?:a|your) \w+|\bplease note\b|\bit'?s important to (?:note|remember)|\bals ki\b|\bcomo ia\b|\ben tant qu'ia\b|作为(?:一个)?(?:ai|人工智能)|免责"
)

SHOWS: Mapping[str, Callable[[str], bool | None]] = {
    "closing": lambda text: text.rstrip().rstrip("*_)\"' ").endswith(("?", "？")),
    "length": lambda text: True if count(text) > _LONG else False if count(text) < _SHORT else None,
    "emoji": lambda text: bool(_EMOJI.search(text)),
    "excited": lambda text: text.count("!") + text.count("！") >= _SHOUTS,
    "flattery": lambda text: bool(_FLATTERS.search(text)),
    "apology": lambda text: bool(_APOLOGIZES.search(text)),
    "hedge": lambda text: bool(_HEDGES.search(text)),
    "lists": lambda text: len(_BULLET.findall(text)) >= _MANY,
    "tables": lambda text: bool(_TABLE.search(text)),
    "markup": lambda text: len(_HEAVY.findall(text)) >= _MANY,
    "asking1": lambda text: text.count("?") + text.count("？") <= 1,
}
"""What can be seen of a side of conduct in an answer: whether it shows, None where neither."""


def contradicts(aim: Aim, answer: str) -> bool:
    """Tell whether an answer shows the contrary of what is wanted."""
    shows = SHOWS.get(aim.aspect)
    return shows is not None and aim.sign != 0 and shows(answer) is (aim.sign < 0)
