"""What connecting, or taking the connection away, would do."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from clawgit.integrations.openclaw.configuration import Rewritten
from clawgit.integrations.openclaw.part import Done
from clawgit.integrations.openclaw.record import Record
from clawgit.integrations.openclaw.target import Target
from clawgit.workspace.change import Change

Files = Mapping[Path, tuple[bytes | None, bytes | None]]


class Plan(Struct, frozen=True):
    """What would be done, part by part.

    `files` of the hook go from what they hold to something else (None: no file), the configuration goes as `config`
    says, `record` is what is kept of it then (None: nothing), `skill` the change of the workspace. `folders` are
    removed in the end if they are empty.
    """

    target: Target
    done: tuple[Done, ...]
    files: Files
    config: Rewritten
    record: Record | None
    skill: Change | None
    folders: tuple[Path, ...] = ()

    @property
    def outside(self) -> tuple[Path, ...]:
        """The files outside of the workspace that would be written or removed."""
        config = [self.config.place] if self.config.after != self.config.before else []
        return (*(place for place, (was, now) in self.files.items() if was != now), *config)
