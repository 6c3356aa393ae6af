"""What a line says, whatever its dress."""

import re

from clawgit.text.identity import normalise

_DRESS = " \t\r\ufeff-*+>#|_`~=:."
_EMPHASIS = re.compile("[*_`~]")
_OPENING = re.compile(r"(?:\d{1,9}[.)][ \t]+|\[[ xX]\][ \t]+)+")
_MARKED = re.compile(r"<!--|#[ \t]*\w+[ \t\r]*$")  # a comment or a tag, which the fast way would leave
_PLAIN = re.compile(r"(?:[^a-z]*[a-z]){4}")  # a time, a date, a rule or `ok` says nothing that could be lost
_LETTERS = re.compile(r"[^\W\d_]")
_SPEAKS = 4
_DENSE = "\u2e80"  # from here on come scripts in which two letters are a word


def saying(line: str) -> str:
    """Return what a line says: no marker, emphasis, case, spacing, tags or comments; "" where it says next to nothing.

    Cheap, for it is asked of every line that there ever was.
    """
    plain = line if line.isascii() and not _MARKED.search(line) else normalise(line)
    plain = plain.strip(_DRESS)
    if plain[:1].isdigit() or plain.startswith("["):
        plain = _OPENING.sub("", plain, count=1)
    said = " ".join(_EMPHASIS.sub("", plain.casefold()).split())
    return said if _PLAIN.match(said) or (not said.isascii() and _speaks(said)) else ""


def flat(text: str) -> str:
    """Return a whole text as one line in which every saying of it stands, however its lines were broken."""
    return " ".join(_EMPHASIS.sub("", text.casefold()).split())


def _speaks(said: str) -> bool:
    return sum(2 if letter[0] >= _DENSE else 1 for letter in _LETTERS.finditer(said)) >= _SPEAKS
