"""`clawgit memory`."""

import re

import click

from clawgit import json_documents
from clawgit.cli import change_output
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group, Listed, command
from clawgit.cli.options import Words, as_of_option, evidence_option, locate, origin_option, sentence_argument
from clawgit.cli.render import count_noun
from clawgit.errors import ClawgitError, Command, UsageError, file_missing, id_unknown
from clawgit.json_documents import Document
from clawgit.workspace import line_origins, memory_lines
from clawgit.workspace.change import Origin
from clawgit.workspace.memory_lines import MEMORY_ROLES, MemoryLine, find_line, list_lines
from clawgit.workspace.served import excerpt
from clawgit.workspace.workspace import Workspace

TAGS = ("event", "knowledge", "skill", "decision")


LISTED = {
    "index": Listed("memory_upkeep:index_", "Bring the index up to the files."),
    "status": Listed("memory_upkeep:status", "Show the searched files and the state of the index."),
    "promote": Listed("memory_upkeep:promote", "Move durable facts out of the journals."),
    "compact": Listed("memory_upkeep:compact", "Put old dated files into an archive for each quarter."),
}


@click.group(cls=Group, listed=LISTED)
def memory() -> None:
    """Add, list, promote, compact and index memories."""


@memory.command(
    examples=(
        'clawgit memory add "Chose REST over GraphQL for the public API." --tag decision',
        "clawgit memory add - --evidence memory/2026-01-20.md#L4-L6 < note.txt",
        'git log -1 | clawgit memory add - --journal --title "Released"',
    )
)
@sentence_argument("text", stdin=True)
@click.option(
    "--tag",
    type=click.Choice(TAGS),
    help="Its kind.  [default: event if TEXT names a day to come, else knowledge]",
)
@click.option(
    "--to",
    type=click.Choice(("long-term", "daily", "shared")),
    default="long-term",
    show_default=True,
    help="The memory file, today's journal, or the memory that all agents share.",
)
@click.option("--journal", is_flag=True, help="Append it to today's journal as a note, under the time of day.")
@click.option("--title", type=Words(), default="", help="With --journal: stands beside the time, above the note.")
@evidence_option
@origin_option
def add(
    call: Call,
    text: str,
    tag: str | None,
    to: str,
    evidence: tuple[str, ...],
    origin: Origin,
    title: str,
    *,
    journal: bool,
) -> None:
    """Keep a sentence, word for word.

    The memory file is MEMORY.md, unless CONFIG.md names another or OpenClaw records who wrote that one. A known text
    becomes a mention of its entry. An event is shown in the week before its day, and is over the day after. `-` reads
    the text from stdin.

    --to shared keeps it in the shared memory of the default agent of OpenClaw; from another agent's workspace it waits
    there. --journal keeps it as a note of memory/YYYY-MM-DD.md, or in memory/clawgit/ if OpenClaw records who wrote its
    own journals.
    """
    from clawgit.memory import in_force  # noqa: PLC0415 - a list does without
    from clawgit.workspace import memory as memories  # noqa: PLC0415 - as above

    with call.workspace() as workspace:
        if to == "shared":
            _add_to_shared(call, workspace, text, tag, origin, evidence)
            return
        try:
            in_force.require_none(text, in_force.rules_of(workspace))
        except ClawgitError as against:
            # The operator may contradict his own correction, an agent may not.
            if origin != "operator":
                raise
            call.out.warn(f"{against.message}; both stand now", against.fix)
        if journal:
            change_output.apply(call, workspace, memories.add_note(workspace, text, title=title))
            return
        entry = memories.make_addition(workspace, text, tag=tag, daily=to == "daily", origin=origin, evidence=evidence)
        change_output.apply(call, workspace, entry.change, id=entry.id, merged_into=entry.merged_into)


def _add_to_shared(
    call: Call, own: Workspace, text: str, tag: str | None, origin: Origin, evidence: tuple[str, ...]
) -> None:
    """Keep a memory for all agents. Raises ClawgitError if none is shared."""
    from clawgit.workspace import shared_memory  # noqa: PLC0415 - few share a memory

    shared = shared_memory.require_shared(own)
    with call.closing(shared):
        addition, applied = shared_memory.add_shared_memory(
            own, shared, text, tag=tag, origin=origin, evidence=evidence
        )
        fields = {"id": addition.id, "merged_into": addition.merged_into}
        change_output.print_outcome(call, applied, addition.change.subject, shared.root, **fields)


