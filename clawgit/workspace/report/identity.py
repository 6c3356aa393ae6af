"""How the identity came to be what it is."""

from collections.abc import Collection, Mapping

from msgspec import Struct, field

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.git.churn import Touch
from clawgit.git.repository import Oid, Repository
from clawgit.text import tokens
from clawgit.workspace import scope
from clawgit.workspace.report.history import MERGED


class IdentityFile(Struct, frozen=True):
    """An identity file: its `versions` in `commits`, from `first` to `last` (ISO 8601).

    Tokens are estimated; `tokens` is None when the file is gone, `born` when its first version is not known, `versions`
    when it has none in that part of history which could be read.
    """

    path: str
    tokens: int | None
    characters: int
    versions: int | None = 0
    commits: int = 0
    first: str | None = None
    last: str | None = None
    born: int | None = None

    @property
    def growth(self) -> int | None:
        """How many tokens it has more than in its first version."""
        return None if self.tokens is None or self.born is None else self.tokens - self.born


class Versions(Struct):
    """Collects the versions of identity files from a history; `head` are the commits that HEAD reaches."""

    head: Collection[Oid]
    _touches: dict[str, list[tuple[str, Oid | None]]] = field(default_factory=dict)

    def see(self, touch: Touch) -> None:
        """Take in what a commit did."""
        if scope.guarded(touch.path) and touch.commit in self.head and len(touch.parents) < MERGED:
            self._touches.setdefault(touch.path, []).append((touch.date, touch.after))

    def files(
        self, repo: Repository | None, texts: Mapping[str, str], *, whole: bool = True
    ) -> tuple[IdentityFile, ...]:
        """Return every identity file that stands in `texts` or once stood, in the order in which prompts have them.

        `whole` tells that all of history was seen.
        """
        known = {path for path in texts if scope.guarded(path)} | set(self._touches)
        order = {path: number for number, path in enumerate(scope.IDENTITY)}
        return tuple(
            self._file(repo, path, texts.get(path), none=0 if whole else None)
            for path in sorted(known, key=lambda p: (order.get(p, 99), p))
        )

    def _file(self, repo: Repository | None, path: str, text: str | None, none: int | None) -> IdentityFile:
        size = None if text is None else tokens.count(text)
        touches = self._touches.get(path, [])
        blobs = [blob for _, blob in touches if blob]
        dates = [date for date, _ in touches]
        if not blobs or repo is None:
            return IdentityFile(path, size, len(text or ""), none)
        found = (len(set(blobs)), len(touches), dates[-1], dates[0], _tokens(repo, blobs[-1]))
        return IdentityFile(path, size, len(text or ""), *found)


def _tokens(repo: Repository, blob: Oid) -> int | None:
    try:
        return tokens.count(repository.blob(repo, blob).decode("utf-8", "replace"))
    except ClawgitError:  # a damaged or partial clone
        return None
