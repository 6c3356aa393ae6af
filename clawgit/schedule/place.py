"""A workspace as a runner knows it, without libgit2."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError, quoted
from clawgit.messages import local
from clawgit.workspace import scope
from clawgit.workspace.trust import place as states


class Place(Struct, frozen=True):
    """The folder that is there now, and no other that takes its place.

    `home` is what is local to the clone (`.git/clawgit`), `git` the folder of git, `state` what is kept outside.
    """

    root: Path
    home: Path
    git: Path
    state: Path
    inode: int

    def require(self) -> None:
        """Raise GoneError when the workspace is gone, or is another one now."""
        try:
            inode = self.root.stat().st_ino
        except OSError as exc:
            raise GoneError(f"{self.root} is gone", fix="git clone BACKUP, or restore the folder") from exc
        if inode != self.inode or not (self.root / ".git").exists():
            raise GoneError(
                f"{self.root} is not the workspace it was", fix=f"clawgit -C {quoted(self.root)} schedule status"
            )
        if not (self.root / scope.FORMAT).exists():
            raise GoneError(f"{self.root} is not managed by clawgit", fix=f"clawgit adopt {quoted(self.root)}")


class GoneError(ClawgitError):
    """The workspace is no longer there."""


def place(folder: Path, environ: Mapping[str, str]) -> Place:
    """Return the workspace around `folder`. Raises ClawgitError where clawgit is not at home."""
    found = known(folder, environ)
    if found is None:
        root = local.root(folder.resolve())
        raise ClawgitError(f"{root} is in no git repository", fix=f"clawgit init {quoted(root)}")
    found.require()
    return found


def known(folder: Path, environ: Mapping[str, str]) -> Place | None:
    """Return the repository around `folder`, also where clawgit has left it; None outside of git."""
    root = local.root(folder.resolve())
    home = local.home(root)
    if home is None:
        return None
    return Place(root, home, home.parent, states.folder(home.parent, environ), root.stat().st_ino)
