"""`clawgit inbox`, `show`, `accept` and `reject`."""

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence

import click

from clawgit import file_roles
from clawgit.cli import change_output, history_commands, operator_input, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Words, hash_option
from clawgit.cli.render import Line, Span, line
from clawgit.errors import (
    Advice,
    ClawgitError,
    Command,
    Exit,
    change_unknown,
    head_unborn,
    history_missing,
    id_unknown,
    option_missing,
    options_conflict,
    session_unknown,
    terminal_needed,
    text_missing,
    value_invalid,
)
from clawgit.git import history
from clawgit.json_documents import (
    Document,
    document_change,
    evidence_document,
    fields,
    hunk_documents,
    item_document,
    map_documents,
)
from clawgit.json_documents import record as json_of_record
from clawgit.safety.redaction import redact
from clawgit.store.item import KINDS, Item, Kind
from clawgit.text import conflict
from clawgit.workspace import decide, records
from clawgit.workspace.commit_message import shorten
from clawgit.workspace.decide import Target, View
from clawgit.workspace.inbox import INBOX, describe_decision, find_item, is_guarded, list_items
from clawgit.workspace.workspace import Workspace

_MAX_REASON_CHARS = 80
_ITEM_COLUMNS = (
    "id kind title doubts=reasons source opened why=reason hunks deleted executable entries? conflict choices evidence "
    "decision problem hash accept reject"
)
_SIDE_NUMBERS = {"a": "1", "b": "2", "both": "1,2"}


def view_document(view: View) -> Document:
    """Return an item with its diff, its evidence, and the data for a decision."""
    item, problem, choices = view.item, _find_view_obstacle(view), list(view.choices)
    parts = [(file.path, part) for file in view.files if not file.conflicts for part in hunk_documents(file.hunks)]
    decision = describe_decision(item) or ""
    accept = f"clawgit accept {item.id}"
    if item.kind == "correction":
        accept = str(change_output.suggest_accept(item.id, choices))
    elif item.kind == "conflict":
        # A contradiction has no default, so the operator names the statement to keep.
        accept += " --only 1   # or 2, or 1,2 for both"
    elif is_guarded(item):
        accept += f" --hash {view.digest}"
    return {
        **item_document(item),
        "agent": item.agent,
        "reasons": list(view.doubts),
        "hash": view.digest,
        "diff": unified_diff(view.files),
        "hunks": [{"path": path, "number": number, **part} for number, (path, part) in enumerate(parts, 1)],
        "deleted": [file.path for file in view.files if file.then is None],
        "executable": [file.path for file in view.files if file.version and file.version.executable],
        "entries": len(view.rows),
        "conflict": map_documents(view.conflicts, "ours theirs base"),
        "evidence": [
            {**evidence_document(citation), "available": citation.pointer is not None} for citation in view.evidence
        ],
        "choices": choices,
        "guarded": _needs_operator(item, choices),
        "problem": problem or None,
        "decision": decision or None,
        "accept": None if decision or problem else accept,
        "reject": None if decision or item.kind == "settings" else f"clawgit reject {item.id}",
        **fields(item, "decided answer? commit?"),
    }


def unified_diff(files: Sequence[Target]) -> str:
    """Return the changes of some files, as `diff -u` prints them; a secret in them is named instead of shown."""
    rows: list[str] = []
    for file in files:
        # Secrets are replaced before the text is split, since a key may have several lines.
        before, after = (redact(text or "").splitlines() for text in (file.now, file.then))
        old_name = f"a/{file.path}" if file.now is not None else "/dev/null"
        new_name = f"b/{file.path}" if file.then is not None else "/dev/null"
        rows += difflib.unified_diff(before, after, old_name, new_name, lineterm="")
    return "".join(f"{row}\n" for row in rows)


def _find_view_obstacle(view: View) -> str:
    if view.problem:
        return view.problem.message
    if view.conflicts:
        return "others have changed the same place"
    return "nothing is left to do, the files say so already" if view.item.edits and view.done else ""


@command("clawgit inbox", "clawgit inbox --kind identity --json")
@click.option("--kind", type=click.Choice(KINDS), multiple=True, help="Only this kind; may be repeated.")
@click.option("--check", is_flag=True, help="Exit with 3 when something waits.")
def inbox(call: Call, kind: tuple[Kind, ...], *, check: bool) -> int:
    """List items that wait for your decision.

    Changes of the identity, edits that were taken out, contradictions, possible corrections and memories, lines that
    went or came back, files of other machines, settings. The oldest first. Candidates expire after 30 days and
    restorations after 7; both can still be accepted.
    """
    from clawgit.agents.inbox_items import refresh_candidates  # noqa: PLC0415 - only this command opens candidates

    with call.workspace() as workspace:
        # Messages of the last week may be new candidates.
        refresh_candidates(workspace)
        items = list_items(workspace, *kind)
        for number in conflict.unreadable(workspace.read_loosely(file_roles.CONFLICTS)):
            call.out.warn(f"CONFLICTS.md:{number} is no record: it has no id, or not the words of both sides")
    documents = list(map(item_document, items))
    reasons = (shorten(item.reason.partition("\n")[0], _MAX_REASON_CHARS) for item in items)
    rows = [{**row, "reason": reason} for row, reason in zip(documents, reasons, strict=True)]
    columns = "id kind title opened expires source reason"
    call.out.answer(documents, render.draw_table(rows, columns), none="nothing waits")
    if items and not call.out.as_json:
        call.out.note(f"see one: clawgit show {items[0].id}")
    return Exit.FOUND if check and items else Exit.DONE


