"""`clawgit corrections`, `correct` and `triage`."""

import click
from msgspec.structs import replace

from clawgit.agents import recall_validator
from clawgit.agents.inbox_items import hear
from clawgit.agents.running import View
from clawgit.cli import change_output, memory_commands, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Words, origin_option, sentence_argument
from clawgit.cli.text_lines import count_noun
from clawgit.errors import Advice, ClawgitError, Command, DiskError, correction_ambiguous, id_unknown, text_missing
from clawgit.json_documents import Document, candidate_document, fields, item_document
from clawgit.language import logic
from clawgit.memory import correct as corrections_of_memory
from clawgit.memory import corrected_values
from clawgit.memory.corrected_values import Correction, Doubt, Told
from clawgit.messages import message_flags
from clawgit.messages import triage as rules
from clawgit.messages.triage import Triage, read_patterns
from clawgit.text.entry import new_id
from clawgit.workspace import inbox
from clawgit.workspace.commit_message import shorten
from clawgit.workspace.correction_records import Standing, list_records
from clawgit.workspace.workspace import Workspace


def record(found: Standing) -> Document:
    """Return a record as JSON has it, with every field of the file."""
    correction = found.record
    wrong, true = correction.values
    return {
        "kind": "correction",
        **fields(correction, "id? at? said true about? re_embedded=embedded", said=wrong, true=true),
        **fields(found, "path line archived", line=correction.line),
        "fields": dict(correction.fields),
    }


@command("clawgit corrections", "clawgit corrections --json")
def corrections(call: Call) -> None:
    """List corrections.

    The records of CORRECTIONS.md. After them come the items of the inbox that may become some, before them those that
    went to Archive/Corrections/. `clawgit show ID` prints one with all its fields.
    """
    with call.workspace() as workspace:
        records, items = list_records(workspace), inbox.list_items(workspace, "correction")
    documents = [*map(record, records), *({**item_document(item), "kind": "candidate"} for item in items)]
    columns = "id at said true path title reason"
    call.out.answer(documents, shown=columns, none="nothing was corrected yet; clawgit correct TEXT does")


def print_correction(call: Call, workspace: Workspace, wanted: str) -> None:
    """Print the record whose id begins with `wanted`, of two with one id both. Raises ClawgitError for none."""
    records = [item for item in list_records(workspace) if item.record.id.startswith(wanted)]
    if not records:
        raise id_unknown(f"no correction has the id {wanted}", fix=Command("clawgit corrections"))
    labels = [f"{label}: {value}" for label, value in records[0].record.fields.items()]
    document = {**record(records[0]), "others": [record(item) for item in records[1:]]}
    call.out.answer(document, render.draw_record({**document, "fields": labels}))


@command(
    'clawgit correct "the kickoff is on Tuesday, not Monday"',
    'clawgit correct "the kickoff is on Monday" "the kickoff is on Tuesday"',
    'clawgit correct "The kickoff is on Tuesday at ten." --about kxqmwrtzvn',
)
@click.argument("text", nargs=-1, required=True, type=Words(stdin=True), metavar="TEXT | WRONG TRUE")
@click.option("--about", type=Words(), default="", metavar="ID|FILE:LINE", help="The memory that is wrong.")
def correct(call: Call, text: tuple[str, ...], about: str) -> None:
    """Replace a wrong fact everywhere it is stored.

    TEXT has both sides, or with --about the whole new text of that memory. Two texts are the wrong one and the
    true one. Copies in MEMORY.md and topic files change with it; a line of a journal stays, with a note below it.
    Doubtful lines become an item of the inbox. CORRECTIONS.md keeps a record. `-` reads TEXT from stdin.
    """
    words, pair = " ".join(text), None
    match text:
        case (wrong, true) if not about and (" " in wrong.strip() or not logic.denials(f"{wrong} {true}")):
            pair = wrong.strip(" ."), true.strip(" .")
            words = f"{pair[1]}, not {pair[0]}" if " " in pair[0] else words
    if not words.strip():
        raise text_missing("there is nothing that is true", fix=Advice('clawgit correct "not Monday, Tuesday"'))
    with call.workspace(managed=True) as workspace:
        remark = hear(workspace, words)
        entry = memory_commands.find_on_line(workspace, about)
        outcome = recall_validator.resolve(workspace, remark, entry, pair)
        if not isinstance(outcome, Correction):
            raise _ask(call, workspace, remark, outcome or Doubt("it does not say what is wrong"))
        name = new_id()
        change = corrections_of_memory.make_correction(View(workspace), outcome, remark, name=name, agent=None)
        changed_entry = change.rows[0].id if change.rows else None
        change_output.apply(call, workspace, change, said=outcome.said, true=outcome.true, entry=changed_entry)
        refuted = [row.file for row in change.rows if row.status == "superseded"]
        changed = [row.file for row in change.rows if row.status != "superseded"]
        if len(changed) > 1:
            files = ", ".join(dict.fromkeys(changed))
            call.out.note(f"changed together: {count_noun(len(changed), 'line')} in {files}")
        if refuted:
            files = ", ".join(dict.fromkeys(refuted))
            words = f"{count_noun(len(refuted), 'line')} of {files} said so still"
            call.out.note(f"{words}; search and context leave that out now")
        call.out.note(*recall_validator.finish(workspace, name))


