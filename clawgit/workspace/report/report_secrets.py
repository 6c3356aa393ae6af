"""Where secrets stand, and how the identity became."""

import contextlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import repository, worktree_files
from clawgit.git.churn import Touch
from clawgit.git.repository import Oid, Repository
from clawgit.safety.secrets import Finding
from clawgit.text import tokens
from clawgit.workspace import file_roles, write_guard
from clawgit.workspace.report.report_history import MERGED


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
        if file_roles.guarded(touch.path) and touch.commit in self.head and len(touch.parents) < MERGED:
            self._touches.setdefault(touch.path, []).append((touch.date, touch.after))

    def files(
        self, repo: Repository | None, texts: Mapping[str, str], *, whole: bool = True
    ) -> tuple[IdentityFile, ...]:
        """Return every identity file that stands in `texts` or once stood, in the order in which prompts have them.

        `whole` tells that all of history was seen.
        """
        known = {path for path in texts if file_roles.guarded(path)} | set(self._touches)
        order = {path: number for number, path in enumerate(file_roles.IDENTITY)}
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


_SHORTEST = 8  # bytes; a shorter line holds no secret that any rule knows


class Secret(Struct, frozen=True):
    """Where a secret stands, never what it is; `commit` None is the file on disk.

    Of history it is the newest commit that brought it; `gone` tells that no file has it any more.
    """

    rule: str
    path: str
    line: int
    fingerprint: str
    commit: Oid | None = None
    date: str | None = None
    gone: bool = False


class Secrets(Struct, frozen=True):
    """Every place on disk, and each secret of history once; `rules` counts different secrets."""

    files: tuple[Secret, ...] = ()
    history: tuple[Secret, ...] = ()
    rules: Mapping[str, int] = field(default_factory=dict)

    @property
    def gone(self) -> tuple[Secret, ...]:
        """Those that only history has."""
        return tuple(one for one in self.history if one.gone)


class Leaks(Struct):
    """Collects secrets from a history that is told newest first."""

    _found: dict[str, Secret] = field(default_factory=dict)

    def see(self, touch: Touch) -> None:
        """Take in what a commit did."""
        for hunk in touch.hunks:
            text = b"\n".join(hunk.given).decode("utf-8", "replace")
            if len(text) < _SHORTEST:
                continue
            for hit in write_guard.scan_file(touch.path, text):
                line = hunk.new + hit.line - 1
                found = Secret(hit.rule, touch.path, line, hit.fingerprint, touch.commit, touch.date, gone=True)
                self._found.setdefault(hit.fingerprint, found)

    def secrets(self, hits: Mapping[str, Collection[Finding]], root: Path | None = None) -> Secrets:
        """Return all that is known, with those on disk, which are `hits` by path.

        Below `root` the files in which history has a secret are looked at as well, also those that are not ours.
        """
        elsewhere = {one.path for one in self._found.values()} - set(hits) if root else set()
        places = {**hits, **dict(_hits(root, elsewhere))} if root else hits
        files = tuple(
            Secret(hit.rule, path, hit.line, hit.fingerprint) for path, found in places.items() for hit in found
        )
        here = {file.fingerprint for file in files}
        past = tuple(replace(one, gone=one.fingerprint not in here) for one in self._found.values())
        kinds = {one.fingerprint: one.rule for one in (*past, *files)}
        return Secrets(files, past, dict(sorted(Counter(kinds.values()).items())))


def _hits(root: Path, paths: Collection[str]) -> Iterator[tuple[str, Collection[Finding]]]:
    for path in sorted(paths):
        with contextlib.suppress(OSError, ClawgitError):
            file = worktree_files.read(Repository(root, root / ".git", root / ".git"), path)
            if file is not None and (found := write_guard.scan_file(path, file.data.decode("utf-8", "replace"))):
                yield path, found