@command("clawgit show kxqmwrtzvn", "clawgit show 1f3c9ab20e --json")
@click.argument("name", type=Words(), metavar="ID")
def show(call: Call, name: str) -> None:
    """Show a change, memory, conversation or item in full.

    ID may be its first letters; of a conversation AGENT/ID if two agents have one of that name; of a memory
    FILE:LINE as well. For an item the last lines are the commands that decide it.
    """
    with call.workspace() as workspace:
        try:
            item = find_item(workspace, name)
        except ClawgitError as exc:
            if exc.key != id_unknown.name:
                raise
            _show_other(call, workspace, name, exc)
            return
        from clawgit.agents import inbox_items  # noqa: PLC0415 - other kinds have no choices

        call.out.answer(view_document(inbox_items.view(workspace, item)), shown=_ITEM_COLUMNS)


def _show_other(call: Call, workspace: Workspace, name: str, unknown: ClawgitError) -> None:
    """Show a memory, correction, change or conversation. Raises `unknown` for other ids."""
    from clawgit.cli import correction_commands, memory_commands, session_commands  # noqa: PLC0415 - items are usual

    name = memory_commands.find_on_line(workspace, name)
    # An id has no mark of its kind, so each kind is tried.
    for show_kind in (
        memory_commands.print_memory,
        correction_commands.print_correction,
        _print_change,
        session_commands.print_session,
    ):
        try:
            show_kind(call, workspace, name)
        except ClawgitError as exc:
            if exc.key not in _UNKNOWN:
                raise
        else:
            return
    if unknown.fix == INBOX:
        words = f"no item, memory, correction, change or conversation has the id {name}"
        raise id_unknown(words, fix=Command("clawgit search {}", name)) from unknown
    raise unknown


_UNKNOWN = {key.name for key in (id_unknown, change_unknown, head_unborn, history_missing, session_unknown)}


def _print_change(call: Call, workspace: Workspace, name: str) -> None:
    commit = records.find_commit(workspace, name)
    record = records.read_commit_record(workspace, commit)
    diff = redact(history.read_diff(workspace.repo, commit))
    rows = [*history_commands.describe_record(record), *(line(row) for row in diff.splitlines())]
    call.out.answer({"kind": "change", "id": record.change, **json_of_record(record), "diff": diff}, rows)


@command("clawgit accept kxqmwrtzvn", "clawgit accept kxqmwrtzvn --only 1,3", "clawgit accept --all candidate")
@click.argument("names", type=Words(), metavar="ID...", nargs=-1)
@click.option("--all", "kind", type=click.Choice(KINDS), help="Accept every item of this kind.")
@click.option("--only", type=Words(), default="", metavar="N,M", help="Only these changes, statements or memories.")
@click.option("--edit", is_flag=True, help="Change its text in your editor first.")
@click.option("--text", type=Words(stdin=True), metavar="TEXT", help="Your own words in place of its text.")
@hash_option("clawgit show")
@click.option("--keep", type=click.Choice(tuple(_SIDE_NUMBERS)), hidden=True)
def accept(
    call: Call,
    names: tuple[str, ...],
    kind: Kind | None,
    only: str,
    text: str | None,
    digest: str | None,
    keep: str | None,
    *,
    edit: bool,
) -> None:
    """Accept items; each becomes one commit.

    `clawgit undo` reverts it. Edits of others in the same files are committed first. Edits of the identity, of files
    that OpenClaw runs, and of settings ask at a terminal, or take --hash of `clawgit show` there. For a contradiction
    --only names the statements that stay.
    """
    # A hash is that of one preview.
    if bool(names) == bool(kind) or (digest and len(names) != 1):
        raise option_missing("which items?", fix=Command("clawgit inbox"))
    numbers = _read_item_numbers(_SIDE_NUMBERS[keep] if keep else only)
    if (edit or text is not None or numbers) and (kind or len(names) != 1):
        raise options_conflict("--only, --edit and --text are about one item")
    with call.workspace() as workspace:
        names = names or tuple(item.id for item in list_items(workspace, *([kind] if kind else ())))
        # All names are resolved first, so that a typo accepts nothing.
        items = [find_item(workspace, name) for name in names]
        if not items:
            raise id_unknown(f"nothing of this kind waits: {kind}", fix=Command("clawgit inbox"))
        documents = []
        for item in items:
            words = _open_editor(workspace, item, numbers) if edit else text
            documents.append(_accept_one(call, workspace, item, digest, numbers, words))
        if call.out.as_json:
            call.out.document(documents[0]) if len(items) == 1 and not kind else call.out.documents(documents)


