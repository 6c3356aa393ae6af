"""`clawgit correct`."""

from typing import TYPE_CHECKING

import click

from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, json_option
from clawgit.errors import ClawgitError, UsageError, quoted

if TYPE_CHECKING:
    from clawgit.agents.told import Told
    from clawgit.agents.validating.outcome import Candidate, Correction
    from clawgit.workspace.workspace import Workspace


@click.command(
    cls=Command,
    examples=(
        'clawgit correct "the kickoff is on Tuesday, not Monday"',
        'clawgit correct "The kickoff is on Tuesday at ten." --about kxqmwrtzvn',
        'clawgit correct "not Monday, Tuesday" --about kxqm --json',
    ),
)
@click.argument("text", type=Words(stdin=True))
@click.option("--about", type=Words(), default="", metavar="ID", help="The memory that is wrong.")
@json_option
@pass_call
def correct(call: Call, text: str, about: str) -> None:
    """Correct what is remembered.

    TEXT says both sides, or with --about the whole truth, which then takes the place of that memory's words. The old
    words stay beside the new ones as a comment, and CORRECTIONS.md keeps a record. `-` reads TEXT from stdin.
    """
    if not text.strip():
        raise UsageError("there is nothing that is true", fix='clawgit correct "not Monday, Tuesday"')
    with call.workspace() as workspace:
        workspace.require_managed()
        told = told_now(workspace, text)
        land(call, workspace, _resolved(workspace, told, about), told)


def told_now(workspace: "Workspace", text: str) -> "Told":
    """Return what the operator says at the command line, as a message."""
    from clawgit.agents.heard import Heard  # noqa: PLC0415 - the help does without
    from clawgit.agents.told import Told  # noqa: PLC0415
    from clawgit.messages.known import known  # noqa: PLC0415
    from clawgit.messages.triage import triage  # noqa: PLC0415

    found = triage(text, known(workspace.root, None).patterns)
    return Told(Heard(text, "operator", workspace.now().timestamp()), found)


def land(call: Call, workspace: "Workspace", outcome: "Correction", told: "Told") -> None:
    """Apply a correction that the operator asked for, and tell what became of it."""
    from clawgit.agents import validation  # noqa: PLC0415
    from clawgit.agents.correcting import corrected  # noqa: PLC0415 - the help does without
    from clawgit.agents.view import View  # noqa: PLC0415
    from clawgit.cli import changing  # noqa: PLC0415
    from clawgit.text.identity import new_id  # noqa: PLC0415

    name = new_id()
    change = corrected(View(workspace), outcome, told, workspace.now(), name=name, agent=None)
    entry = change.rows[0].id if change.rows else None
    changing.apply(call, workspace, change, said=outcome.said, true=outcome.true, entry=entry)
    for words in validation.embed(workspace, name):
        call.out.note(words)


def _resolved(workspace: "Workspace", told: "Told", about: str) -> "Correction":
    from clawgit.agents.validating.outcome import Correction, Stored  # noqa: PLC0415 - the help does without
    from clawgit.agents.validating.resolve import stated  # noqa: PLC0415
    from clawgit.workspace.memory import find, memories  # noqa: PLC0415

    text = told.heard.text.strip()
    one = find(workspace, about) if about else None
    stored = (
        () if one else [Stored(known.id, known.text) for known in memories(workspace) if known.status != "superseded"]
    )
    outcome = stated(text, told.found, stored, Stored(one.id, one.text) if one else None)
    if isinstance(outcome, Correction):
        return outcome
    raise _open(outcome, text)


def _open(outcome: "Candidate | None", text: str) -> ClawgitError:
    from clawgit.workspace.guard import cleaned  # noqa: PLC0415 - loads the rules for secrets

    reason = outcome.reason if outcome else "it does not say what is wrong"
    ids = [one.id for one in outcome.choices] if outcome else []
    about = ids[0] if ids else "ID"
    more = f"; it may be about {', '.join(ids)}" if ids else ""
    words = quoted(cleaned(text)[:80])
    return ClawgitError(f"{reason}{more}", fix=f"clawgit correct {words} --about {about}   # clawgit memory list")
