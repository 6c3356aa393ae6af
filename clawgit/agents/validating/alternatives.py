"""Tells whether the truth is left open between two values."""

import re

from clawgit.agents.validating.matter import alike, equal, places
from clawgit.agents.validating.values import names, values

_OR = re.compile(
    r"^\W{0,3}(?:or|or maybe|or else|oder|o|u|ou"
    r"|还是|還是|或者|或是|或|か|または|それとも|かそれとも|아니면|이나|나|또는|혹은)"
    r"(?: (?:on|at|in|the|am|um|im|a|el|la|las|le|à))*\s?$",
    re.IGNORECASE,
)


def left_open(sentence: str, said: str, true: str) -> bool:
    """Tell whether `true` stands beside another value of its kind: `the 5th or the 6th`."""
    plain = values(sentence)
    every = sorted((*plain, *names(sentence, plain, opening=True)), key=lambda one: one.start)
    wrong = {one.canon for one in every if one.text == said}
    for start, end in places(sentence, true):
        mine = [one for one in every if one.start < end and start < one.end]
        for one in mine:
            for other in every:
                if other.canon in wrong or not alike(one, other) or equal(one, other):
                    continue
                first, last = sorted((one, other), key=lambda each: each.start)
                if _OR.match(sentence[first.end : last.start]):
                    return True
    return False
