"""Tells whether a claim holds what nobody said at all."""

from functools import lru_cache

from clawgit.agents.protocol import backing, facts
from clawgit.agents.protocol.backing import Evidence, Source
from clawgit.agents.protocol.batch import Batch
from clawgit.agents.protocol.checked import Ground

_LETTERS = 4
"""Of a name, which may have another ending."""


def invented(text: str, batch: Batch, ground: Ground, isos: tuple[str, ...]) -> bool:
    """Tell whether a text has a number or a name that stands nowhere in a batch: no reading of it can be right.

    Days and times are left to who judges support: they may follow from what was said.
    """
    said = _everything(_texts(batch, ground), isos)
    found = facts.read(text, isos)
    if any(one.lower().strip(".,;:!?()[]'\"`") not in said.text for one in found.tokens):
        return True
    if not all(backing.counted(one, said) for one in found.amounts):
        return True
    names = (one.said.lower() for one in facts.names(text, isos, found) if one.sure)
    return any(one[: max(_LETTERS, len(one) // 2 + 1)] not in said.text for one in names)


def _texts(batch: Batch, ground: Ground) -> tuple[str, ...]:
    return (
        *(turn.text for turn in batch.turns),
        *(one.text for one in batch.entries),
        *(one.text for one in ground.held.values()),
        *(one.text for one in batch.soul),
        *sorted(ground.speakers),
    )


@lru_cache(maxsize=8)
def _everything(texts: tuple[str, ...], isos: tuple[str, ...]) -> Evidence:
    return Evidence(tuple(map(Source, texts)), isos)
