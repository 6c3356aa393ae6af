"""Tells what is said without being claimed for good."""

import re
from functools import partial
from pathlib import Path

from clawgit.agents.validating.matter import kin
from clawgit.agents.validating.value_finder import values
from clawgit.language import pattern_tables, sentences

_pattern = partial(pattern_tables.pattern, Path(__file__).parent / "data/corrections.toml", "unclaimed")


def asks(sentence: str) -> bool:
    """Tell whether a sentence is a question."""
    return _pattern("question").search(_pattern("tag").sub(".", sentence)) is not None and not _pattern(
        "request"
    ).match(sentence)


def jests(text: str) -> bool:
    """Tell whether somebody says what cannot be meant: `forever 18`."""
    return _pattern("jests").search(text) is not None


def supposes(sentence: str) -> bool:
    """Tell whether a sentence supposes, wishes, tells a story, or gives an example."""
    return _pattern("supposed").search(sentence) is not None


def past(sentence: str) -> bool:
    """Tell whether a sentence says only how it once was."""
    return _pattern("then").search(sentence) is not None and _pattern("now").search(sentence) is None


def laughs(text: str) -> bool:
    """Tell whether somebody laughs: a play on words corrects nothing."""
    return _pattern("laughs").search(text) is not None


def unsure(sentence: str) -> bool:
    """Tell whether a sentence asks, supposes, jokes, or tells what somebody else says."""
    return bool(asks(sentence) or _pattern("unsure").search(sentence) or _pattern("others", re.NOFLAG).search(sentence))


def claims(text: str) -> str:
    """Return what a text states, without its questions and its offers."""
    return "\n".join(one for one in sentences.texts(text) if not (asks(one) or _pattern("offer").search(one)))


_SHORT = 90


def keeps(text: str) -> bool:
    """Tell whether all is to stay as it is: `no, leave it as is`."""
    return _pattern("keeps").search(text) is not None and _pattern("rest").search(text) is None


def waves_off(text: str) -> bool:
    """Tell whether a short answer only declines or forgives: "no, thanks"."""
    return len(text) <= _SHORT and _pattern("waves").match(text) is not None and not values(text)


def passing(sentence: str, memory: str = "") -> bool:
    """Tell whether a sentence speaks of one occasion where the memory speaks of none, or of all of them."""
    return bool(_pattern("passing").search(sentence)) and not _pattern("passing").search(memory)


def once(sentence: str) -> bool:
    """Tell whether a sentence has something got for one occasion: `book for 11, not 9`."""
    return _pattern("once").search(sentence) is not None


def lasting(memory: str) -> bool:
    """Tell whether a memory speaks of every such occasion."""
    return bool(_pattern("lasting").search(memory))


def elsewhere(sentence: str, memory: str) -> bool:
    """Tell whether a sentence speaks of somebody whom the memory does not name: `my brother's dentist`."""
    low = memory.casefold()
    known = {kin(one) for one in re.findall(r"\w+", low)} - {""}
    said = [(match[1] or match[2]).casefold() for match in _pattern("people").finditer(sentence)]
    return any(one not in low and kin(one) not in known for one in said)


def observes(text: str, agent: str = "") -> bool:
    """Tell whether somebody speaks of code, or of what a tool shows: that is no memory."""
    return bool(_pattern("observed").search(text) or _pattern("tool").search(agent))


def about_ability(text: str) -> bool:
    """Tell whether somebody is reminded of a tool, a script or a skill (spec §5.3: no memory)."""
    return _pattern("ability").search(text) is not None
