"""Raw conversations that lie among the memories."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_TITLE = re.compile(r"^\ufeff?# Session:", re.MULTILINE)
_TURN = re.compile(r"^(?:user|assistant): ?", re.MULTILINE)
_TOP = 400  # characters in which the title must stand


@dataclass(frozen=True, slots=True)
class Dumps:
    """The files that hold a conversation as it was said, and how many of the memories' characters they are."""

    paths: tuple[str, ...] = ()
    characters: int = 0
    of: int = 0

    @property
    def share(self) -> float:
        """Their part of all memory text, 0 to 1."""
        return self.characters / self.of if self.of else 0.0


def is_dump(text: str) -> bool:
    """Tell whether a text is what `/new` wrote: a session's title, then turns."""
    title = _TITLE.search(text, 0, _TOP)
    return title is not None and _TURN.search(text, title.end()) is not None


def dumps(texts: Mapping[str, str], memory: Iterable[str]) -> Dumps:
    """Return the dumps among the `memory` paths."""
    sizes = {path: len(texts[path]) for path in memory}
    found = tuple(path for path in sizes if is_dump(texts[path]))
    return Dumps(found, sum(sizes[path] for path in found), sum(sizes.values()))
