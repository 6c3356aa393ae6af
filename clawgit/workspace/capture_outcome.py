"""What a capture commits, and what it tells."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct, field

from clawgit.git import repository
from clawgit.git.repository import Oid
from clawgit.safety.secrets import Finding
from clawgit.workspace import entries, file_roles
from clawgit.workspace.write_guard import new_secrets

if TYPE_CHECKING:
    from clawgit.workspace.change import Offered, StaleWrite
    from clawgit.workspace.workspace_base import WorkspaceBase


class Taken(Struct, frozen=True, dict=True):
    """What a capture commits: the bytes of each path (None: no file).

    `trusted` is what each file held before others wrote to it, and `as_of` the commit where that stands. `refused` are
    files as others left them where that may not stand, and `offered` the proposals that it waits as. `stale` are writes
    of the agent that are merged with what it had not read, `arrived` the rows of entries that were removed and are
    back. `head` is the commit before the capture.
    """

    workspace: "WorkspaceBase | None" = None
    committed: Mapping[str, bytes | None] = field(default_factory=dict)
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    trusted: Mapping[str, bytes | None] = field(default_factory=dict)
    as_of: Mapping[str, Oid | None] = field(default_factory=dict)
    refused: Mapping[str, bytes | None] = field(default_factory=dict)
    stale: "Mapping[str, StaleWrite]" = field(default_factory=dict)
    arrived: Mapping[str, entries.Row] = field(default_factory=dict)
    offered: "Mapping[str, Offered]" = field(default_factory=dict)
    head: Oid | None = None

    @cached_property
    def found(self) -> Mapping[str, bytes | None]:
        """The files that differ from what is committed."""
        return {path: data for path, data in self.files.items() if data != self.committed[path]}

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """The files that others changed, on disk or in commits of their own."""
        return tuple(path for path, data in self.final.items() if data != self.trusted.get(path))

    @cached_property
    def final(self) -> Mapping[str, bytes | None]:
        """The bytes of each path once the stale writes among them are merged."""
        return {**self.files, **{path: stale.text.encode() for path, stale in self.stale.items()}}

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """A sentence for each stale write."""
        return tuple(f"{path}: stale write, {count_lines(len(one.lines))} back" for path, one in self.stale.items())

    @property
    def secrets(self) -> Iterator[tuple[str, Finding]]:
        """The secrets that come with it, by path: only such as history holds already."""
        for path, data in self.found.items():
            yield from ((path, finding) for finding in new_secrets(path, self.committed[path], data))

    @property
    def agents(self) -> bytes | None:
        """What AGENTS.md holds before the capture."""
        return repository.read(self.workspace.repo, self.head, file_roles.AGENTS) if self.workspace else None


def count_lines(count: int) -> str:
    """Return how many lines, in words."""
    return f"{count:,} line{'' if count == 1 else 's'}"
