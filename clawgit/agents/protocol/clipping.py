"""Cuts short what others than the operator said."""

from clawgit.language import sentences
from clawgit.text.tokens import count
from clawgit.workspace.message import one_line

AGENT, TOOL, OTHER = 60, 20, 40
"""Tokens of a turn of the agent, of what a tool returned, and of somebody else's turn."""
_GAP = " […] "
_LETTERS = 12  # of one token, at the most
_LOOKED_AT = 8_000  # letters at the end that a question is looked for in


def agent_turn(text: str, most: int = AGENT) -> str:
    """Return the head and the tail of what the agent said, with its last question; on one line."""
    plain = one_line(text)
    if count(plain[: most * _LETTERS]) <= most and len(plain) <= most * _LETTERS:
        return plain
    asked = _question(plain, most // 2)
    room = most - count(asked)
    if asked and plain.endswith(asked):
        return f"{head(plain, room)}{_GAP}{asked}"
    last = tail(plain, room // 3)
    return _GAP.join(part for part in (head(plain, room - room // 3), asked, last) if part)


def whole(text: str, most: int) -> str:
    """Return a text as it is, or without its middle where it would take more than `most` tokens."""
    if len(text) <= most or count(text) <= most:
        return text
    return f"{head(text, most * 2 // 3)}\n{_GAP.strip()}\n{tail(text, most // 3)}"


def head(text: str, most: int) -> str:
    """Return the beginning of a text, as many whole words as `most` tokens hold."""
    return _most(text, most, text[: most * _LETTERS], from_end=False)


def tail(text: str, most: int) -> str:
    """Return the end of a text, as many whole words as `most` tokens hold."""
    return _most(text, most, text[-most * _LETTERS :] if most else "", from_end=True)


def _most(text: str, most: int, part: str, *, from_end: bool) -> str:
    low, high = 0, len(part)
    while low < high:
        middle = (low + high + 1) // 2
        if count(part[-middle:] if from_end else part[:middle]) <= most:
            low = middle
        else:
            high = middle - 1
    if low >= len(text):
        return text
    if from_end:
        cut = part[len(part) - low :]
        return (cut.partition(" ")[2] or cut).lstrip() if low else ""
    cut = part[:low]
    return (cut.rpartition(" ")[0] or cut).rstrip()


def _question(plain: str, most: int) -> str:
    """Return the last question of a text; "" where none is short enough."""
    end = plain[-_LOOKED_AT:]
    asked = [one for one in sentences.texts(end) if one.rstrip("\"')*_ ").endswith(("?", "\uff1f"))]
    return asked[-1] if asked and count(asked[-1]) <= most else ""
