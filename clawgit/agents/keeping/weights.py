"""What each sign of a remark weighs."""

from collections.abc import Collection, Mapping

FIRST = -3.65
"""What a message without any sign weighs."""
FIRM, FAINT = 0.8, -0.3
"""From which weight on a remark counts alone, and from which beside another one."""
OPEN = 1.5
"""From which one counts alone that was meant well, or nobody can tell how."""
SLIGHT = -3.0
"""Below which the sentences of a message are not read at all."""
WEIGHTS: Mapping[str, float] = {
    # Whom it addresses.
    "addressed": -0.3,
    "toward": 0.5,
    "bid": 0.1,
    "forbid": 0.5,
    "must": -0.7,
    "begins you": 0.7,
    "begins I": -0.1,
    "begins other": -0.3,
    "third": -0.1,
    "other": -0.2,
    # What it is about.
    "about talk": 0.5,
    "talk": 0.8,
    "form": 0.3,
    "speak": 0.5,
    "quoted": 1.1,
    "topic": 0.8,
    "artefact": -1.1,
    # What it bids.
    "order": 0.2,
    "order on talk": 0.3,
    "rule": 0.6,
    "manner": 0.3,
    # For how long.
    "lasts": 0.2,
    "once more": 1.6,
    "former": 0.3,
    "left": 1.1,
    "keep": 0.3,
    "more of it": 1.3,
    "rely": 0.7,
    "skill": 0.9,
    "once": -0.7,
    "local": -1.0,
    # How it pleases.
    "judged": 0.4,
    "like": 0.5,
    "welcome": 0.7,
    "helped": 1.0,
    "able": 0.2,
    "way": 1.0,
    "fault": 0.6,
    "annoyed": 0.4,
    "asked": 1.8,
    # What it is set against.
    "set against": -0.5,
    "rather": 0.3,
    "suffices": 0.6,
    # What speaks against it.
    "task": -0.6,
    "fact": -0.5,
    "denies": -0.7,
    "idle": -1.9,
    "hearsay": -0.5,
    "fiction": -1.3,
    "chat": -1.8,
    "world": -1.2,
    "name": -0.8,
    "digit": 0.2,
    "question": -0.3,
    "asks": -1.3,
    "asks within": 0.4,
    "exclaimed": -2.0,
    # Which kinds come together.
    "about talk, addressed": 0.6,
    "about talk, set against": 0.5,
    "addressed, lasts": 0.8,
    "judged, set against": 0.4,
    # How long it is, and in which language.
    "length -299": -1.3,
    "length 0-17": 1.3,
    "length 18-39": 0.7,
    "length 300-": -1.0,
    "length 40-89": 0.6,
    "of Europe": 0.6,
}
"""Measured by logistic regression on three of the lives in `tests/corpora/life` and on `conduct.toml`, rounded.

What speaks against: the talk of those lives, corrections of facts, and chat between people. With the weights of two
lives, 50 % of the lessons of the third are learnt, and a line for one of 110 turns of ordinary talk. Its words were
listed by somebody who had read all three.
"""


def score(signs: Collection[str]) -> float:
    """Return the sum of what the signs weigh."""
    return FIRST + sum(WEIGHTS.get(one, 0.0) for one in signs)
