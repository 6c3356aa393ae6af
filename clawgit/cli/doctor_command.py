"""`clawgit doctor` and `clawgit audit`."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from clawgit.cli import render
from clawgit.cli.call import Call
from clawgit.cli.hooks_commands import program
from clawgit.cli.lazy_commands import command
from clawgit.cli.output import progress
from clawgit.cli.place import looks_like_one
from clawgit.cli.text_lines import Line, Span, count_noun, fixed, line
from clawgit.connect import git_hooks, merge_driver
from clawgit.errors import ClawgitError, Exit
from clawgit.findings import audit as auditing
from clawgit.findings.audit import Audit, Score
from clawgit.findings.checks.repository_checks import OWNERSHIP, check_git
from clawgit.findings.registry import Finding, Ground, examine
from clawgit.findings.status import CHECKS
from clawgit.git import repository
from clawgit.json_documents import fields, map_documents
from clawgit.safety.redaction import redacted
from clawgit.sessions import know_sessions
from clawgit.workspace import clock
from clawgit.workspace.workspace import Workspace, open_workspace, refuse_wrong

_WIDTH = 19


@command("clawgit doctor", "clawgit doctor --fix", "clawgit doctor --json")
@click.option(
    "--clock-is-right", "right", is_flag=True, help="Say that this machine's clock is right, whatever it was before."
)
@click.option(
    "--fix",
    is_flag=True,
    help="Repair what is safe to repair: interrupted writes, stale index entries, locks that a dead git left.",
)
def doctor(call: Call, *, fix: bool, right: bool) -> int:
    """List every finding, and repair what is safe.

    The repository, CONFIG.md, the files and what clawgit knows of them. Whatever is broken, the other checks go on.
    Nothing is repaired without --fix. Exits with 3 when something is found. While the clock may be wrong nothing is
    removed by its age, such as old journals: --clock-is-right lets that go on, once you have looked at it.
    """
    folder = call.place()
    if right:
        workspace = open_workspace(folder)
        workspace.require_managed()
        clock.confirm(workspace)
    findings = []
    with progress(call.out, "reading history") as report_progress:
        for result in _examine(folder, report_progress, fix=fix):
            findings.append(result)
            if not call.out.as_json:
                call.out.lines(_rows(result), indent=_WIDTH + 4)
    bad = sum(not result.ok for result in findings)
    if call.out.as_json:
        call.out.documents(fields(result, "check ok message fix repaired key level paths line") for result in findings)
    else:
        call.out.note(f"{count_noun(bad, 'thing')} to look at" if bad else "all is well")
    return Exit.FOUND if bad else Exit.DONE


def _examine(folder: Path, told: Callable[[int, int], None], *, fix: bool) -> Iterator[Finding]:
    """Yield the result of each check; for a folder without a repository, of those that apply."""
    try:
        workspace = Workspace(repository.find(folder))
        if looks_like_one(folder) and not looks_like_one(workspace.root):
            refuse_wrong(folder, "adopt")
    except ClawgitError as exc:
        for finding in (*check_git(), Finding(exc.key, exc.message, exc.fix)):
            yield replace(finding, check="git" if finding.ok else "repository")
        return
    know_sessions(workspace)
    checks = (*CHECKS, git_hooks.check(program()), merge_driver.check(program()), OWNERSHIP)
    yield from examine(checks, Ground(workspace, told), fix=fix)


def _rows(result: Finding) -> Iterator[Line]:
    mark = (
        Span("✗", "red" if result.level == "alarm" else "yellow")
        if not result.ok
        else Span("•", "yellow")
        if result.fix
        else Span("✓", "green")
    )
    message = f"repaired: {result.message}" if result.repaired else result.message
    yield line(mark, " ", Span(f"{result.check:<{_WIDTH}}", "bold"), "  ", message)
    if result.fix:
        yield fixed(_WIDTH + 4, result.fix)


_SHOWN = 12


@command("clawgit audit", "clawgit audit --json")
def audit(call: Call) -> None:
    """Score the memory, and list what is doubtful in it.

    Looks at every entry of the memory file, of the files by topic and of the journals. Each line comes with the reason
    and the command that helps; what could not be looked at is unknown. The score is 100 less the weighted shares of
    what was found.
    """
    with call.workspace(managed=True) as workspace:
        result = auditing.audit(workspace)
        past = auditing.history(workspace)
        if not call.reads_only:
            auditing.note(workspace, result)
    document = _audit_document(result, past)
    call.out.answer(document, _audit_rows(document))


def _audit_rows(document: dict[str, Any]) -> Iterator[Line]:
    """Yield the score, and the findings under the title of each part."""
    yield from render.draw_record(document, "score entries unknown")
    for part in document["parts"]:
        count = len(part["found"])
        if count:
            suffix = f", {_SHOWN} of them here; --json has every one" if count > _SHOWN else ""
            yield line(Span(f"{count} {auditing.TITLES[part['name']]}{suffix}", "yellow"))
            yield from render.draw_table(part["found"][:_SHOWN], "path line text reason fix")


def _audit_document(found: Audit, past: list[Score]) -> dict[str, Any]:
    parts = [
        {
            "name": part.name,
            "looked": part.looked,
            "lost": round(part.lost, 2),
            "found": [
                fields(finding, "path line text reason fix id", text=redacted(finding.text)) for finding in part.found
            ],
        }
        for part in found.parts
    ]
    document = {**fields(found, "score entries"), "unknown": list(found.unknown), "parts": parts}
    return {**document, "history": map_documents(past, "day score found")}