def _needs_operator(item: Item, choices: Iterable[Mapping[str, object]]) -> bool:
    """Return whether an item is accepted at a terminal alone, with these choices."""
    paths = (str(choice.get("at") or "").rpartition(":")[0] for choice in choices)
    return is_guarded(item) or any(map(file_roles.is_identity, paths))


def _accept_one(
    call: Call,
    workspace: Workspace,
    item: Item,
    digest: str | None,
    numbers: Collection[int],
    text: str | None,
) -> Document:
    from clawgit.agents import inbox_items  # noqa: PLC0415 - only a decision needs the agents

    view = inbox_items.view(workspace, item, numbers, text)
    if _needs_operator(item, [choice for choice in view.choices if not numbers or choice["number"] in numbers]):
        inbox_items.require_possible(workspace, item, numbers, text)
        digest = _confirm(call, workspace, view, digest)
    applied = inbox_items.accept_candidate(workspace, item, digest or view.digest, numbers, text)
    if not call.out.as_json and (applied.commit or item.kind != "settings"):
        subject = view.change.subject if item.kind == "restore" else item.title
        change_output.print_outcome(call, applied, subject, item=item.id)
    elif not call.out.as_json:
        call.out.lines([line(Span(item.id, "cyan"), f" accepted: {applied.notes[-1]}")])
    return document_change(applied, item=item.id)


def _confirm(call: Call, workspace: Workspace, view: View, digest: str | None) -> str:
    """Return the hash of the text that the operator agreed to. Raises ClawgitError unless he did."""
    # A hash says what was read, not who read it.
    operator_input.require_operator(workspace, "accept lands a change of the identity")
    if digest:
        return digest
    fix = Command("clawgit show {}", view.item.id, note="prints the hash")
    if not operator_input.is_interactive():
        raise terminal_needed("accepting it needs a terminal, or --hash", fix=fix)
    if view.item.state == "open" and not _find_view_obstacle(view):
        rows = render.draw_record(view_document(view), _ITEM_COLUMNS)
        operator_input.confirm(call.out, rows, "Accept?", "accepting", fix)
    return view.digest


def _open_editor(workspace: Workspace, item: Item, numbers: Collection[int]) -> str:
    """Return the lines that an item adds as the operator leaves them in his editor."""
    if not operator_input.is_interactive():
        raise terminal_needed("--edit opens an editor", fix=Advice(f'clawgit accept {item.id} --text "…"'))
    details = item.details
    statements = "\n".join(str(details[side]) for side in "ab" if side in details)
    text = decide.view(workspace, item, numbers).new_lines or statements or str(details.get("true") or item.title)
    edited = (click.edit(text, extension=".md") or "").strip("\n")
    if edited.strip() in ("", text.strip()):
        fix = Command("clawgit accept {}", item.id, note="as it is")
        raise text_missing("nothing was changed in the editor, and nothing was done", fix=fix)
    return edited


def _read_item_numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError as exc:
        raise value_invalid(f"{text!r} is not a list of numbers", fix=Advice("--only 1,3")) from exc


@command("clawgit reject kxqmwrtzvn", "clawgit reject kxqmwrtzvn 'only in tests'")
@click.argument("names", type=Words(), metavar="ID... [REASON]", nargs=-1, required=True)
@click.option("--why", type=Words(), default="", hidden=True)
def reject(call: Call, names: tuple[str, ...], why: str) -> None:
    """Reject items, with or without a reason.

    The files stay as they are. The same change is not asked again, unless it brings new evidence. A rejected
    contradiction is none: both statements stay.
    """
    from clawgit.agents import inbox_items  # noqa: PLC0415 - only a decision needs the agents

    with call.workspace() as workspace:
        items = [find_item(workspace, name) for name in names[:-1]]
        try:
            items.append(find_item(workspace, names[-1]))
        except ClawgitError as exc:
            if exc.key != id_unknown.name or not items:
                raise
            why = why or names[-1]  # the last word is no id
        documents, rows = list[Document](), list[Line]()
        for item in items:
            if item.kind == "quarantine" and "session" not in item.details:
                operator_input.require_operator(workspace, "reject ends the alarm of what was taken out")
            decided, applied = inbox_items.reject_candidate(workspace, item, why)
            outcome = document_change(applied) if applied else {}
            documents.append({**item_document(decided), "answer": decided.answer or None, **outcome})
            rows.append(line(Span(decided.id, "cyan"), " rejected"))
            rows += change_output.describe_change(applied, decided.title) if applied else ()
    call.out.answer(documents[0] if len(documents) == 1 else documents, rows)
