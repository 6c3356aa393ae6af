"""What connecting and taking away would do."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, program_failed
from clawgit.integrations.openclaw import openclaw_target
from clawgit.integrations.openclaw.config_part import Done, Pen, together
from clawgit.integrations.openclaw.openclaw_config import Rewritten, says_same
from clawgit.integrations.openclaw.openclaw_target import Record, Target
from clawgit.outside import subprocess_runner
from clawgit.workspace.change import Applied, Change

Files = Mapping[Path, tuple[bytes | None, bytes | None]]


class Plan(Struct, frozen=True):
    """What would be done, part by part.

    `files` of the hook go from what they hold to something else (None: no file), the configuration goes as `config`
    says, `record` is what is kept of it then (None: nothing), `skill` the change of the workspace. `folders` are
    removed in the end if they are empty. `uninstall` and `install` are commands of OpenClaw: the first is run before
    anything else and changes the configuration, so what is left to do is planned `again`; the other is run last.
    """

    target: Target
    done: tuple[Done, ...]
    files: Files
    config: Rewritten
    record: Record | None
    skill: Change | None
    folders: tuple[Path, ...] = ()
    uninstall: tuple[str, ...] = ()
    install: tuple[str, ...] = ()
    again: "Callable[[], Plan] | None" = None

    @property
    def outside(self) -> tuple[Path, ...]:
        """The files outside of the workspace that would be written or removed."""
        config = [self.config.place] if self.config.after != self.config.before else []
        return (*(place for place, (was, now) in self.files.items() if was != now), *config)

    @property
    def calls(self) -> tuple[str, ...]:
        """The command of OpenClaw that would be run."""
        return self.uninstall or self.install


def carry_out(plan: Plan) -> tuple[Applied | None, ClawgitError | None]:
    """Do what was planned; return what became of the change of the skill, and why OpenClaw's uninstaller failed.

    Raises ClawgitError with every file as it was.
    """
    failure = None
    if plan.uninstall and plan.again:
        try:
            _call_openclaw(plan.target, plan.uninstall)
        except ClawgitError as exc:  # what it leaves in the configuration is taken out here
            failure = exc
        vars(plan.target.host).pop("config", None)
        plan = plan.again()
    with together() as pen:
        for place, (was, now) in plan.files.items():
            pen.write(place, was, now, private=plan.target.workspace.trusted.folder in place.parents)
        _configure(plan, pen)
        if plan.outside or plan.install:
            openclaw_target.forget_contact(plan.target.workspace.store)
        applied = plan.target.workspace.apply(plan.skill) if plan.skill else None
        if plan.install:
            _call_openclaw(plan.target, plan.install)
            _keep_comments(plan, pen)
    for folder in plan.folders:
        pen.drop(folder)
    return applied, failure


_BOUNDS = subprocess_runner.Bounds(seconds=300, passed=("OPENCLAW_*", "NODE_*"))


def _call_openclaw(target: Target, words: Sequence[str]) -> None:
    """Run a command of OpenClaw that has to succeed. Raises ClawgitError with its own words."""
    ran = subprocess_runner.run(words, "", _BOUNDS, target.host.environ, target.host.home)
    if ran.code:
        said = " ".join((ran.said or ran.output).split())
        raise program_failed(f"openclaw {' '.join(words[1:3])}: {said}", fix=Command("openclaw plugins doctor"))


def _keep_comments(plan: Plan, pen: Pen) -> None:
    """Put the configuration back as we wrote it, with its comments, where OpenClaw's own says no more."""
    place, wanted = plan.config.place, plan.config.after
    if wanted is not None and says_same((written := place.read_bytes()).decode(), wanted.decode()):
        pen.write(place, written, wanted)


def _configure(plan: Plan, pen: Pen) -> None:
    """Write the configuration; what tells of it is there before, and goes after: a kill in between loses nothing."""
    place = openclaw_target.file(plan.target.workspace)
    was = place.read_bytes() if place.exists() else None
    if plan.record:
        pen.write(place, was, openclaw_target.dumped(plan.record), private=True)
    pen.write(plan.config.place, plan.config.before, plan.config.after)
    if not plan.record:
        pen.write(place, was, None)
