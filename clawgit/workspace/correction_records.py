"""Records of corrections, in CORRECTIONS.md and in the archive."""

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from clawgit.text.correction import Correction, corrections
from clawgit.workspace import file_roles

ARCHIVE = "Archive/Corrections/"

Read = Callable[[str], str | None]


class Standing(Struct, frozen=True):
    """A record, and the file where it stands."""

    path: str
    record: Correction

    @property
    def archived(self) -> bool:
        """Whether it went to the archive."""
        return self.path != file_roles.CORRECTIONS


def paths(root: Path) -> tuple[str, ...]:
    """Return the files that hold records: the archive first, then CORRECTIONS.md."""
    older = sorted(place.relative_to(root).as_posix() for place in root.glob(f"{ARCHIVE}*.md"))
    return (*older, file_roles.CORRECTIONS)


def standing(root: Path, read: Read) -> tuple[Standing, ...]:
    """Return all records, the oldest first; of one that was brought back from the archive the one in CORRECTIONS.md."""
    found = [Standing(path, correction) for path in paths(root) for correction in corrections(read(path) or "")]
    current = {one.record.id for one in found if not one.archived} - {""}
    kept = [one for one in found if not (one.archived and one.record.id in current)]
    return tuple(sorted(_once(kept), key=lambda one: (not one.archived, one.record.at if one.archived else "")))


def _once(some: list[Standing]) -> Iterator[Standing]:
    """Leave out a record of the archive that another of its files has too, word for word."""
    seen: set[tuple[str, ...]] = set()
    for one in some:
        told = (one.record.id, one.record.at, *(f"{label}: {value}" for label, value in one.record.fields.items()))
        if not (one.archived and one.record.id and told in seen):
            seen.add(told)
            yield one
