"""Writes times of day in one way."""

from clawgit.language import times
from clawgit.text.sameness.calendar import EASTERN, WESTERN, atom


def timed(text: str, lang: str) -> str:
    """Return a text in which each time of day is an atom: `T14:00`."""
    parts, at = [], 0
    for one in times.find(text, (lang, *EASTERN, *WESTERN)):
        second = f":{one.second:02}" if one.second else ""
        parts += [text[at : one.start], atom(f"T{one.hour:02}:{one.minute:02}{second}")]
        at = one.end
    return "".join((*parts, text[at:]))
