"""`clawgit corrections` and `clawgit correct`."""

from collections.abc import Iterable, Iterator, Sequence

import click
from msgspec import to_builtins
from msgspec.structs import replace

from clawgit.agents import contradicted_lines, inbox_items, recall_validation
from clawgit.agents.contradicted_lines import StillSaid
from clawgit.agents.correction_candidates import Waiting
from clawgit.agents.corrections_of_memories import corrected
from clawgit.agents.inbox_items import hear
from clawgit.agents.messages_to_read import Told
from clawgit.agents.recall_validator import Looked
from clawgit.agents.running import View
from clawgit.agents.validating import resolve
from clawgit.agents.validating.resolve import Candidate, Correction, Stored
from clawgit.cli import change_output
from clawgit.cli.call import Call
from clawgit.cli.inbox_commands import tell_item
from clawgit.cli.lazy_commands import DocumentedCommand, Group
from clawgit.cli.options import Words, answering
from clawgit.cli.output import Line, Span, line
from clawgit.errors import Advice, ClawgitError, Command, correction_ambiguous, id_unknown, quoted, text_missing
from clawgit.integrations.json_documents import Document, fields, item_document
from clawgit.text.correction import twins
from clawgit.text.entry import new_id
from clawgit.workspace import inbox_list
from clawgit.workspace.change import Applied
from clawgit.workspace.correction_records import Standing, standing
from clawgit.workspace.memory import memories
from clawgit.workspace.memory_lines import find_line
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.write_guard import cleaned

_LABEL = 20
_NEAREST = 3
_LEFT = 5
"""So many lines that go on saying what was corrected are named."""


def came(looked: Looked, applied: Applied | None) -> Iterator[Line]:
    """Yield the line of what came of a message."""
    if looked.correction and applied and applied.commit:
        was = f"was {looked.correction.said}, now " if looked.correction.said else "now "
        undo = Span(f" (undo: clawgit undo {applied.change})", "dim")
        yield line(f"{'noted':<12} ", was, Span(looked.correction.true, "bold"), undo)
    elif looked.waiting:
        more = Span(f"; clawgit accept {looked.waiting.id}", "dim")
        yield line(f"{'candidate':<12} ", Span(looked.waiting.id, "cyan"), f": {looked.waiting.reason}", more)


def outcome(looked: Looked, applied: Applied | None) -> Document:
    """Return the same as JSON has it."""
    done = looked.correction if applied and applied.commit else None
    correction = None
    if done and applied:
        correction = fields(
            applied,
            "id=change said true entry statement commit change files undo",
            **fields(done, "said true statement?", entry=done.entry.id if done.entry else None),
            undo=f"clawgit undo {applied.change}",
        )
    return {"correction": correction, "candidate": waiting_text(looked.waiting) if looked.waiting else None}


def waiting_text(one: Waiting) -> Document:
    """Return a candidate as JSON has it."""
    return {"kind": "candidate", **to_builtins(one), "choices": list(one.choices)}


def record(found: Standing) -> Document:
    """Return a record as JSON has it, with every field of the file."""
    one = found.record
    said, true = one.values
    return {
        "kind": "correction",
        **fields(one, "id? at?"),
        "said": said,
        "true": true,
        **fields(one, "about? re_embedded=embedded"),
        **fields(found, "path line archived", line=one.line),
        "fields": dict(one.fields),
    }


def record_line(found: Standing) -> Line:
    """Return a record as people see it."""
    one = found.record
    said, true = one.values
    state = "" if one.embedded else " · not re-embedded yet"
    state += f" · {found.path}" if found.archived else ""
    name = Span(one.id or "-" * 10, "cyan")
    return line(name, f" {one.at} ", f"{said} → ", Span(true, "bold"), Span(state, "dim"))


def one_record(found: Standing) -> Iterator[Line]:
    """Yield the lines of a record."""
    yield line(f"{'id':<{_LABEL}} ", Span(found.record.id, "cyan"))
    yield line(f"{'at':<{_LABEL}} ", found.record.at)
    yield line(f"{'stands in':<{_LABEL}} ", f"{found.path}#L{found.record.line}")
    for label, value in found.record.fields.items():
        yield line(f"{label:<{_LABEL}} ", value)


@click.group(
    cls=Group,
    invoke_without_command=True,
    aliases={"dismiss": "/reject"},
    examples=("clawgit corrections", "clawgit corrections show kxqmwrtzvn"),
)
@answering
def corrections(call: Call) -> None:
    """List what was corrected.

    Alone it lists them.
    """
    if not click.get_current_context().invoked_subcommand:
        _list(call)


@corrections.command("list", examples=("clawgit corrections list", "clawgit corrections list --json"))
@answering
def list_(call: Call) -> None:
    """List the records of CORRECTIONS.md.

    After them come the items of the inbox that may become some, before them those that went to Archive/Corrections/.
    """
    _list(call)


def _list(call: Call) -> None:
    with call.workspace() as workspace:
        records, items = _records(workspace), inbox_list.list_items(workspace, "correction")
    _tell_twins(call, records)
    told = [(record(one), [record_line(one)]) for one in records]
    told += [({**item_document(item), "kind": "candidate"}, [*tell_item(item)]) for item in items]
    none = "nothing was corrected yet; clawgit correct TEXT does"
    call.out.listed(told, lambda one: one[0], lambda one: one[1], none, indent=11)


