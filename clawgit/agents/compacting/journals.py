"""The journals that are old enough to be compacted."""

import re
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.agents.view import View
from clawgit.errors import BusyError, ClawgitError
from clawgit.git import disk, pending, repository, survey
from clawgit.git.difference import Different
from clawgit.git.lease import leased
from clawgit.safety.paths import check
from clawgit.text import evidence
from clawgit.text.evidence import Pointer
from clawgit.workspace import guard, scope, secrecy
from clawgit.workspace.uncommitted import uncommitted

YOUNGEST = 30
"""Days that a journal stays as it is, whatever is configured."""
LARGEST = 256 << 10
"""Bytes of a journal; a larger one is no diary, and stays."""
_OTHERS = ("memory/archive/", "memory/dreaming/", "memory/imports/")
_CORRECTED = re.compile(r"(?<![\w#])#correction\b", re.IGNORECASE)
_TOLD = 5


class Journal(NamedTuple):
    """One journal as it was read."""

    path: str
    day: date
    text: str

    @property
    def blob(self) -> str:
        """What git calls these bytes, in ten letters."""
        return repository.hash_blob(self.text.encode())[:10]

    @property
    def pointer(self) -> str:
        """The whole of it, as evidence."""
        rows = self.text.removesuffix("\n").count("\n") + 1
        return evidence.format(Pointer("lines", self.path, 1, rows))


class Left(Struct):
    """What is left alone: how many, by reason, and sentences on what its owner should see to."""

    why: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def out(self, reason: str, note: str = "") -> None:
        """Leave one out."""
        self.why[reason] += 1
        if note and len(self.notes) < _TOLD and note not in self.notes:
            self.notes.append(note)

    def taken(self) -> dict[str, int]:
        """Return the reasons that came up since this was asked last."""
        found, self.why = dict(self.why), Counter()
        return found


def old(view: View, today: date, days: int, left: Left) -> list[Journal]:
    """Return the journals that are more than `days` days old, and never less than 30, in the order of their days.

    What is staged, open in an editor, holds a `#correction`, a new secret, or no text is left out.
    """
    repo = view.workspace.repo
    different = _different(view)
    known = {*survey.index(repo), *different}
    wanted = sorted((day, path) for path in known if (day := _day(path)) and (today - day).days > max(days, YOUNGEST))
    converted = frozenset(survey.attributed(repo, [path for _, path in wanted])) if wanted else frozenset()
    found: list[Journal] = []
    for day, path in wanted:
        if path in converted:
            left.out("stored in another form by git")
            continue
        try:
            found += _read(view, day, path, different.get(path), left)
        except FileNotFoundError:  # deleted, and not committed yet
            continue
        except ClawgitError as exc:
            left.out("not fit to be read", f"{exc.message}; it stays")
    return found


def _day(path: str) -> date | None:
    return None if path.startswith(_OTHERS) else scope.journal_day(path)


def _read(view: View, day: date, path: str, one: Different | None, left: Left) -> Iterator[Journal]:
    """Yield a journal, if it is fit to be compacted. Raises ClawgitError for what is no text, or may not be kept."""
    repo = view.workspace.repo
    if not _citable(path):
        left.out("named so that nothing can cite it", f"{path!r} has a name that the log cannot hold; it stays")
    elif one and (one.staged or one.unmerged):
        left.out("staged by hand", f"{path} has changes staged by hand; it stays")
    elif disk.size(repo, path) > LARGEST:
        left.out("too large", f"{path} is too large to compact; it stays")
    elif (text := view.read(path)) is not None:
        if one:
            secrecy.refuse(path, repository.read(repo, view.workspace.head, path), text.encode())
        if _CORRECTED.search(text):
            left.out("holds a #correction")
        elif _free(view, path):
            yield Journal(path, day, text)
        else:
            left.out("open in another program", f"{path} is open in another program; it stays")


def _citable(path: str) -> bool:
    """Tell whether a name can stand in the log, in evidence and in a command."""
    try:
        path.encode()
        guard.check_words(path, "a name")
        return evidence.parse(Journal(path, date.min, "").pointer).path == check(path)
    except (ClawgitError, UnicodeEncodeError):
        return False


def _free(view: View, path: str) -> bool:
    """Tell whether nobody has a file open for writing."""
    try:
        with leased(view.workspace.repo, (path,), time.monotonic() + 0.05):
            return True
    except BusyError:
        return False


def staged(view: View, path: str) -> bool:
    """Tell whether somebody is preparing a commit of a file."""
    one = _different(view).get(path)
    return one is not None and (one.staged or one.unmerged)


def _different(view: View) -> dict[str, Different]:
    """Return what is not as HEAD has it; what a killed write of ours left in the index is not staged by anybody."""
    repo = view.workspace.repo
    killed = pending.announced(repo) is not None
    found = (replace(one, staged=False) if killed else one for one in uncommitted(repo))
    return {one.path: one for one in found}
