"""Carries a plan out, or leaves everything as it was."""

from clawgit.integrations.openclaw import record
from clawgit.integrations.openclaw.pen import Pen, together
from clawgit.integrations.openclaw.plan import Plan
from clawgit.workspace.applied import Applied


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
    place = record.file(plan.target.workspace)
    was = place.read_bytes() if place.exists() else None
    if plan.record:
        pen.write(place, was, record.dumped(plan.record), private=True)
    pen.write(plan.config.place, plan.config.before, plan.config.after)
    if not plan.record:
        pen.write(place, was, None)