@corrections.command("show", examples=("clawgit corrections show kxqmwrtzvn", "clawgit corrections show kxqm --json"))
@click.argument("wanted", type=Words(), metavar="ID")
@answering
def show_(call: Call, wanted: str) -> None:
    """Show a record with all its fields.

    ID is the one that `corrections list` shows, or its beginning. Of two records with one id both are shown.
    """
    with call.workspace() as workspace:
        found = [one for one in _records(workspace) if wanted and one.record.id.startswith(wanted)]
    if not found:
        raise id_unknown(f"no correction has the id {wanted}", fix=Command("clawgit corrections list"))
    _tell_twins(call, found)
    if call.out.as_json:
        call.out.document({**record(found[0]), "others": [record(one) for one in found[1:]]})
        return
    for one in found:
        call.out.lines(one_record(one), indent=21)


@corrections.command("confirm", hidden=True)
@click.argument("wanted", type=Words(), metavar="ID")
@click.option("--said", type=Words())
@click.option("--true", type=Words())
@click.option("--about", type=Words(), metavar="MEMORY")
@answering
def confirm(call: Call, wanted: str, said: str | None, true: str | None, about: str | None) -> None:
    """Name of the release before: `clawgit accept` with both values of a correction."""
    with call.workspace() as workspace:
        item = inbox_list.find_any(workspace, wanted)
        values = {"said": said, "choices": [find_line(workspace, about).id] if about else None}
        details = {**item.details, **{name: value for name, value in values.items() if value}}
        applied, item = inbox_items.accept(workspace, replace(item, details=details), text=true)
    change_output.tell(call, applied, item.title, item=item.id)


def _records(workspace: Workspace) -> tuple[Standing, ...]:
    return standing(workspace.root, workspace.read)


def _tell_twins(call: Call, some: Iterable[Standing]) -> None:
    """Warn of records that share an id, with their lines: what is said of one would be said of both."""
    for name, lines in twins(tuple(one.record for one in some if not one.archived)).items():
        call.out.warn(
            f"CORRECTIONS.md: {len(lines)} records have the id {name}: lines {', '.join(map(str, lines))}",
            f"take the id out of the heading of line {lines[-1]}",
        )


@click.command(
    cls=DocumentedCommand,
    examples=(
        'clawgit correct "the kickoff is on Tuesday, not Monday"',
        'clawgit correct "The kickoff is on Tuesday at ten." --about kxqmwrtzvn',
        'clawgit correct "not Monday, Tuesday" --about kxqm --json',
    ),
)
@click.argument("text", type=Words(stdin=True))
@click.option("--about", type=Words(), default="", metavar="ID", help="The memory that is wrong.")
@answering
def correct(call: Call, text: str, about: str) -> None:
    """Correct what is remembered.

    TEXT says both sides, or with --about the whole truth, which then takes the place of that memory's words. The old
    words stay beside the new ones as a comment, and CORRECTIONS.md keeps a record. `-` reads TEXT from stdin.
    """
    if not text.strip():
        raise text_missing("there is nothing that is true", fix=Advice('clawgit correct "not Monday, Tuesday"'))
    with call.workspace() as workspace:
        workspace.require_managed()
        told = hear(workspace, text)
        land(call, workspace, _resolved(workspace, told, about), told)


def land(call: Call, workspace: Workspace, outcome: Correction, told: Told) -> None:
    """Apply a correction that the operator asked for, and tell what became of it."""
    name = new_id()
    change = corrected(View(workspace), outcome, told, workspace.now(), name=name, agent=None)
    entry = change.rows[0].id if change.rows else None
    change_output.apply(call, workspace, change, said=outcome.said, true=outcome.true, entry=entry)
    for words in recall_validation.embed(workspace, name):
        call.out.note(words)
    _tell_left(call, list(contradicted_lines.still_said(workspace, name)))


def _tell_left(call: Call, left: Sequence[StillSaid]) -> None:
    """Tell which lines go on saying what was corrected, each with what can be done."""
    for one in left[:_LEFT]:
        words = f"{one.path}:{one.line} says so still: \u201c{one.brief}\u201d"
        if not one.served:
            call.out.note(
                f"{words}; search and context leave it out, but an agent that opens the file reads it: mend it there"
            )
        elif one.id:
            call.out.warn(words, f"clawgit correct TEXT --about {one.id}")
        else:
            call.out.warn(words, "put the line right in the file; clawgit capture commits it")
    if len(left) > _LEFT:
        call.out.note(f"and {len(left) - _LEFT} more lines")


def _resolved(workspace: Workspace, told: Told, about: str) -> Correction:
    text = told.heard.text.strip()
    one = find_line(workspace, about) if about else None
    every = () if one else [known for known in memories(workspace) if known.status != "superseded"]
    stored = [Stored(known.id, known.text) for known in every]
    outcome = resolve.resolve_statement(text, told.found, stored, Stored(one.id, one.text) if one else None)
    if isinstance(outcome, Correction):
        return outcome
    raise _open(outcome, text, stored, resolve.nearest(text, stored))


def _open(outcome: Candidate | None, text: str, stored: Sequence[Stored], near: Sequence[Stored]) -> ClawgitError:
    """Return what is lacking, with the memories that it may be about, at most three, the nearest first."""
    reason = outcome.reason if outcome else "it does not say what is wrong"
    choices = [*(outcome.choices if outcome else ()), *near]
    said = {one.id: one.text for one in stored}
    ids = list(dict.fromkeys(choice.id for choice in choices))[:_NEAREST]
    told = "".join(f"\n  {one}  {cleaned(said[one])[:80]}" if one in said else f"\n  {one}" for one in ids)
    more = f"; it may be about{told}" if ids else ""
    words = cleaned(text)[:80]
    unknown = Advice(f"clawgit correct {quoted(words)} --about ID   # clawgit memory list")
    fix = Command("clawgit correct {} --about {}", words, ids[0]) if ids else unknown
    return correction_ambiguous(f"{reason}{more}", fix=fix)
