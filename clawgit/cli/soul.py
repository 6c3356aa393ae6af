"""`clawgit soul`."""

from collections.abc import Iterator
from datetime import date, datetime
from itertools import chain, islice
from typing import TYPE_CHECKING

import click

from clawgit.cli import changing, compare, documents, show
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Group
from clawgit.cli.options import Since, Words, evidence_option, file_option, json_option, since_for_git
from clawgit.errors import UsageError

if TYPE_CHECKING:
    from clawgit.workspace.records import Record
    from clawgit.workspace.soul import Act

SOUL = "SOUL.md"


@click.group(cls=Group)
def soul() -> None:
    """Show, compare, edit and revert the identity.

    Identity files are SOUL.md, IDENTITY.md, USER.md, AGENTS.md, TOOLS.md, HEARTBEAT.md, BOOTSTRAP.md and the
    SOUL.md of each folder below agents/.
    """


@soul.command(
    "show", examples=("clawgit soul show", "clawgit soul show --as-of 2026-01-20", "clawgit soul show --as-of HEAD~3")
)
@click.option(
    "--as-of",
    "name",
    type=Words(),
    metavar="REV|DATE",
    help="A change, a revision, or the end of a day.  [default: now]",
)
@json_option
@pass_call
def show_(call: Call, name: str | None) -> None:
    """Print SOUL.md as it is committed, now or at another time."""
    from clawgit.workspace import records, status  # noqa: PLC0415 - loads libgit2
    from clawgit.workspace import soul as souls  # noqa: PLC0415

    with call.workspace() as workspace:
        version = souls.show(workspace, name=name)
        when = records.moment(workspace, version.commit)
        if name is None and SOUL in status.dirty(workspace):
            call.out.note(f"{SOUL} on disk differs from this, the committed one")
    if call.out.as_json:
        call.out.document({"commit": version.commit, "date": when.isoformat(), "text": version.text})
    else:
        call.out.verbatim(version.text)


@soul.command(
    examples=(
        "clawgit soul log -n 5",
        "clawgit soul log --since '2 weeks ago' --agent soul-keeper",
        "clawgit soul log --file IDENTITY.md --json",
    )
)
@file_option
@click.option("-n", "limit", type=click.IntRange(0), metavar="N", help="At most so many.  [default: all]")
@click.option(
    "--since", type=Since(), metavar="WHEN", help="From this day or moment on, such as 2026-01-20 or '2 weeks ago'."
)
@click.option("--agent", type=Words(), metavar="NAME", help="Only what this agent did.")
@json_option
@pass_call
def log(call: Call, path: str, limit: int | None, since: date | datetime | str | None, agent: str | None) -> None:
    """Show what happened to an identity file.

    When, by whom, why, and on what evidence; newest first, in the order of git log.
    """
    from clawgit.workspace import records  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        zone = workspace.now().tzinfo if since else None
        every = records.log(workspace, path, limit=None if agent else limit, since=since_for_git(since, zone))
        found = islice((one for one in every if agent in (None, one.agent)), limit)
        if call.out.as_json:
            call.out.documents(documents.record(one) for one in found)
        else:
            _print_log(call, found, path)


def _print_log(call: Call, found: "Iterator[Record]", path: str) -> None:
    first = next(found, None)
    if first is None:
        call.out.note(f"nothing happened to {path}")
        return
    call.out.lines(chain.from_iterable(map(show.record, chain([first], found))))


@soul.command(
    examples=("clawgit soul diff", "clawgit soul diff 2026-01-01", "clawgit soul diff kxqmwrtzvn HEAD --stat")
)
@click.argument("first", type=Words(), required=False, metavar="[A]")
@click.argument("second", type=Words(), required=False, metavar="[B]")
@click.option("--stat", is_flag=True, help="Only count the lines of each section.")
@json_option
@pass_call
def diff(call: Call, first: str | None, second: str | None, *, stat: bool) -> None:
    """Show what changed in SOUL.md, word by word.

    A and B are changes, revisions or dates; B is HEAD unless it is given. With neither: what changed since you last
    asked, else the last change. Without colour, [-words-] went and {+words+} came.
    """
    from clawgit.workspace import records  # noqa: PLC0415 - loads libgit2
    from clawgit.workspace import soul as souls  # noqa: PLC0415

    out = call.out
    with call.workspace() as workspace:
        found = souls.diff(workspace, first, second) if first else souls.news(workspace)
        if out.as_json:
            out.document(documents.difference(found))
            return
        if not found.hunks:
            out.note(f"{SOUL} is the same in both")
        ends = [(name, records.moment(workspace, name)) for name in (found.start, found.end) if name]
        out.lines([compare.title(SOUL, ends)])
        out.lines(compare.stat(found) if stat else compare.hunks(found, marks=not out.coloured))


@soul.command(examples=("clawgit soul revert kxqmwrtzvn", "clawgit soul revert HEAD~2 --json"))
@click.argument("change", type=Words())
@json_option
@pass_call
def revert(call: Call, change: str) -> None:
    """Take one change of SOUL.md back; what came later stays.

    CHANGE is the id that a change printed, or any revision. Where a later change stands in the way nothing is
    written and both sides are shown (exit 1).
    """
    from clawgit.workspace.undo import undo  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        changing.apply(call, workspace, undo(workspace, change, only=SOUL))


@soul.command(
    examples=(
        'clawgit soul edit --add "Answer in short sentences on the phone." --section Vibe \\',
        '    --evidence memory/2026-02-13.md#L12-L14 --why "asked for twice"',
        'clawgit soul edit --replace "Be brief." "Be brief and kind." --why "they said so"',
        'clawgit soul edit --remove "Be brief." --section Vibe --why "no longer wanted"',
    )
)
@click.argument("text", type=Words(stdin=True))
@click.option("--add", is_flag=True, help="Add TEXT as the last bullet of the section.")
@click.option("--replace", type=Words(), metavar="OLD", help="Put TEXT in place of OLD, which must stand exactly once.")
@click.option("--remove", is_flag=True, help="Remove the bullet, row or paragraph that says TEXT.")
@click.option("--section", type=Words(), metavar="TITLE", help='Where: "Vibe", or "Outer > Inner". --add needs it.')
@evidence_option
@click.option("--why", type=Words(), required=True, help="The reason; it is kept in the log.")
@file_option
@json_option
@pass_call
def edit(
    call: Call,
    text: str,
    *,
    add: bool,
    replace: str | None,
    remove: bool,
    section: str | None,
    evidence: tuple[str, ...],
    why: str,
    path: str,
) -> None:
    """Edit one place of an identity file, with the reason.

    Say one of --add, --replace and --remove. Every other byte stays as it is. What you ask for lands, also at high
    risk; the log says so. `-` reads TEXT from stdin.
    """
    from clawgit.workspace import soul as souls  # noqa: PLC0415 - loads libgit2

    act = _act(add=add, replace=replace is not None, remove=remove)
    with call.workspace() as workspace:
        change = souls.edit(
            workspace, act, text, old=replace or "", section=section, path=path, why=why, evidence=evidence
        )
        changing.apply(call, workspace, change)


def _act(*, add: bool, replace: bool, remove: bool) -> "Act":
    acts: dict[Act, bool] = {"add": add, "replace": replace, "remove": remove}
    chosen = [act for act, said in acts.items() if said]
    if len(chosen) != 1:
        raise UsageError("say one of --add, --replace OLD and --remove", fix="clawgit soul edit --help")
    return chosen[0]
