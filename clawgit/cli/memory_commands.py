"""`clawgit memory`, `forget` and `eval`."""

import re
from pathlib import Path

import click

from clawgit import json_documents
from clawgit.cli import change_output, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group, Listed, command
from clawgit.cli.options import Words, as_of_option, evidence_option, locate, origin_option, sentence_argument
from clawgit.cli.output import progress
from clawgit.cli.render import count_noun
from clawgit.context.addition import follow_sessions
from clawgit.errors import ClawgitError, Command, UsageError, file_missing, id_unknown
from clawgit.json_documents import Document, fields
from clawgit.memory import expiry
from clawgit.search import evaluation, index_state
from clawgit.search.index_state import State, VectorState
from clawgit.workspace import line_origins, memory_lines
from clawgit.workspace.change import Origin
from clawgit.workspace.line_origins import excerpt
from clawgit.workspace.memory_lines import MEMORY_ROLES, MemoryLine, find_line, list_lines
from clawgit.workspace.workspace import Workspace

TAGS = ("event", "knowledge", "skill", "decision")


LISTED = {
    "index": Listed("memory_commands:index_", "Bring the index up to the files."),
    "status": Listed("memory_commands:status", "Show the searched files and the state of the index."),
    "promote": Listed("run_command:promote", "Move durable facts out of the journals."),
    "compact": Listed("run_command:compact", "Put old dated files into an archive for each quarter."),
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
    from clawgit.workspace import memory_lines  # noqa: PLC0415 - as above

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
            change_output.apply(call, workspace, memory_lines.add_note(workspace, text, title=title))
            return
        entry = memory_lines.make_addition(
            workspace, text, tag=tag, daily=to == "daily", origin=origin, evidence=evidence
        )
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
    from clawgit.search import answer  # noqa: PLC0415 - a list does without

    memory = find_line(workspace, prefix)
    hits = answer.find_by_text(workspace.store, memory.text)
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


@command("clawgit forget kxqm", 'clawgit forget "the old printer"')
@sentence_argument("wanted", metavar="ID|WORDS")
def forget(call: Call, wanted: str) -> None:
    """Move a memory to the archive; git keeps it.

    WORDS are some words of this memory alone, or its place in the results of a search (MEMORY.md#L12). It goes to
    memory/archive/memories/, with everything nested below it: neither the agent nor a search gets it. `clawgit undo`
    brings it back.
    """
    with call.workspace(managed=True) as workspace:
        name = find_on_line(workspace, wanted)
        change_output.apply(call, workspace, expiry.forget_line(workspace, name))


_TIERS = {"T0": "Soul", "T1": "Core", "T2": "Working"}
"""The memory tiers by their names: who the agent is, what does not age, what is dated."""


@command("clawgit memory index", "clawgit memory index --force", name="index")
@click.option("--force", is_flag=True, help="Throw the index away and build it anew.")
def index_(call: Call, *, force: bool) -> None:
    """Bring the index up to the files.

    Every search does so by itself. With an `embedder` in CONFIG.md the vectors are built too, and its model downloaded
    if need be. The index is in .git/clawgit/cache and can be deleted at any time.
    """
    from clawgit.search import meaning  # noqa: PLC0415 - few commands need vectors

    with call.workspace() as workspace:
        with progress(call.out, "indexing") as report_progress:
            state = index_state.build_index(workspace, force=force, progress=report_progress)
            # Conversations add to the index, so its state is read again.
            if follow_sessions(workspace, report_progress):
                state = index_state.read_state(workspace)
        with progress(call.out, "embedding") as report_progress:
            meaning.build_vectors(workspace, force=force, progress=report_progress)
        _tell_index(call, state, index_state.read_vectors(workspace, state))


@command("clawgit memory status", "clawgit memory status --json")
def status(call: Call) -> None:
    """Show the searched files and the state of the index.

    Files by memory tier, the chunks that they come to, and whether the index agrees with the files.
    """
    with call.workspace() as workspace:
        state = index_state.read_state(workspace)
        _tell_index(call, state, index_state.read_vectors(workspace, state))


def _tell_index(call: Call, state: State, vectors: VectorState) -> None:
    document = fields(
        state,
        "tiers tier_names files chunks search_tier embedder vectors fresh changed commit bytes degraded",
        tier_names=dict(_TIERS),
        search_tier=vectors.tier,
        **fields(vectors, "embedder vectors"),
        fresh=state.fresh and (vectors.fresh or vectors.tier == "core"),
        degraded="; ".join(filter(None, (state.degraded, vectors.lacking))) or None,
    )
    tiers = [f"{name} {_TIERS[name]}: {count_noun(count, 'file')}" for name, count in state.tiers.items()]
    columns = "soul_memory_tiers files chunks bytes search_tier embedder vectors fresh degraded"
    call.out.answer(document, render.draw_record({**document, "soul_memory_tiers": tiers}, columns))


@command("clawgit eval questions.jsonl", name="eval")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def eval_(call: Call, file: Path) -> None:
    """Measure search on your own questions.

    FILE has an object a line: {"question": "…", "expected": ["MEMORY.md#L4-L6"]}. Evidence is the share of expected
    lines within so many tokens.
    """
    questions = evaluation.read_test_questions(file)
    with call.workspace() as workspace:
        measures = evaluation.trial(workspace, questions)
    rows = [{"measure": name, "clawgit": value} for name, value in measures.items()]
    call.out.answer({"questions": len(questions), **measures}, render.draw_table(rows))
    call.out.note(f"{len(questions)} questions")
