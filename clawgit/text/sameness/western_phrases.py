"""Turns of phrase that say the same."""

from clawgit.text.sameness.note import word_table

_CONTRACTED = word_table("contracted")
_FOREIGN_FROM = "im>in"

_PHRASES = word_table("phrases")


def _rows(text: str) -> list[tuple[str, str]]:
    pairs = (row.partition(">") for line in text.strip().splitlines() for row in line.split("|"))
    return [(said.strip(), meant.strip()) for said, _, meant in pairs]


CONTRACTED: dict[str, list[str]] = {}
ELIDED: dict[str, list[str]] = {}
"""The same for what German, Spanish and French run together."""

for _said, _meant in _rows(_CONTRACTED):
    _into = ELIDED if ELIDED or f"{_said}>{_meant}" == _FOREIGN_FROM else CONTRACTED
    _into |= dict.fromkeys(_said.split(), _meant.split())

_MISSPELT = word_table("misspelt")
SPELLED = dict(_rows(_MISSPELT))
"""Common slips, as they are meant."""

PHRASES: dict[str, list[tuple[list[str], list[str]]]] = {}
"""Turns of phrase by their first word, the longest first."""

for _said, _meant in sorted(_rows(_PHRASES), key=lambda row: -len(row[0].split())):
    PHRASES.setdefault(_said.split()[0], []).append((_said.split(), _meant.split()))


def plain(words: list[str]) -> list[str]:
    """Return words with each turn of phrase put in one way."""
    out: list[str] = []
    at = 0
    while at < len(words):
        for said, meant in PHRASES.get(words[at], ()):
            if words[at : at + len(said)] == said:
                out += meant
                at += len(said)
                break
        else:
            out.append(words[at])
            at += 1
    return out
