"""Reads what the sentences of a remark tell."""

from clawgit.agents.keeping import cues, frames
from clawgit.agents.keeping.phrasing import Phrase
from clawgit.agents.keeping.signs import read
from clawgit.agents.keeping.weights import score


def told(text: str, every: list[Phrase]) -> frozenset[str]:
    """Return the signs of a message that its sentences tell: they cost more than those of its words."""
    standing = bool(cues.STANDING.search(text))
    found = (
        ("topic", any(one.topics for one in every)),
        ("order", any(one.orders for one in every)),
        ("order on talk", any(one.orders and one.topics for one in every)),
        ("rule", any(_rules(one, standing=standing) for one in every)),
        ("manner", any(one.orders and "toward" in one.topics for one in every)),
        ("instead", any(one.orders and one.topics and cues.CONTRASTS.search(one.words) for one in every)),
        ("welcome", any(cues.WELCOMES.search(one.words) and not cues.FOILS.search(one.words) for one in every)),
        ("more of it", cues.LASTING.search(text)),
        ("left", cues.LAPSES.search(text)),
        ("skill", cues.ABLE.search(text) and cues.RELIES.search(text)),
        ("once more", any(cues.AGAIN.search(one.words) for one in every)),
        ("artefact", frames.ARTEFACT.search(text)),
        ("local", frames.LOCAL.search(text)),
        ("other", frames.OTHERS.search(text)),
        ("question", all(one.asks for one in every)),
    )
    return frozenset(name for name, holds in found if holds)


def weight(text: str, every: list[Phrase]) -> float:
    """Return what all signs of a text weigh."""
    return score(read(text) | told(text, every))


def _rules(one: Phrase, *, standing: bool) -> bool:
    """Tell whether a sentence orders something for always."""
    return one.orders and (standing or one.general) and bool(one.topics or cues.SPEECH.search(one.words))
