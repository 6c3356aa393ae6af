"""Words an entry so that it is understood alone."""

import re

from clawgit.agents.mining.days import Spoken, dated
from clawgit.agents.mining.finding import LONGEST_QUOTE

_SPACE = re.compile(r"\s+")
_QUESTION = re.compile(r"[^.!?。！？\n]{3,160}[?？](?=[\s\"')*]*\Z)")  # noqa: RUF001
_LEADS = re.compile(
    r"(?i)(?:(?:and|so|oh|well|ok|okay|yes|yep|yeah|no|also|please|hey)\b[,.! ]+)*"
    r"(?:(?:by the way|btw|fyi|for the record|just so you know|for your information|to be clear|once more|again"
    r"|(?:as|like) (?:i|we)(?:'ve)? (?:already )?(?:said|mentioned|told you)(?: (?:before|earlier|already|yesterday))?"
    r"|i (?:already|just) told you(?: that)?|you forgot"
    r"|(?:please )?(?:remember|note|don.t forget|keep in mind)(?: that)?"
    r"|important|note to self|reminder)(?:[,:;]+ | - | (?=that |we |i |the |my |our ))(?:that )?)+"
    r"|^(?:顺便说一下|我说过|再说一遍|记住|請記住|请记住|別忘了|别忘了|重要)[，：:,、 ]*"  # noqa: RUF001
    r"|^(?:ちなみに|前にも言ったけど|覚えておいて|メモ)[、：:, ]+"  # noqa: RUF001
    r"|^(?:참고로|아까 말했듯이|말했듯이|기억해(?: ?줘)?|메모)[,: ]+"
)
"""What opens a sentence and says nothing of its matter: a reminder, a request to remember."""
_LEAST = 12
OPERATOR = "Operator"


def worded(message: str, start: int, end: int, times: list[Spoken], opening: str) -> str:
    """Return the words from `start` to `end` with their dates, after those that lead their list."""
    return _SPACE.sub(" ", f"{opening} {dated(message[start:end], times, start)}").strip()


def bare(said: str) -> str:
    """Return the words without what only opens them, where enough is left."""
    lead = _LEADS.match(said)
    rest = said[lead.end() :] if lead else said
    if len(rest) < _LEAST or not lead:
        return said
    return rest[0].upper() + rest[1:] if said[0].isupper() else rest


def entry(said: str, speaker: str, question: str) -> str:
    """Return the words of an entry after who said them and what was asked."""
    if question:
        return f'{speaker}, asked "{question}": {said}'
    return f"{speaker}: {said}" if speaker else said


def quote(message: str, start: int, end: int) -> str:
    """Return what stands there letter for letter, the longest line of it and as much as a quote may hold."""
    return max(message[start:end].splitlines(), key=len)[:LONGEST_QUOTE].strip()


def asked(before: str) -> str:
    """Return the question that a turn ended in, else nothing."""
    found = _QUESTION.search(before[-400:])
    return _SPACE.sub(" ", found[0]).strip().replace('"', "'") if found else ""
