"""`clawgit correct`, `corrections`, `triage`, `purge` and `taint`."""

import os
from collections.abc import Sequence
from pathlib import Path

import click
from msgspec.structs import replace

from clawgit.agents import recall_validator
from clawgit.agents.inbox_items import Choice, list_choices, read_typed_message
from clawgit.agents.running import View
from clawgit.cli import change_output, memory_commands, operator_input, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Words, hash_option, locate, origin_option, sentence_argument
from clawgit.cli.render import count_noun
from clawgit.errors import (
    Advice,
    ClawgitError,
    Command,
    DiskError,
    Fix,
    already_set,
    correction_ambiguous,
    id_unknown,
    options_conflict,
    quote_shell,
    text_missing,
)
from clawgit.git import history_rewrite, locks
from clawgit.git.history_rewrite import Order
from clawgit.json_documents import Document, candidate_document, fields, item_document, map_documents
from clawgit.language import own_words, sentences
from clawgit.language.values import find_value_places
from clawgit.memory import correct as corrections_of_memory
from clawgit.memory import corrected_values, purge_places
from clawgit.memory import purge as purging
from clawgit.memory import taint as tainting
from clawgit.memory.corrected_values import NO_MEMORY, ONE_SIDE, Correction, Doubt, Told
from clawgit.memory.purge import Purged
from clawgit.memory.purge_places import Chats, PurgePlaces
from clawgit.memory.restated_values import NEAREST
from clawgit.memory.taint import Report
from clawgit.messages import sides
from clawgit.messages import triage as rules
from clawgit.messages.triage import Triage, file_flag, read_patterns
from clawgit.safety.redaction import redact
from clawgit.sessions import chat_store
from clawgit.store.item import Item
from clawgit.text.entry import new_id, normalise
from clawgit.text.spelling import nearest
from clawgit.workspace import inbox
from clawgit.workspace.commit_message import fold_spaces, shorten
from clawgit.workspace.correction_records import Standing, list_records
from clawgit.workspace.line_origins import split_place
from clawgit.workspace.memory_lines import find_line
from clawgit.workspace.workspace import Workspace


