"""A rewriting of history that was stopped halfway."""

from pathlib import Path

from clawgit.errors import ClawgitError

_BACKUP, _HALFWAY = "purge-backup", "purge-halfway"
AGAIN = "clawgit purge --text - < FILE"


def backup(commondir: Path) -> str | None:
    """Return where a bundle of what was there lies, while history is rewritten or was not to the end; else None."""
    try:
        return (commondir / "clawgit" / _BACKUP).read_text()
    except OSError:
        return None


def told(commondir: Path) -> tuple[str, str] | None:
    """Return a sentence for the operator with the way out, None where nothing is to be told."""
    place = backup(commondir)
    words = f"a purge runs, or was stopped; all that it takes out lies in {place}"
    return (words, f"{AGAIN}   # the same again") if place else None


def halfway(commondir: Path) -> bool:
    """Tell whether references moved, and what follows them did not yet."""
    return (commondir / "clawgit" / _HALFWAY).exists()


def require_none(commondir: Path) -> None:
    """Raise ClawgitError where references moved, and files and index did not follow: a write would undo that."""
    if halfway(commondir):
        raise ClawgitError("a purge was stopped halfway", fix=f"{AGAIN}   # the same again does the rest")


def begin(commondir: Path, place: Path) -> None:
    """Note where the bundle will lie."""
    (commondir / "clawgit" / _BACKUP).write_text(str(place))


def move(commondir: Path) -> None:
    """Note that references move from now on."""
    (commondir / "clawgit" / _HALFWAY).touch()


def followed(commondir: Path) -> None:
    """Note that all else followed them."""
    (commondir / "clawgit" / _HALFWAY).unlink(missing_ok=True)


def end(commondir: Path) -> None:
    """Note that all was done."""
    followed(commondir)
    (commondir / "clawgit" / _BACKUP).unlink(missing_ok=True)