_CHOICE_CHARS = 160


def _ask(call: Call, workspace: Workspace, told: Told, doubt: Doubt) -> ClawgitError:
    """Open the item that asks, and return the error that names it; the possible lines are printed before."""
    item = recall_validator.make_item(told, doubt, workspace.now())
    if any(known.state != "open" for known in workspace.store.find_items(item.id)):
        item = replace(item, id=new_id())  # decided before, and said again
    recall_validator.open_items(workspace, [item])
    choices = change_output.list_choices(workspace, item)
    for choice in choices:
        words = " → ".join(str(choice[key]) for key in ("text", "becomes") if choice[key])
        call.out.note(f"{choice['number']}. {choice['at']}: {shorten(words, _CHOICE_CHARS)}")
    fix = change_output.suggest_accept(item.id, choices) if choices else Command("clawgit show {}", item.id)
    return correction_ambiguous(f"{doubt.reason}; it waits as {item.id}", fix=fix)


@command(
    'clawgit triage "no, it\'s Wednesday, not Tuesday"',
    "clawgit triage - --origin untrusted < message.txt",
    'clawgit triage "don\'t forget: Ana flies on Friday" --session 5b0f3c1e --act --json',
)
@sentence_argument("text", stdin=True)
@click.option("--session", type=Words(), default="", metavar="ID", help="The session in which it was said.")
@origin_option
@click.option("--act", is_flag=True, help="File matches for the memory miner, and make corrections.")
def triage(call: Call, text: str, session: str, origin: str, *, act: bool) -> None:
    """Tell whether a message should be remembered, or corrects.

    By patterns alone: those of the specification, packs for Chinese, Japanese and Korean, and heartbeat_custom_patterns
    of CONFIG.md. Quoted text and code do not count, nor do words of anybody but the operator. `-` reads TEXT from
    stdin. With --act the recall validator corrects the memory and CORRECTIONS.md if both sides are sure; else it files
    a candidate.
    """
    with call.workspace(managed=act) as workspace:
        patterns, problems = read_patterns(workspace.config)
        call.out.warn_of(problems)
        found = rules.triage(text, patterns, origin=origin)
        document = found.document
        if act:
            flag = message_flags.file(workspace.store, text, found, workspace.now(), session) if found.matches else None
            document["flag"] = flag and flag.id
            document |= _validate(call, workspace, text, found, session, origin)
    call.out.answer(document, shown="matches pair flag correction candidate", none="nothing to remember or correct")


def _validate(call: Call, workspace: Workspace, text: str, found: Triage, session: str, origin: str) -> Document:
    """Call the recall validator for a correction; return the outcome."""
    empty: dict[str, object] = {"correction": None, "candidate": None}
    if origin != "operator" or not corrected_values.is_called_for(text, found):
        return empty
    from clawgit.agents import recall_validator  # noqa: PLC0415 - few messages correct anything

    try:
        looked, applied, notes = recall_validator.act(workspace, text, found, session)
    except DiskError:
        raise
    except ClawgitError as exc:  # the flag is filed: the validator's next run looks at it again
        call.out.warn(exc.message)
        return empty
    call.out.note(*notes, *(applied.notes if applied else ()))
    candidate = candidate_document(looked.item) if looked.item else None
    result = looked.correction
    if result is None or applied is None or not applied.commit:
        return {"correction": None, "candidate": candidate}
    exchange = result.exchanges[0] if result.exchanges else None
    correction = {
        **fields(applied, "id=change commit change files", undo=f"clawgit undo {applied.change}"),
        **fields(result, "said true"),
        "statement": (exchange.statement if exchange else result.statement) or None,
        "entry": exchange.entry.id if exchange else None,
    }
    return {"correction": correction, "candidate": candidate}