def record(item: Standing) -> Document:
    """Return a record as JSON has it, with every field of the file."""
    correction = item.record
    wrong, true = correction.values
    return {
        "kind": "correction",
        **fields(correction, "id? at? said true about? re_embedded=embedded", said=wrong, true=true),
        **fields(item, "path line archived", line=correction.line),
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


def print_correction(call: Call, workspace: Workspace, prefix: str) -> None:
    """Print the record with an id that begins with `prefix`, of two with one id both. Raises ClawgitError for none."""
    records = [item for item in list_records(workspace) if item.record.id.startswith(prefix)]
    if not records:
        raise id_unknown(f"no correction has the id {prefix}", fix=Command("clawgit corrections"))
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
        case (wrong, true) if not about and (" " in wrong.strip() or not own_words.denials(f"{wrong} {true}")):
            pair = wrong.strip(" ."), true.strip(" .")
            words = f"{pair[1]}, not {pair[0]}" if " " in pair[0] else words
    if not words.strip():
        raise text_missing("there is nothing that is true", fix=Advice('clawgit correct "not Monday, Tuesday"'))
    with call.workspace(managed=True) as workspace:
        remark = read_typed_message(workspace, words)
        entry = memory_commands.find_on_line(workspace, about)
        if entry != about:
            _refuse_part(workspace, words, about, entry)
        _require_new(workspace, words, entry, pair)
        outcome = recall_validator.resolve_correction(workspace, remark, entry, pair)
        if not (about or pair):
            _open_others(call, workspace, words, outcome)
        if not isinstance(outcome, Correction):
            raise _ask_for_line(call, workspace, remark, outcome or Doubt("it does not say what is wrong"))
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
        notes = recall_validator.ask_about_rest(workspace, name)
        for item in workspace.store.read_items("open", kind="correction", edits=False):
            if item.details.get("record") == name:
                notes.append(str(change_output.suggest_accept(item.id, _print_choices(call, workspace, item))))
        call.out.note(*notes)


_FULL_STOPS = ".!?…\u3002\uff01\uff1f"


def _refuse_part(workspace: Workspace, words: str, about: str, entry: str) -> None:
    """Raise ClawgitError for the whole truth about one line of a paragraph: the other lines would be lost."""
    line = find_line(workspace, entry)
    rows = line.text.split("\n")
    if line.kind == "paragraph" and rows[1:] and not any(sides.find_sides(words)):
        number = split_place(workspace, about)[1] - line.line
        start = len("\n".join((*rows[:number], "")))
        # A sentence may go over several lines; lines without marks are no sentences.
        text = line.text.replace("\n", " ") if line.text[-1:] in _FULL_STOPS else line.text
        spans = [item for item in sentences.sentences(text) if item.start < start + len(rows[number])]
        parts = [text[item.start : item.end] for item in spans if item.end > start]
        part = fold_spaces((*nearest(words, parts, 1), *parts, rows[number])[0])
        fix = Command("clawgit correct {} {}", part, words, note=f"in place of the whole paragraph: --about {entry}")
        raise correction_ambiguous(f"{about} is one of {len(rows)} lines of a paragraph", fix=fix)


def _require_new(workspace: Workspace, words: str, entry: str, pair: tuple[str, str] | None) -> None:
    """Raise ClawgitError if the two sides are equal, or if the memory has the true sentence already."""
    wrong, true = pair or ("", words)
    if normalise(wrong) == normalise(true):
        fix = Advice('clawgit correct "WRONG" "TRUE"   # what memory says, and what is true')
        raise text_missing("both sides are the same", fix=fix)
    lines = corrections_of_memory.list_correctable(workspace) if entry or (pair and " " in true) else []
    lines = [line for line in lines if line.id.startswith(entry)]
    name = next((line.id for line in lines if normalise(line.text).strip(" .") == normalise(true).strip(" .")), None)
    if name and not (wrong and any(find_value_places(line.text, wrong) for line in lines)):
        raise already_set("memory says so already", fix=Command("clawgit why {}", name))


def _open_others(call: Call, workspace: Workspace, words: str, outcome: Correction | Doubt | None) -> None:
    """Open an item for each further sentence that corrects something else; one command lands one correction."""
    true = outcome.true if outcome else ""
    for text in corrected_values.list_parts(words) if true else ():
        if find_value_places(text, true):
            continue
        # One change lands one correction, so that its undo takes back one.
        remark = read_typed_message(workspace, text)
        further = recall_validator.resolve_correction(workspace, remark)
        if isinstance(further, Correction):
            names = tuple(exchange.entry.id for exchange in further.exchanges)
            further = Doubt("it was said with another correction", further.said, further.true, names)
        if further:
            item = recall_validator.make_item(remark, further, workspace.now())
            recall_validator.open_items(workspace, [item])
            call.out.note(f"{text} That waits: clawgit show {item.id}")


_CHOICE_CHARS = 160


def _print_choices(call: Call, workspace: Workspace, item: Item) -> list[Choice]:
    """Print the lines of an item, each as it would become, and return them."""
    choices = list_choices(workspace, item)
    for choice in choices:
        words = " → ".join(str(choice[key]) for key in ("text", "becomes") if choice[key])
        call.out.note(f"{choice['number']}. {choice['at']}: {shorten(words, _CHOICE_CHARS)}")
    return choices


def _ask_for_line(call: Call, workspace: Workspace, statement: Told, doubt: Doubt) -> ClawgitError:
    """Open the item that asks, and return the error that names it; the possible lines are printed before.

    A correction that is made already is an error, without an item.
    """
    matches = (row.record for row in list_records(workspace) if row.record.values == (doubt.said, doubt.true))
    if doubt.reason in (NEAREST, NO_MEMORY) and doubt.true and (earlier := next(matches, None)):
        return already_set("that is corrected already", fix=Command("clawgit show {}", earlier.id))
    if doubt.reason == ONE_SIDE and not (doubt.choices or doubt.said or doubt.true or statement.trigger[0]):
        return text_missing("it does not say what is wrong", fix=Advice('clawgit correct "not Monday, Tuesday"'))
    item = recall_validator.make_item(statement, doubt, workspace.now())
    if any(other.state != "open" for other in workspace.store.find_items(item.id)):
        item = replace(item, id=new_id())  # decided before, and said again
    recall_validator.open_items(workspace, [item])
    choices = _print_choices(call, workspace, item)
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
        cues = rules.triage(text, patterns, origin=origin)
        document = cues.document
        if act:
            flag = file_flag(workspace.store, text, workspace.now(), session) if cues.matches else None
            document["flag"] = flag and flag.id
            document |= _validate(call, workspace, text, cues, session, origin)
    call.out.answer(document, shown="matches pair flag correction candidate", none="nothing to remember or correct")


def _validate(call: Call, workspace: Workspace, text: str, cues: Triage, session: str, origin: str) -> Document:
    """Call the recall validator for a correction; return the outcome."""
    empty: dict[str, object] = {"correction": None, "candidate": None}
    if origin != "operator" or not corrected_values.is_called_for(text, cues):
        return empty
    from clawgit.agents import recall_validator  # noqa: PLC0415 - few messages correct anything

    try:
        validation, applied, notes = recall_validator.act_on_message(workspace, text, cues, session)
    # A full disk is an error of the command, not a warning.
    except DiskError:
        raise
    except ClawgitError as exc:  # the flag is filed: the validator's next run looks at it again
        call.out.warn(exc.message)
        return empty
    call.out.note(*notes, *(applied.notes if applied else ()))
    candidate = candidate_document(validation.item) if validation.item else None
    result = validation.correction
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


_PURGE_COLUMNS = "purge=told places not_reached=unreached"
_TAINT_COLUMNS = "source direct derived leaves stays suspected notes"
_PURGED_COLUMNS = "new_commits=commits removed_objects=objects changed_files=files changed_messages=messages backup?"
_LOOK = Advice("clawgit purge --text - < FILE   # shows where it stands, with the hash")


@command(
    "clawgit purge --text - < secret.txt",
    "clawgit purge --fingerprint 9b1c07aa42de --apply",
    "clawgit purge --path memory/2026-01-20.md --apply --hash 9b1c07aa42de",
)
# A phrase among the arguments would stay in the history of the shell.
@click.option("--text", "text", type=click.Choice(("-",)), help="Read the phrase from stdin: it stands in no history.")
@click.option("--fingerprint", type=Words(), metavar="F", help="The secret of which doctor tells this.")
@click.option("--path", "path", type=Words(), default="", metavar="FILE", help="All of a file.")
@click.option("--apply", "wanted", is_flag=True, help="Rewrite history.")
@click.option(
    "--keep-backup", "keep", type=click.Path(dir_okay=False, path_type=Path), help="Keep the former history in FILE."
)
@hash_option("clawgit purge")
def purge(
    call: Call,
    text: str | None,
    fingerprint: str | None,
    path: str,
    keep: Path | None,
    digest: str | None,
    *,
    wanted: bool,
) -> None:
    """Remove a secret, or a file, from all of history.

    The one command that rewrites history: commits get new ids. First it lists every place: commits, stashes and
    messages, files, the data beside the repository, the chat store; as plain text, base64, URL and UTF-16. --apply
    removes it from all of these, and reads every object again. Machines that sync are informed; for other remotes and
    clones the commands are printed.
    """
    if sum(map(bool, (text, fingerprint, path))) != 1:
        raise options_conflict(
            "name one thing to purge",
            fix=Advice("clawgit purge --text - < FILE   # or --fingerprint F, or --path FILE"),
        )
    with call.workspace(managed=True) as workspace:
        path = locate(workspace, path)
        if keep:
            keep = purging.require_free(workspace, keep)
        if wanted:
            purging.require_ready(workspace)
        chats = _chats(workspace)
        forms: Sequence[bytes] = ()
        if text:
            forms = purge_places.read_phrase(operator_input.read_stdin())
        elif fingerprint:
            forms = purge_places.find_fingerprint(workspace, fingerprint)
        purging.require_purgeable(workspace, Order(tuple(forms), (path,) if path else ()))
        places = purge_places.find_purge_places(workspace, forms, path, chats)
        document = fields(
            places,
            "told hash places objects remotes unreached",
            places=map_documents(places.places, "kind name count"),
        )
        outlook = f"{places.told} stands nowhere that clawgit reaches: nothing to purge"
        if not wanted:
            call.out.answer(document, shown=_PURGE_COLUMNS)
            call.out.note(f"purge it: the same again with --apply --hash {places.hash}" if places.places else outlook)
            return
        purged = purging.Purged(commits=0, objects=0, files=0, messages=0)
        # An interrupted purge is finished even if no place is left.
        if places.places or locks.is_purge_halfway(workspace.repo):
            rows = render.draw_record(document, _PURGE_COLUMNS)
            first_step: Fix = Command("clawgit purge --path {}", path) if path else _LOOK
            first_step = Command("clawgit purge --fingerprint {}", fingerprint) if fingerprint else first_step
            operator_input.confirm_shown(call.out, digest, places.hash, rows, "Rewrite history?", "purging", first_step)
            purged = purging.purge(workspace, places, chats, keep=keep)
            outlook = _describe_rest(purged, places)
    call.out.answer(fields(purged, "commits objects files messages backup?"), shown=_PURGED_COLUMNS)
    call.out.note(outlook)
    if purged.objects:
        call.out.warn("replace it where it is used: what was pushed or copied is known to others")
        for remote in places.remotes:
            call.out.note(f"git push --force-with-lease --all {remote} && git push --force --tags {remote}")


def _chats(workspace: Workspace) -> Chats:
    def reword(forms: Sequence[bytes], *, really: bool) -> int:
        def plain(text: str) -> str:
            # Transcripts may have lone surrogates.
            data = text.encode("utf-8", "surrogatepass")
            return history_rewrite.remove_phrases(data, forms).decode("utf-8", "surrogatepass") if data else text

        with chat_store.open_chat_store(workspace.store, os.environ, reading=not really) as store:
            return store.reword(plain, really=really)

    return reword


def _describe_rest(result: Purged, places: PurgePlaces) -> str:
    """Return the remaining work."""
    if not places.order.paths:
        return "nothing of it is left in any object here that was looked into"
    stay = len(places.objects) - result.objects
    suffix = f", but {count_noun(stay, 'object')} of it stay under other names" if stay else ""
    return f"no commit has a file {places.told} any more{suffix}"


@command(
    "clawgit taint session:5b0f3c1e",
    "clawgit taint domain:evil.example --apply",
    "clawgit taint origin:untrusted --since 2026-05-01 --apply --hash 9b1c07aa42de",
)
@click.argument("source", type=Words(), required=False)
@click.option("--since", type=Words(), default="", metavar="DATE", help="Only memories learnt from that day on.")
@click.option("--apply", "wanted", is_flag=True, help="Take it back, in one commit.")
@click.option("--why", type=Words(), default="", help="The reason; it stands in the register and in the commit.")
@hash_option("clawgit taint")
def taint(call: Call, source: str | None, since: str, why: str, digest: str | None, *, wanted: bool) -> None:
    """Revert everything that one source taught.

    SOURCE is session:ID, session:ID#EVENT, FILE, FILE@REV#L4-L6, a change, agent:NAME, contact:ID, domain:HOST or
    origin:untrusted; without one, the tainted sources are listed. Changes that rest on it, also by promotion, merge or
    correction, are shown, and with --apply reverted; an entry with other evidence stays. Nothing more is learnt from
    the source. Asks at a terminal; elsewhere --hash is needed. `clawgit undo` lifts the taint.
    """
    with call.workspace(managed=True) as workspace:
        if source is None:
            taints = tainting.list_taints(workspace)
            documents = [fields(item, "id source when by why", why=redact(item.why)) for item in taints]
            call.out.answer(documents, none="no source is tainted")
            return
        source = locate(workspace, source)
        report = tainting.list_tainted_lines(workspace, source, since)
        document = _taint_document(report)
        if not wanted:
            call.out.answer(document, shown=_TAINT_COLUMNS)
            option = f" --since {since}" if since else ""
            call.out.note(f"take it back: clawgit taint {quote_shell(source)}{option} --apply --hash {report.hash}")
            return
        rows = render.draw_record(document, _TAINT_COLUMNS)
        look = Command("clawgit taint {}", source, note="shows it")
        operator_input.confirm_shown(call.out, digest, report.hash, rows, "Take it back?", "taking back", look)
        change_output.apply(call, workspace, tainting.make_change(workspace, report, why), source=report.source.spelled)


def _taint_document(report: Report) -> Document:
    names = "change commit date subject"
    return {
        "source": report.source.spelled,
        "hash": report.hash,
        "direct": map_documents(report.direct, names),
        "derived": map_documents(report.derived, names),
        "leaves": [fields(line, "path line", text=redact(line.text)) for line in report.leaving],
        "stays": map_documents(report.kept, "id file"),
        "suspected": [
            {"path": path, "text": redact(saying), "reason": reason}
            for (path, saying), reason in report.suspected.items()
        ],
        "notes": list(report.notes),
    }
