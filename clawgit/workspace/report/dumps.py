"""Raw conversations that lie among the memories."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from clawgit.workspace import dumped


class Dumps(Struct, frozen=True):
    """The files that hold a conversation as it was said, and how many of the memories' characters they are."""

    paths: tuple[str, ...] = ()
    characters: int = 0
    of: int = 0

    @property
    def share(self) -> float:
        """Their part of all memory text, 0 to 1."""
        return self.characters / self.of if self.of else 0.0


def dumps(texts: Mapping[str, str], memory: Iterable[str]) -> Dumps:
    """Return the dumps among the `memory` paths."""
    sizes = {path: len(texts[path]) for path in memory}
    found = tuple(path for path in sizes if dumped.has_turns(texts[path]))
    return Dumps(found, sum(sizes[path] for path in found), sum(sizes.values()))
