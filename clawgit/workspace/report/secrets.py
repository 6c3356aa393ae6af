"""Where secrets stand, in files or in history."""

import contextlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import disk
from clawgit.git.churn import Touch
from clawgit.git.repository import Oid, Repository
from clawgit.safety import secrets
from clawgit.safety.secrets import Finding

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
            for hit in secrets.scan(text):
                line = hunk.new + hit.line - 1
                found = Secret(hit.rule, touch.path, line, hit.fingerprint, touch.commit, touch.date, gone=True)
                self._found.setdefault(hit.fingerprint, found)

    def secrets(self, hits: Mapping[str, Collection[Finding]], root: Path | None = None) -> Secrets:
        """Return all that is known, with those on disk, which are `hits` by path.

        Below `root` the files in which history has a secret are looked at as well, also those that are not ours.
        """
        elsewhere = {one.path for one in self._found.values()} - set(hits) if root else set()
        files = tuple(_standing({**hits, **dict(_hits(root, elsewhere))} if root else hits))
        here = {one.fingerprint for one in files}
        past = tuple(replace(one, gone=one.fingerprint not in here) for one in self._found.values())
        kinds = {one.fingerprint: one.rule for one in (*past, *files)}
        return Secrets(files, past, dict(sorted(Counter(kinds.values()).items())))


def _hits(root: Path, paths: Collection[str]) -> Iterator[tuple[str, Collection[Finding]]]:
    for path in sorted(paths):
        with contextlib.suppress(OSError, ClawgitError):
            file = disk.read(Repository(root, root / ".git", root / ".git"), path)
            if file is not None and (found := secrets.scan(file.data.decode("utf-8", "replace"))):
                yield path, found


def _standing(hits: Mapping[str, Collection[Finding]]) -> Iterator[Secret]:
    for path, found in hits.items():
        yield from (Secret(hit.rule, path, hit.line, hit.fingerprint) for hit in found)
