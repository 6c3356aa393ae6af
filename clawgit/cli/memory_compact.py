"""`clawgit memory compact`."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import show_run
from clawgit.cli.call import Call, pass_call
from clawgit.cli.layout import Line, Span, columns, line
from clawgit.cli.lazy import Command
from clawgit.cli.options import json_option
from clawgit.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.agents.memory_compactor import Eligible
    from clawgit.agents.running import Result


@click.command(
    "compact",
    cls=Command,
    examples=(
        "clawgit memory compact",
        "clawgit memory compact --days 60",
        "clawgit memory compact --apply",
        "clawgit memory compact --apply --remove",
    ),
)
@click.option("--days", type=click.IntRange(0), default=90, show_default=True, help="Only what is older than this.")
@click.option("--apply", "really", is_flag=True, help="Do it: one commit for each archive.")
@click.option("--remove", is_flag=True, help="Remove the originals too, in commits of their own; git keeps them.")
@json_option
@pass_call
def compact(call: Call, days: int, *, really: bool, remove: bool) -> None:
    """Put old dated files into an archive for each quarter.

    Their text goes word for word, day after day, into memory/archive/2026-Q1.md. Without --apply the files that are old
    enough are listed. The originals stay beside the archive, unless --remove is given. The last 30 days are never
    compacted.
    """
    if remove and not really:
        raise UsageError("--remove does nothing without --apply", fix="clawgit memory compact --apply --remove")
    from clawgit.agents import building, running  # noqa: PLC0415 - the help does without
    from clawgit.agents.memory_compactor import ENABLE, YOUNGEST, MemoryCompactor, Plan, of_config  # noqa: PLC0415

    with call.workspace() as workspace:
        workspace.require_managed()
        if days < YOUNGEST:
            call.out.note(f"the last {YOUNGEST} days stay as they are")
        agent = MemoryCompactor(Plan("quarterly", max(days, YOUNGEST), remove=remove, tend=False))
        result = running.apply(agent, workspace) if really else running.preview(agent, workspace)
        if really:
            result.notes += building.settle(workspace, agent, result)
        _tell(call, result, agent.eligible, days=max(days, YOUNGEST), applied=really)
        if not really and not of_config(workspace.config).enabled and not call.out.as_json:
            call.out.note(f"by itself nothing is compacted; see clawgit run memory-compactor, then: {ENABLE}")


def _tell(call: Call, result: "Result", found: "list[Eligible]", *, days: int, applied: bool) -> None:
    if call.out.as_json:
        files = [{"path": one.path, "day": one.day.isoformat(), "archive": one.archive} for one in found]
        call.out.document({**show_run.document(result), "days": days, "files": files})
        return
    for words in result.notes:
        call.out.note(words)
    if applied:
        show_run.done(call.out, result)
    call.out.lines(_listed(found, result, days=days, applied=applied))


def _listed(found: "list[Eligible]", result: "Result", *, days: int, applied: bool) -> "Iterator[Line]":
    if not found:
        yield line(f"nothing to compact: no dated file is older than {days} days")
    elif not applied:
        names = columns((one.path, "") for one in found)
        for (name, _), one in zip(names, found, strict=True):
            yield line(name, Span(f"  → {one.archive}", "dim"))
        yield line(Span("do it".ljust(11), "dim"), "clawgit memory compact --apply")
    elif not result.applied:
        yield line("nothing to do: all of it is in the archives already")
    for reason, count in sorted(result.skipped.items()):
        yield line(Span(f"{'left out':<11}{reason} {count:,}", "dim"))
