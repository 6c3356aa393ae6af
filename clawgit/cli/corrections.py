"""`clawgit corrections`."""

from typing import TYPE_CHECKING

import click

from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Group
from clawgit.cli.options import Words, json_option
from clawgit.errors import ClawgitError, UsageError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.agents.candidates import Waiting
    from clawgit.agents.validating.outcome import Correction
    from clawgit.workspace.correction_records import Standing
    from clawgit.workspace.workspace import Workspace


@click.group(cls=Group)
def corrections() -> None:
    """List what was corrected; decide what could be a correction."""


@corrections.command("list", examples=("clawgit corrections list", "clawgit corrections list --json"))
@json_option
@pass_call
def list_(call: Call) -> None:
    """List what was corrected, then the candidates that are open.

    The records of CORRECTIONS.md, before them those that went to Archive/Corrections/.
    """
    from clawgit.cli import show_corrections  # noqa: PLC0415 - the help does without

    with call.workspace() as workspace:
        records, waiting = _records(workspace), _waiting(workspace)
    _tell_twins(call, records)
    if call.out.as_json:
        documents = [show_corrections.record(one) for one in records]
        call.out.documents([*documents, *(show_corrections.waiting(one) for one in waiting)])
        return
    call.out.lines(show_corrections.listed(records, waiting), indent=11)
    if not records and not waiting:
        call.out.note("nothing was corrected yet; clawgit correct TEXT does")


@corrections.command("show", examples=("clawgit corrections show kxqmwrtzvn", "clawgit corrections show kxqm --json"))
@click.argument("wanted", type=Words(), metavar="ID")
@json_option
@pass_call
def show_(call: Call, wanted: str) -> None:
    """Show a record, or a candidate, with all its fields.

    ID is the one that `corrections list` shows, or its beginning. Of two records with one id both are shown.
    """
    from clawgit.agents import candidates  # noqa: PLC0415 - the help does without
    from clawgit.cli import show_corrections  # noqa: PLC0415

    with call.workspace() as workspace:
        found = [one for one in _records(workspace) if wanted and one.record.id.startswith(wanted)]
        waits = None if found else candidates.find(workspace.state, wanted)
    _tell_twins(call, found)
    if call.out.as_json:
        first = show_corrections.waiting(waits) if waits else show_corrections.record(found[0])
        call.out.document({**first, "others": [show_corrections.record(one) for one in found[1:]]})
        return
    for one in found:
        call.out.lines(show_corrections.one_record(one), indent=21)
    if waits:
        call.out.lines(show_corrections.one_waiting(waits), indent=21)


@corrections.command(
    examples=(
        "clawgit corrections confirm kxqmwrtzvn",
        "clawgit corrections confirm kxqm --said Monday --true Tuesday --about mkqwrtzvnp",
    )
)
@click.argument("wanted", type=Words(), metavar="ID")
@click.option("--said", type=Words(), default="", metavar="V", help="What was wrong.")
@click.option("--true", type=Words(), default="", metavar="V", help="What is so instead.")
@click.option("--about", type=Words(), default="", metavar="ID", help="The memory that is wrong.")
@json_option
@pass_call
def confirm(call: Call, wanted: str, said: str, true: str, about: str) -> None:
    """Make a correction of a candidate.

    What the candidate knows need not be said again; what it lacks must be. Without a memory only the record is kept.
    """
    from clawgit.agents import candidates  # noqa: PLC0415 - the help does without
    from clawgit.cli.correct import land, told_now  # noqa: PLC0415

    with call.workspace() as workspace:
        workspace.require_managed()
        one = candidates.find(workspace.state, wanted)
        outcome = _confirmed(workspace, one, said or one.said, true or one.true, about)
        land(call, workspace, outcome, told_now(workspace, one.text))
        candidates.settle(workspace.state, one, "confirmed")


@corrections.command(examples=("clawgit corrections dismiss kxqmwrtzvn",))
@click.argument("wanted", type=Words(), metavar="ID")
@json_option
@pass_call
def dismiss(call: Call, wanted: str) -> None:
    """Drop a candidate: it corrects nothing, and is not asked about again."""
    from clawgit.agents import candidates  # noqa: PLC0415 - the help does without

    with call.workspace() as workspace:
        one = candidates.find(workspace.state, wanted)
        candidates.settle(workspace.state, one, "dismissed")
    if call.out.as_json:
        call.out.document({"commit": None, "reason": "a candidate is local", "dismissed": one.id})
    else:
        call.out.note(f"dismissed {one.id}")


def _confirmed(workspace: "Workspace", one: "Waiting", said: str, true: str, about: str) -> "Correction":
    from clawgit.agents.validating.outcome import Correction, Stored  # noqa: PLC0415 - the help does without
    from clawgit.agents.validating.replacing import exchanged  # noqa: PLC0415
    from clawgit.workspace.memory import find  # noqa: PLC0415

    again = f"clawgit corrections confirm {one.id}"
    if not true.strip():
        raise UsageError("it is not known what is true", fix=f"{again} --said V --true V --about ID")
    about = about or (one.choices[0] if len(one.choices) == 1 else "")
    if not about:
        if len(one.choices) > 1:
            raise UsageError(f"it may be about {', '.join(one.choices)}", fix=f"{again} --about {one.choices[0]}")
        return Correction(said, true, None, "")
    memory = find(workspace, about)
    here = Stored(memory.id, memory.text)
    if not said:
        return Correction(memory.text, true, here, true)
    if correction := exchanged(here, said, true):
        return correction
    raise ClawgitError(
        f"{quoted(said)} does not stand once in {memory.id}: {memory.text}",
        fix=f"clawgit correct TEXT --about {memory.id}   # the whole truth, in its place",
    )


def _records(workspace: "Workspace") -> "tuple[Standing, ...]":
    from clawgit.workspace.correction_records import standing  # noqa: PLC0415 - the help does without

    return standing(workspace.root, workspace.read)


def _tell_twins(call: Call, some: "Iterable[Standing]") -> None:
    """Warn of records that share an id, with their lines: what is said of one would be said of both."""
    from clawgit.text.correction import twins  # noqa: PLC0415 - the help does without

    for name, lines in twins(tuple(one.record for one in some if not one.archived)).items():
        call.out.warn(f"CORRECTIONS.md: {len(lines)} records have the id {name}: lines {', '.join(map(str, lines))}")
        call.out.talk(f"  fix: take the id out of the heading of line {lines[-1]}")


def _waiting(workspace: "Workspace") -> "list[Waiting]":
    from clawgit.agents import candidates  # noqa: PLC0415 - the help does without

    return [one for one in candidates.known(workspace.state).values() if one.state == "open"]
