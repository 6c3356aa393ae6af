"""Tells which sentences can stand as memories."""

import re

from clawgit.agents.validating import cues, unclaimed
from clawgit.agents.validating.matter import words
from clawgit.language import logic, requests
from clawgit.messages.pattern import MINER
from clawgit.messages.patterns import BUILT_IN
from clawgit.messages.triage import triage

_LONGEST = 240
_LEAST = 2
_JOINS = re.compile(r"[\s,:;\uff0c\u3001\uff1a-]*(?:(?:that|que|dass|daß)\b)?[\s,:]*", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|it's|that's|my|moved|changed|switched|now|ist|sind|heißt|es|son|est|sont|c'est|s'appelle)\b|[是在叫改换은는이가は]",
    re.IGNORECASE,
)


def plainly(sentence: str) -> str:
    """Return a sentence without the words that only ask to remember it: `Remember that`."""
    request = requests.find(sentence)
    if (
        request
        and not words(sentence[: request.start])
        and (begin := requests.thing(sentence, request)) > request.start
    ):
        return sentence[begin].upper() + sentence[begin + 1 :]
    match = next((one for one in triage(sentence, BUILT_IN).matches if one.route == MINER), None)
    if match is None or words(sentence[: match.start]):
        return sentence
    rest = sentence[_JOINS.match(sentence, match.end).end() :]  # type: ignore[union-attr]  # it matches nothing, too
    return rest[:1].upper() + rest[1:] if len(words(rest)) >= _LEAST else sentence


def tells(sentence: str) -> bool:
    """Tell whether a sentence of the operator's states something by itself, and is understood without others."""
    isos = logic.languages(sentence)
    return (
        len(sentence) <= _LONGEST
        and len(words(sentence)) >= 1
        and cues.bare(sentence) == sentence.strip()
        and not (logic.dangles(sentence, isos) or logic.leans(sentence, isos))
        and not (unclaimed.unsure(sentence) or cues.strongly(sentence))
    )


def others(sentence: str) -> bool:
    """Tell whether a sentence of the agent's can stand so too: it names neither of the two that talk."""
    persons = logic.finder(logic.phrases(logic.languages(sentence), "persons"))
    return tells(sentence) and states(sentence) and persons.search(sentence.lower()) is None


def states(sentence: str) -> bool:
    """Tell whether a sentence says what something is."""
    return _VERB.search(sentence) is not None
