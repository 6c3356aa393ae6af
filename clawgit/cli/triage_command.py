"""`clawgit triage`."""

import click

from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Words, origin_option, sentence_argument
from clawgit.errors import ClawgitError, DiskError
from clawgit.json_documents import Document, candidate_document, fields
from clawgit.memory import corrected_values
from clawgit.messages import message_flags
from clawgit.messages import triage as rules
from clawgit.messages.triage import Triage, read_patterns
from clawgit.workspace.workspace import Workspace


@command(
    'clawgit triage "no, it\'s Wednesday, not Tuesday"',
    "clawgit triage - --origin untrusted < message.txt",
    'clawgit triage "don\'t forget: Ana flies on Friday" --session 5b0f3c1e --act --json',
)
@sentence_argument("text", stdin=True)
@click.option("--session", type=Words(), default="", metavar="ID", help="The session in which it was said.")
@origin_option
@click.option("--act", is_flag=True, help="File what matches for the memory miner, and correct what is corrected.")
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
