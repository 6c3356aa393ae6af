"""Takes the scores off lines that OpenClaw promoted."""

import re

_SCORES = re.compile(r"[ \t]*\[score=[\d.]+ (?:\w+=[\d.]+ )*source=[^\]\n]*\](?=[ \t]*$)", re.MULTILINE)
"""What OpenClaw's dreaming puts behind a line that it promotes: why it did, which is no part of the memory."""


def without_scores(text: str) -> str:
    """Return a text without the scores at the ends of its lines."""
    return _SCORES.sub("", text) if "[score=" in text else text
