"""`clawgit memory`, `forget` and `eval`."""

import re
from pathlib import Path
from typing import Any

import click

from clawgit import json_documents
from clawgit.agents import agents, running
from clawgit.agents.memory_compactor import ENABLE, MemoryCompactor, Promoter
from clawgit.cli import change_output, render, run_command
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group, Listed, command
from clawgit.cli.options import Words, as_of_option, evidence_option, locate, origin_option, sentence_argument
from clawgit.cli.output import progress
from clawgit.cli.render import count_noun
from clawgit.context.addition import follow_sessions
from clawgit.errors import ClawgitError, Command, UsageError, file_missing, id_unknown, option_missing
from clawgit.json_documents import Document, fields
from clawgit.memory import expiry
from clawgit.memory import promote as promotion
from clawgit.memory.compact import MIN_DAYS, CompactionPlan, place_archive, read_plan
from clawgit.memory.promote import Wanted, gather
from clawgit.safety.redaction import redact
from clawgit.search import evaluation, index_state
from clawgit.search.index_state import State, VectorState
from clawgit.workspace import line_origins, memory_lines
from clawgit.workspace.change import Edit, Origin
from clawgit.workspace.line_origins import excerpt
from clawgit.workspace.memory_lines import MEMORY_ROLES, MemoryLine, find_line, list_lines
from clawgit.workspace.workspace import Workspace

TAGS = ("event", "knowledge", "skill", "decision")


LISTED = {
    "index": Listed("memory_commands:index_", "Bring the index up to the files."),
    "status": Listed("memory_commands:status", "Show the searched files and the state of the index."),
    "promote": Listed("memory_commands:promote", "Move durable facts out of the journals."),
    "compact": Listed("memory_commands:compact", "Put old dated files into an archive for each quarter."),
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


@command(
    "clawgit memory compact",
    "clawgit memory compact --apply --remove",
)
@click.option("--days", type=click.IntRange(0), default=90, show_default=True, help="Only entries older than this.")
@click.option("--apply", "really", is_flag=True, help="Do it: one commit for each archive.")
@click.option("--remove", is_flag=True, help="Remove the originals too, in commits of their own; git keeps them.")
def compact(call: Call, days: int, *, really: bool, remove: bool) -> None:
    """Put old dated files into an archive for each quarter.

    Their text goes word for word, day after day, into memory/archive/2026-Q1.md. Without --apply the old files are
    listed. The originals stay, unless --remove is given. The last 30 days are never compacted.
    """
    if remove and not really:
        raise option_missing("--remove needs --apply", fix=Command("clawgit memory compact --apply --remove"))
    with call.workspace(managed=True) as workspace:
        if days < MIN_DAYS:
            call.out.note(f"the last {MIN_DAYS} days stay as they are")
        agent = MemoryCompactor(CompactionPlan("quarterly", max(days, MIN_DAYS), remove=remove, tend=False))
        # The preview runs the same agent, without commits.
        result = running.apply(agent, workspace) if really else running.preview(agent, workspace)
        if really:
            result.notes += agents.settle(workspace, agent, result)
        is_enabled = read_plan(workspace.config).enabled
    edits = [edit for change in result.proposed for edit in change.edits if isinstance(edit, Edit)]
    files = [
        fields(item, "path day", archive=place_archive(item.day, "quarterly"))
        for item in agent.eligible
        if any(edit.path == item.path or item.text in edit.known for edit in edits)
    ]
    document = {**run_command.document(result), "days": max(days, MIN_DAYS), "files": files}
    call.out.note(*result.notes)
    rows = [*run_command.draw_applied(result), *render.draw_table(files)]
    call.out.answer(document, [*rows, *render.draw_record(document, "left_out=skipped")])
    if not files:
        hint = "; the archives have the text of %s: clawgit memory compact --apply --remove removes them"
        archived = hint % count_noun(len(agent.eligible), "file") if agent.eligible else ""
        call.out.note(f"nothing to compact in files of more than {document['days']} days{archived}")
        if result.skipped["brought back"]:
            call.out.note("files that were brought back stay; see COMPACTION_LOG.md, then: clawgit undo --redo CHANGE")
    elif not really:
        call.out.note("to do it: clawgit memory compact --apply")
    if not (really or is_enabled):
        call.out.note(f"by itself nothing is compacted; see clawgit run memory-compactor, then: {ENABLE}")


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


_CENTURY = 36_500


@command(
    "clawgit memory promote",
    "clawgit memory promote --frequency --json",
    "clawgit memory promote --apply --target memory/legal.md",
)
@click.option(
    "--days", type=click.IntRange(1, _CENTURY), default=7, show_default=True, help="Journals of so many days back."
)
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=0.4,
    show_default=True,
    help="Only facts at least so sure.",
)
@click.option("--frequency", is_flag=True, help="Only entries found by searches of three sessions or more.")
@click.option("--apply", "really", is_flag=True, help="Do it, in one commit.")
@click.option("--target", type=Words(), metavar="FILE", help="The file for all of it.  [default: by category]")
def promote(call: Call, days: int, min_confidence: float, target: str | None, *, frequency: bool, really: bool) -> None:
    """Move durable facts out of the journals.

    Candidates have a trigger word of the memory tiers, or were found by searches of three sessions; each shows the
    parts of its confidence. With --apply a note goes, with its day, to the file of its category, such as
    memory/legal.md, or to the memory file, and leaves its journal. An undone promotion is not repeated. Words from
    outside stay in place.
    """
    with call.workspace(managed=really) as workspace:
        place = promotion.check_target(workspace, target) if target is not None else ""
        request = Wanted(days, min_confidence, frequency, place)
        change, applied = None, None
        if really:
            agent = Promoter(request)
            result = running.apply(agent, workspace)
            agents.settle(workspace, agent, result)
            selection, (change, applied) = agent.found, next(iter(result.applied), (None, None))
        else:
            selection = gather(workspace, request, workspace.now())
    for words in selection.unread:
        call.out.warn(words)
    candidates = [
        {
            **fields(candidate, "path line=start end date=day category", text=redact(candidate.said)),
            "confidence": candidate.confidence,
            "why": [{"what": part, "value": value} for part, value in candidate.parts],
            **fields(candidate, "sessions to tag origin held?"),
        }
        for candidate in selection.candidates
    ]
    document: dict[str, Any] = {
        **fields(selection, "candidates read", candidates=candidates),
        "skipped": run_command.skipped_document(selection.skipped),
        **fields(selection, "unread"),
    }
    rows = list(render.draw_table(candidates, "confidence path line held to text why"))
    rows += render.draw_record(document, "left_out=skipped")
    if change and applied:
        if not call.out.as_json:
            call.out.lines(rows)
        change_output.print_outcome(call, applied, change.subject, **document)
        return
    outcome = {"commit": None, "reason": "there is nothing to promote"} if really else {}
    call.out.answer({**outcome, **document}, rows, none="nothing to promote")
    if selection.skipped["taken back before"]:
        call.out.note("an undone promotion is not repeated; to redo it: clawgit undo --redo CHANGE")
    if selection.ready and not really:
        call.out.note("to do it: clawgit memory promote --apply")


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
