"""Reads what a message says, sentence by sentence."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

import re

from clawgit.agents.validating import cues
from clawgit.language.own_words import straight
from clawgit.triage.pattern import VALIDATOR
from clawgit.triage.triage import Triage

_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,}).*?(?:^[ \t]*(?:`{3,}|~{3,})[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_BARE = re.compile(
    r"\b(do|does|did|is|was|are|were|has|have|could|should|would|ai)nt\b|\b(that|there|who|what|he|she)s(?= (?:not|wrong|a|an|the|my|now|called|at|on|in|no)\b)|\b(i|you|we|they)(m|ve|re)(?= )(?<!were)",
    re.IGNORECASE,
)
_ITS = re.compile(
    r"(^|[,;:.!?—–-]\s*|\b(?:but|because|and|no|wait|actually|well|acutally|actualy|also) )its(?= )|\bits(?= (?:not|a|an|the|on|at|in|now|called|been|[A-Z]\w|\d))",
    re.IGNORECASE | re.MULTILINE,
)


def spoken(text: str) -> str:
    """Return what of a message its writer says, without quoted lines and blocks of code."""
    plain = _QUOTED.sub("", _FENCE.sub("", straight(text))).strip()
    plain = _BARE.sub(_elided, plain)
    return _ITS.sub(lambda match: f"{match[1] or ''}it's", plain)


def _elided(match: re.Match[str]) -> str:
    """Return a word with the apostrophe that its writer left out."""
    if match[1]:
        return f"{match[1]}n't"
    return f"{match[2]}'s" if match[2] else f"{match[3]}'{match[4]}"


def called_for(text: str, found: Triage) -> bool:
    """Tell whether the recall validator has anything to look at in a message of the operator's."""
    return any(one.route == VALIDATOR for one in found.matches) or cues.speaks_up(spoken(text))