@memory.command("list", examples=("clawgit memory list", "clawgit memory list --tag decision --json"))
@click.option("--tag", type=click.Choice(TAGS), help="Only this kind.")
@click.option("--status", type=click.Choice(("live", "corrected", "superseded")), help="Only those with this status.")
@click.option("--file", "path", type=Words(), metavar="PATH", help="Only those of this file.")
def list_(call: Call, tag: str | None, status: str | None, path: str | None) -> None:
    """List the memories.

    Every line of MEMORY.md, topic files and journals, file by file. A line came with the commit that
    introduced it, even if it was moved or reworded since.
    """
    with call.workspace() as workspace:
        if path and not (workspace.find_role(path) in MEMORY_ROLES and (workspace.root / path).exists()):
            raise file_missing(f"{path} is no file of memory", fix=Command("clawgit memory list"))
        lines = list_lines(workspace, paths=(path,) if path else ())
    matches = [line for line in lines if tag in (None, line.tag) and status in (None, line.status)]
    none = "no such memories" if tag or status else "no memories yet; clawgit remember TEXT keeps one"
    documents = [memory_document(line) for line in matches]
    call.out.answer(documents, shown="id tag status path text", none=none)
    if matches and not call.out.as_json:
        files = count_noun(len({line.path for line in matches}), "file")
        call.out.note(f"{len(matches):,} of {len(lines):,} memories, in {files}")


def memory_document(entry: MemoryLine) -> Document:
    """Return one memory; of many thousands each costs little."""
    return {
        "id": entry.id,
        "text": entry.text,
        "tag": entry.tag,
        "origin": entry.origin,
        "confidence": entry.confidence,
        "first": entry.first and entry.first.isoformat(),
        "last": entry.last and entry.last.isoformat(),
        "mentions": entry.mentions,
        "status": entry.status,
        "path": entry.path,
        "line": entry.line,
        "class": entry.role,
        "copies": entry.copies,
        "commit": entry.birth and entry.birth.commit,
        "probable": entry.probable,
    }


def print_memory(call: Call, workspace: Workspace, prefix: str) -> None:
    """Print the memory with an id that begins with `prefix`. Raises ClawgitError if there is none."""
    from clawgit.search import recall_log  # noqa: PLC0415 - a list does without

    memory = find_line(workspace, prefix)
    hits = recall_log.find_by_text(workspace.store, memory.text)
    document = {**memory_document(memory), "retrieved": json_documents.map_documents(hits, "at session path")}
    columns = "id text tag origin confidence first last mentions status path line class copies commit"
    call.out.answer(document, shown=f"{columns} only_probable=probable? retrieved")


def find_on_line(workspace: Workspace, text: str) -> str:
    """Return the id of the memory on `FILE:LINE`, or another text as it is. Raises ClawgitError for a line of none."""
    # Only Markdown files hold memories.
    if ".md" not in text:
        return text
    try:
        path, number = line_origins.split_place(workspace, text)
    except UsageError:
        return text
    row = memory_lines.find_at_line(workspace, path, number)
    if row is None:
        raise id_unknown(f"line {number} of {path} is no memory", fix=Command("clawgit why {}", text))
    return row.id


@command(
    "clawgit read MEMORY.md",
    "clawgit read MEMORY.md --as-of '4 days ago'",
    "clawgit read memory/2026-01-20.md --from 45 --lines 8",
)
@click.argument("path", type=Words())
@click.option("--from", "first", type=click.IntRange(1), default=1, show_default=True, help="The first line.")
@click.option("--lines", "count", type=click.IntRange(1), metavar="N", help="How many lines.  [default: all]")
@as_of_option("As it was then: after a change, at a revision or on a date.  [default: as it is on disk]")
def read(call: Call, path: str, first: int, count: int | None, name: str | None) -> None:
    """Print a file, or lines of it.

    PATH is relative to the workspace, or FILE:LINE for one line. Lines count from 1. Of a file with conflict markers of
    a merge, its text before is printed.
    """
    with call.workspace() as workspace:
        path = locate(workspace, path)
        # A search prints places as FILE#L12, `why` and `show` take FILE:12; a file may have such a name.
        if re.search(r"#L|:[1-9]\d*$", path) and not (workspace.root / path).exists():
            path, first = line_origins.split_place(workspace, path)
            count = count or 1
        part = excerpt(workspace, path, first, count, as_of=name)
    call.out.answer(json_documents.excerpt(part), text=part.text)
    if part.note and not call.out.as_json:
        call.out.warn(part.note)
