"""`clawgit doctor`."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click
from msgspec import to_builtins

from clawgit.cli.call import Call
from clawgit.cli.hooks_commands import program
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import answering
from clawgit.cli.output import Line, Span, counted, fixed, line, progress
from clawgit.cli.place import choose, looks_like_one
from clawgit.errors import ClawgitError, Exit
from clawgit.git import repository
from clawgit.integrations import git_hooks, merge_driver
from clawgit.search import enhanced
from clawgit.sync import machine_heads
from clawgit.workspace import (
    clock,
    doctor_files,
    doctor_host,
    doctor_repository,
    lost_writes,
    memory_length,
    write_obstacles,
)
from clawgit.workspace.bootstrap import refuse_wrong
from clawgit.workspace.doctor_runner import Check, Result, examine
from clawgit.workspace.workspace import Workspace, open_workspace

_WIDTH = 19


@click.command(cls=DocumentedCommand, examples=("clawgit doctor", "clawgit doctor --fix", "clawgit doctor --json"))
@click.option(
    "--clock-is-right", "right", is_flag=True, help="Say that this machine's clock is right, whatever it was before."
)
@click.option(
    "--fix",
    is_flag=True,
    help="Repair what is safe to repair: interrupted writes, stale index entries, locks that a dead git left.",
)
@answering
def doctor(call: Call, *, fix: bool, right: bool) -> int:
    """Look for what is broken, and repair what is safe to repair.

    The repository, CONFIG.md, the files and what clawgit knows of them. Whatever is broken, the other checks go on.
    Nothing is repaired without --fix; the last check tries a write and takes it back. Exits with 3 when something is
    found. While the clock may be wrong nothing is removed by its age, such as old journals: --clock-is-right lets that
    go on, once you have looked at it.
    """
    place = choose(call.folder, os.environ, call.agent)
    if place.found:
        call.out.note(f"in {place.path} ({place.found})")
    if right:
        _believe_clock(place.path)
    found = []
    with progress(call.out, "reading history") as told:
        for result in examine(_checks(place.path, told), fix=fix):
            found.append(result)
            if not call.out.as_json:
                call.out.lines(_rows(result), indent=_WIDTH + 4)
    if call.out.as_json:
        call.out.documents(to_builtins(result) for result in found)
    else:
        call.out.note(_summary(found))
    return Exit.DONE if all(result.ok for result in found) else Exit.FOUND


def _believe_clock(folder: Path) -> None:
    workspace = open_workspace(folder)
    workspace.require_managed()
    clock.confirm(workspace)


def _checks(folder: Path, told: Callable[[int, int], None]) -> list[Check]:
    """Return what the rooms offer to look at; of a folder without a repository, what can be said of that."""
    git = doctor_repository.git()
    try:
        workspace = Workspace(repository.find(folder))
        if looks_like_one(folder) and not looks_like_one(workspace.root):
            refuse_wrong(folder, "adopt")
    except ClawgitError as exc:
        return [git, doctor_repository.missing(exc)]
    found = [*doctor_repository.checks(workspace), *doctor_files.checks(workspace, told), doctor_host.check(workspace)]
    found += [
        doctor_host.check_voice(workspace, os.environ),
        lost_writes.check(workspace),
        memory_length.check(workspace),
    ]
    found += [enhanced.check(workspace)]
    found += [git_hooks.check(workspace, program()), merge_driver.check(workspace, program())]
    found += [machine_heads.check(workspace)]
    return [git, *found, write_obstacles.check(workspace)]


def _rows(result: Result) -> Iterator[Line]:
    mark = Span("✗", "red") if not result.ok else Span("•", "yellow") if result.fix else Span("✓", "green")
    message = f"repaired: {result.message}" if result.repaired else result.message
    yield line(mark, " ", Span(f"{result.check:<{_WIDTH}}", "bold"), "  ", message)
    if result.fix:
        yield fixed(_WIDTH + 4, result.fix)


def _summary(found: Iterable[Result]) -> str:
    bad = sum(not result.ok for result in found)
    return f"{counted(bad, 'thing')} to look at" if bad else "all is well"
