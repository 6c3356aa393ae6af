"""What is made of the remarks in the corpus."""

import tomllib
from collections import Counter
from pathlib import Path

from clawgit.agents.heard import Heard
from clawgit.agents.keeping.hearing import hear
from clawgit.agents.keeping.weighing import Lesson, weigh
from clawgit.agents.keeping.wording import principle, tidied

CORPUS = Path(__file__).parents[2] / "corpora/conduct.toml"
SOUL = "# Soul\n\n## Vibe\n\n- Have a view.\n- Look before asking.\n"
_DAY, _NOON = 86_400.0, 1_777_896_000.0
_BEFORE = "Here is what I found, and a good deal more than that. " * 6

Row = tuple[list[str], str, str]


def rows(part: str) -> list[Row]:
    """Return the rows of a part."""
    return [(said, where, about) for said, where, about in tomllib.loads(CORPUS.read_text("utf-8"))[part]]


def learnt(said: list[str]) -> list[Lesson]:
    """Return the lessons of turns that were said on days in a row, each in a session of its own."""
    heard = [Heard(text, "operator", _NOON + at * _DAY, f"s{at}", f"e{at}", _BEFORE) for at, text in enumerate(said, 1)]
    remarks = [hear(turn) for turn in heard]
    return list(weigh([signal for one in remarks for signal in one.signals], (), Counter()))


def verdict(row: Row) -> str:
    """Return "" where a row gives what it should, else what is wrong with it."""
    said, where, about = row
    found = learnt(said)
    places = {"lessons" if one.kind == "operation" else "soul" for one in found}
    if places != ({where} if where else set()):
        return f"goes to {sorted(places)}, not to {where or 'nothing'}"
    told = [
        f"{one.aim.name if one.aim else ''} {tidied(one.newest.words)} "
        + principle(one.aim, one.newest.words, one.newest.lang, SOUL, one.newest.lang)
        for one in found
    ]
    return "" if not where or any(about in one for one in told) else f"is about {told}"
