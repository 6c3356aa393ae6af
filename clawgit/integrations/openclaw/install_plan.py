"""What connecting and taking away would do."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from clawgit.integrations.openclaw import openclaw_target
from clawgit.integrations.openclaw.config_part import Done, Pen, together
from clawgit.integrations.openclaw.openclaw_config import Rewritten
from clawgit.integrations.openclaw.openclaw_target import Record, Target
from clawgit.workspace.change import Applied, Change

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


def carry_out(plan: Plan) -> Applied | None:
    """Do what was planned; return what became of the change of the skill, None where there was none.

    Raises ClawgitError with every file as it was.
    """
    with together() as pen:
        for place, (was, now) in plan.files.items():
            pen.write(place, was, now)
        _configure(plan, pen)
        applied = plan.target.workspace.apply(plan.skill) if plan.skill else None
    for folder in plan.folders:
        pen.drop(folder)
    return applied


def _configure(plan: Plan, pen: Pen) -> None:
    """Write the configuration; what tells of it is there before, and goes after: a kill in between loses nothing."""
    place = openclaw_target.file(plan.target.workspace)
    was = place.read_bytes() if place.exists() else None
    if plan.record:
        pen.write(place, was, openclaw_target.dumped(plan.record), private=True)
    pen.write(plan.config.place, plan.config.before, plan.config.after)
    if not plan.record:
        pen.write(place, was, None)
