"""`clawgit review`."""

import re
import time
from typing import TYPE_CHECKING

import click

from clawgit.cli import asking
from clawgit.cli.call import Call, pass_call
from clawgit.cli.layout import Span, line
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, json_option
from clawgit.errors import ClawgitError, Exit, UsageError

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace

_UNITS = {"s": 1, "m": 60, "h": 3600}


@click.command(cls=Command, examples=("clawgit review", "clawgit review --pause 30m", "clawgit review --resume"))
@click.option(
    "--pause", "wanted", type=Words(), metavar="TIME", help="Put nothing back for so long, as in 30m or 2h; 4h at most."
)
@click.option("--resume", is_flag=True, help="End the pause now.")
@json_option
@pass_call
def review(call: Call, wanted: str | None, *, resume: bool) -> int:
    """Show what nobody approved of the identity; pause its keeper.

    Under `soul_policy: review` and `locked` the identity files are kept as you approved them. To edit them by hand,
    pause that at a terminal, edit, and approve with `clawgit trust` before the pause ends; meanwhile `clawgit context`
    and MCP go on serving what is approved. Exits with 3 while something is not as approved.
    """
    if wanted is not None and resume:
        raise UsageError("--pause and --resume are two different things", fix="leave one of them out")
    with call.workspace() as workspace:
        if wanted is not None:
            return _paused(call, workspace, _seconds(wanted))
        if resume:
            return _resumed(call, workspace)
        return _shown(call, workspace)


def _paused(call: Call, workspace: "Workspace", seconds: float) -> int:
    from clawgit.workspace import enforcement, review_pause  # noqa: PLC0415 - loads libgit2

    asking.require_operator(workspace, "review --pause lets the identity be edited")
    if not enforcement.enforces(workspace):
        raise ClawgitError(
            f"nothing is put back under soul_policy {enforcement.soul_policy(workspace)}", fix="clawgit status"
        )
    until = time.strftime("%H:%M", time.localtime(review_pause.begin(workspace, seconds)))
    if call.out.as_json:
        call.out.document({"paused": True, "until": until})
    else:
        back = Span(" · when you are done: clawgit trust, then clawgit review --resume", "dim")
        call.out.lines([line(f"nothing is put back until {until}", back)])
    return Exit.DONE


def _resumed(call: Call, workspace: "Workspace") -> int:
    from clawgit.cli import quarantine  # noqa: PLC0415
    from clawgit.workspace import review_pause  # noqa: PLC0415 - loads libgit2
    from clawgit.workspace.capturing import capture_and_enforce  # noqa: PLC0415

    review_pause.end(workspace)
    done = capture_and_enforce(workspace)
    quarantine.tell(call, done.enforced)
    return _shown(call, workspace)


def _shown(call: Call, workspace: "Workspace") -> int:
    from clawgit.workspace import enforcement, review_pause  # noqa: PLC0415 - loads libgit2
    from clawgit.workspace import quarantine as kept  # noqa: PLC0415

    workspace.approvals()
    found, items = enforcement.deviations(workspace), kept.items(workspace.repo)
    policy, paused = enforcement.soul_policy(workspace), review_pause.standing(workspace)
    if call.out.as_json:
        deviating = [{"path": one.path, "kind": one.kind, "reason": one.reason} for one in found]
        call.out.document(
            {"policy": policy, "paused": paused or None, "deviating": deviating, "quarantine": len(items)}
        )
    else:
        rows = [line(Span("policy ", "dim"), policy, *([Span(f" · {paused}", "yellow")] if paused else []))]
        rows += [line(Span(one.reason, "red" if one.kind == "unapproved" else "yellow")) for one in found]
        if items:
            rows.append(line(f"{len(items)} in quarantine", Span(" · clawgit quarantine list", "dim")))
        call.out.lines(rows)
        if found:
            call.out.note("approve what stands there: clawgit trust; put it back: clawgit capture")
        else:
            call.out.note("the identity is as you approved it" if policy != "evolve" else "nothing is put back")
    return Exit.FOUND if found else Exit.DONE


def _seconds(wanted: str) -> float:
    match = re.fullmatch(r"(\d{1,5})\s*([smh])", wanted.strip())
    if match is None or not int(match[1]):
        raise UsageError(f"{wanted!r} is no span of time", fix="clawgit review --pause 30m")
    return int(match[1]) * _UNITS[match[2]]
