"""A rewriting of history that was stopped halfway."""

import re
from collections.abc import Iterable
from pathlib import Path

from clawgit.errors import Advice, purge_unfinished
from clawgit.git import regular_file

_BACKUP, _HALFWAY = "purge-backup", "purge-halfway"
AGAIN = Advice("clawgit purge --text - < FILE")


def bundles(commondir: Path) -> list[str]:
    """Return where bundles of what was there lie, while history is rewritten or was not to the end."""
    try:
        return regular_file.read_state(commondir / "clawgit" / _BACKUP).decode("utf-8", "surrogateescape").splitlines()
    except OSError:
        return []


def told(commondir: Path) -> tuple[str, Advice] | None:
    """Return a sentence for the operator with the way out, None where nothing is to be told."""
    places = bundles(commondir)
    words = f"a purge runs, or was stopped; all that it takes out lies in {' and '.join(places)}"
    return (words, Advice(f"{AGAIN}   # the same again")) if places else None


def halfway(commondir: Path) -> bool:
    """Return whether references moved, and what follows them did not yet."""
    return (commondir / "clawgit" / _HALFWAY).exists()


def require_none(commondir: Path) -> None:
    """Raise ClawgitError where references moved, and files and index did not follow: a write would undo that."""
    if halfway(commondir):
        raise purge_unfinished("a purge was stopped halfway", fix=Advice(f"{AGAIN}   # the same again does the rest"))


def begin(commondir: Path, place: Path) -> None:
    """Note where a bundle will lie, beside those of earlier times."""
    every = dict.fromkeys((*bundles(commondir), str(place)))
    _note(commondir, every)


def _note(commondir: Path, places: Iterable[str]) -> None:
    data = "".join(f"{place}\n" for place in places).encode("utf-8", "surrogateescape")
    regular_file.replace_state(commondir / "clawgit" / _BACKUP, data)


def drop(commondir: Path, place: Path) -> None:
    """Take back a beginning of which nothing came: its bundle goes, those of earlier times stay."""
    place.unlink(missing_ok=True)
    rest = [bundle for bundle in bundles(commondir) if bundle != str(place)]
    _note(commondir, rest)
    if not rest:
        end(commondir)


def move(commondir: Path) -> None:
    """Note that references move from now on."""
    (commondir / "clawgit" / _HALFWAY).touch()


def followed(commondir: Path) -> None:
    """Note that all else followed them."""
    (commondir / "clawgit" / _HALFWAY).unlink(missing_ok=True)


def _is_bundle(place: Path) -> bool:
    """Return whether a bundle of git's is there: whoever wrote to our note may name any file."""
    try:
        with place.open("rb") as file:
            return re.match(rb"# v\d git bundle\n", file.read(32)) is not None
    except OSError:
        return False


def end(commondir: Path, *, keep: Path | None = None) -> None:
    """Note that all was done, or nothing: the bundles go, but for one that is to stay."""
    followed(commondir)
    for one in bundles(commondir):
        if Path(one) != keep and _is_bundle(Path(one)):
            Path(one).unlink(missing_ok=True)
    (commondir / "clawgit" / _BACKUP).unlink(missing_ok=True)
