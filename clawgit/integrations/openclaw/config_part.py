"""What clawgit owns in openclaw.json."""

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from msgspec import Struct, field

from clawgit.errors import Advice, file_unwritable, in_use
from clawgit.git import worktree_files


class Pen(Struct):
    """What was written so far: `before` holds each file as it stood, `made` the folders that are new."""

    before: list[tuple[Path, bytes | None, bytes | None, int | None]] = field(default_factory=list)
    made: list[Path] = field(default_factory=list)

    def write(self, place: Path, was: bytes | None, data: bytes | None, *, private: bool = False) -> None:
        """Have `place` hold `data` (None: no file) where it held `was`; a file that stays keeps its mode and owner.

        Raises BusyError if it holds something else by now.
        """
        if was == data:
            return
        if _held(place) != was:
            raise in_use(f"{place} was changed at this very moment", fix=Advice("try again"))
        if data is not None:
            self._make(place.parent, private=private)
        mode = place.stat().st_mode & 0o7777 if place.exists() else None
        self.before.append((place, was, data, mode))
        worktree_files.replace_file(place, data, 0o600 if private and mode is None else mode)

    def drop(self, folder: Path) -> None:
        """Remove a folder that is empty; any other stays."""
        with contextlib.suppress(OSError):
            folder.rmdir()

    def _make(self, folder: Path, *, private: bool) -> None:
        missing = [one for one in (folder, *folder.parents) if not one.exists()]
        for one in reversed(missing):
            one.mkdir(mode=0o700 if private else 0o777)
            self.made.append(one)

    def back(self) -> None:
        """Put everything back, what somebody has written in between excepted."""
        for place, was, data, mode in reversed(self.before):
            with contextlib.suppress(OSError):
                if _held(place) == data:
                    place.parent.mkdir(parents=True, exist_ok=True)
                    worktree_files.replace_file(place, was, mode)
        for folder in reversed(self.made):
            self.drop(folder)


@contextmanager
def together() -> Iterator[Pen]:
    """Give a pen; what it wrote is taken back if the block fails."""
    pen = Pen()
    try:
        yield pen
    except OSError as exc:
        pen.back()
        raise file_unwritable(f"cannot write {exc.filename}: {exc.strerror}", fix=Advice("see ls -ld and df")) from exc
    except BaseException:
        pen.back()
        raise


def _held(place: Path) -> bytes | None:
    try:
        return place.read_bytes()
    except FileNotFoundError:
        return None


Name = Literal["plugin", "plugin setting", "hook", "hook setting", "mcp server", "skill"]
State = Literal["installed", "missing", "outdated", "edited", "foreign", "off", "unfit"]
Act = Literal["installed", "renewed", "kept", "removed", "left"]


class Part(Struct, frozen=True):
    """How one part stands at `place`.

    `installed`: as it would be installed now; `outdated`: ours, from another version or with other places in it;
    `edited`: ours, with words of somebody's in it; `foreign`: somebody's own; `off`: switched off by the operator;
    `unfit`: it cannot be installed from here, for the reason in `note`. `fix` is a command to paste.
    """

    name: Name
    state: State
    place: Path
    note: str = ""
    fix: str = ""


class Done(Struct, frozen=True):
    """What becomes of one part; what is `left` was not touched, for the reason in `note`, and `fix` is the way out."""

    name: Name
    act: Act
    place: Path
    note: str = ""
    fix: str = ""
