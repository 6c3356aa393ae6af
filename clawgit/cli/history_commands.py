"""`clawgit log`, `clawgit why` and `clawgit changelog`."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from clawgit import file_roles, json_documents
from clawgit.cli import change_output, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Since, Words, locate, paged, sentence_argument
from clawgit.cli.output import Line, Span, count_noun, line, progress
from clawgit.errors import Command, Exit, UsageError, option_missing
from clawgit.git import repository
from clawgit.git.paths import check
from clawgit.language.dates import start_of
from clawgit.workspace import changelog as workspace_changelog
from clawgit.workspace import records, seen_versions
from clawgit.workspace.records import Record, Told
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.search.history_search import Chapter

CUT_OFF = "this clone is shallow: a line may be older than its oldest commit; git fetch --unshallow brings the rest"
_WHY = (
    "path line text subject why commit change date author agent born=birth only_probable=probable? was tool=call.tool "
    "how=call.how written_after=call.since written_before=call.until asked_by=call.requester turn=call.turn "
    "session=call.session question=call.question evidence undo"
)


def mark_claim(document: json_documents.Document) -> json_documents.Document:
    """Return the origin of a line for a reader: an author that only the commit's own message names is a claim."""
    if not document["claimed"]:
        return document
    birth = document.get("birth")
    if isinstance(birth, dict) and birth["commit"] == document["commit"]:
        birth = None
    who = f"claims: {document['agent'] or document['author']}"
    return {**document, "author": who, "agent": None, "birth": birth}


_ROW_STYLES = {"+": "green", "-": "red"}


def describe_record(found: Record, *, named: bool = False, words: Iterable[str] = (), more: int = 0) -> Iterator[Line]:
    """Yield one commit of the log; `named` adds its files, `words` are changed lines, of `more`."""
    change = Span(f" {found.change}" if found.change else "", "cyan")
    author = "" if found.agent or found.origin or found.claimed else ", without clawgit"
    yield line(Span(found.commit[:10], "yellow"), change, f" {found.date:%Y-%m-%d %H:%M} {found.who}{author}")
    yield line("  ", Span(found.subject, "bold"))
    for row in found.why.split("\n") if found.why else ():
        yield line(f"  {row}" if row.strip() else "")
    yield from (line("  ", Span(" ".join(row.split()), _ROW_STYLES.get(row[:1], ""))) for row in words)
    if more:
        yield line("  ", Span(f"and {count_noun(more, 'more line')}", "dim"))
    for evidence in found.evidence:
        yield line("  ", Span(f"evidence: {evidence.pointer}", "dim"))
    if named and found.files:
        yield line("  ", Span(f"files: {change_output.name_files(found.files)}", "dim"))
    yield line("")


@command(
    "clawgit log -n 5",
    "clawgit log MEMORY.md --since '2 weeks ago' --agent memory-miner",
    'clawgit log --about "deploy day"',
    "clawgit log SOUL.md --versions",
    apart={
        "about": "agent origin session identity versions seen",
        "path": "file identity",
        "file": "identity",
        "seen": "agent origin since identity versions",
        "versions": "agent origin since identity",
    },
)
@click.argument("path", type=Words(), required=False)
@click.option("-n", "limit", type=click.IntRange(0), metavar="N", help="At most so many.  [default: all]")
@click.option("--since", type=Since(), metavar="WHEN", help="From this day on, such as 2026-01-20 or '2 weeks ago'.")
@click.option("--agent", type=Words(), metavar="NAME", help="Only changes of this agent or author.")
@click.option(
    "--origin", type=click.Choice(("operator", "agent", "untrusted", "unknown")), help="Only changes of this origin."
)
@click.option("--session", type=Words(), metavar="ID", help="Only changes that calls of this OpenClaw session wrote.")
@click.option("--file", "file", type=Words(), metavar="PATH", help="Only this file or folder, as PATH does.")
@click.option("--about", type=Words(), metavar="WORDS", help="Only added and removed lines about this.")
@click.option("--identity", is_flag=True, help="Only the identity: SOUL.md, IDENTITY.md, USER.md, AGENTS.md and so on.")
@click.option("--versions", is_flag=True, help="List the versions of a file: SOUL.md, unless PATH names another.")
@click.option("--seen", is_flag=True, help="Overwritten versions that clawgit capture --watch saw and no commit has.")
@paged
def log(call: Call, /, **given: Any) -> None:
    """List changes, newest first.

    In the whole workspace, or to the file or folder PATH. Commits of other programs are listed too. The calls of one
    turn of the agent are one entry, with --json each by itself.
    --versions lists each version of a file with its tokens; those older than soul_history_retention_days by month, with
    -n the newest so many. --seen lists versions that were never committed, each with the command that brings it back.
    """
    wanted = given["file"] if given["path"] is None else given["path"]
    tell = _tell_about if given["about"] else _tell_seen if given["seen"] else _tell_commits
    with call.workspace() as workspace:
        path = wanted and locate(workspace, wanted)
        (_tell_versions if given["versions"] else tell)(call, workspace, path, given)


def _tell_commits(call: Call, workspace: Workspace, path: str | None, given: Mapping[str, Any]) -> None:
    """Print the log of `path` (None: of everything, or of the identity)."""
    identity_paths = (*file_roles.IDENTITY, *file_roles.identity_files(workspace.root)) if given["identity"] else ()
    paths = (check(path),) if path else tuple(dict.fromkeys(identity_paths))
    since, narrow = given["since"], {key: given[key] for key in ("limit", "agent", "origin", "session")}
    # git would take the time of day for a day's beginning, and knows no year after 2099
    moment = f"@{max(int(start_of(since, workspace.now().tzinfo).timestamp()), 0)} +0000" if since else None
    commits = records.log(workspace, *paths, since=moment, **narrow)
    none = f"nothing happened to {path or 'the identity'}" if paths else "nothing happened"
    if call.out.as_json:
        call.out.documents(map(json_documents.record, commits))
        return
    entries = _fold_turns(records.describe_commits(workspace, commits))
    rows = (describe_record(entry.record, named=path is None, words=entry.words, more=entry.more) for entry in entries)
    if not call.out.lines(row for entry in rows for row in entry):
        call.out.note(none)


def _tell_about(call: Call, workspace: Workspace, path: str | None, given: Mapping[str, Any]) -> None:
    """Print the commits that gave or took lines about a topic, with these lines."""
    from clawgit.search import history_search  # noqa: PLC0415 - loads the index

    with progress(call.out, "reading history") as report:
        story = history_search.story(workspace, given["about"], report)
    first = start_of(given["since"], workspace.now().tzinfo) if given["since"] else None
    chapters: list[Chapter] = []
    for chapter in reversed(story):
        steps = tuple(step for step in chapter.steps if path in (None, step.path))
        if steps and (first is None or chapter.date >= first):
            chapters.append(replace(chapter, steps=steps))
    chapters = chapters[: given["limit"]]
    none = f"no commit says anything about {given['about']!r}; clawgit search looks at what is not committed too"
    documents = json_documents.map_documents(chapters, "commit date subject lines=steps")
    call.out.answer(documents, (row for chapter in chapters for row in _describe_chapter(chapter)), none=none)


def _describe_chapter(chapter: "Chapter") -> Iterator[Line]:
    yield line(Span(chapter.commit[:10], "yellow"), f" {chapter.date:%Y-%m-%d %H:%M} ", Span(chapter.subject, "bold"))
    for step in chapter.steps:
        yield line("  ", Span(f"{step.path}#L{step.line}", "dim"))
        for row in step.text.split("\n"):
            yield line("  ", Span(f"{step.op} {row}", _ROW_STYLES.get(step.op, "")))
    yield line("")


def _fold_turns(told: Iterable[Told]) -> Iterator[Told]:
    """Yield the commits, those that calls of one turn wrote as one."""
    for _, group in groupby(told, lambda entry: entry.record.runs or entry.record.commit):
        first, *others = group
        if not others:
            yield first
            continue
        files = tuple(dict.fromkeys(path for entry in (*reversed(others), first) for path in entry.record.files))
        words = [word for entry in (*reversed(others), first) for word in entry.words]
        subject = f"capture: {len(others) + 1} writes of one turn"
        record = replace(first.record, subject=subject, why="", files=files)
        line_count = sum(entry.more for entry in (first, *others)) + len(words[_FOLDED_WORDS:])
        yield replace(first, record=record, words=tuple(words[:_FOLDED_WORDS]), more=line_count)


_FOLDED_WORDS = 4


def _tell_versions(call: Call, workspace: Workspace, path: str | None, given: Mapping[str, Any]) -> None:
    """Print the versions of a file, newest first; old ones are thinned unless a number is asked for."""
    from clawgit.workspace import identity_edits  # noqa: PLC0415 - loads what edits

    path, limit = path or file_roles.SOUL, given["limit"]
    versions, left = identity_edits.versions(workspace, path, everything=limit is not None)
    if left:
        call.out.note(f"{count_noun(left, 'older version')} left out, all but the last of each month: -n shows them")
    documents = json_documents.map_documents(versions[:limit], "date commit tokens")
    call.out.answer(documents, none=f"{path} has no version here")


def _tell_seen(call: Call, workspace: Workspace, path: str | None, given: Mapping[str, Any]) -> None:
    """Print the versions that were seen of `path` (None: of every file)."""
    versions = islice(seen_versions.list_seen(workspace.repo, check(path) if path else None), given["limit"])
    documents = list(map(json_documents.document_seen_version, versions))
    none = f"no version{f' of {path}' if path else ''} is in no commit; clawgit capture --watch keeps them"
    call.out.answer(documents, shown="id date path added removed alone restore", none=none)


@command(
    "clawgit why SOUL.md:7",
    "clawgit why 'memory/2026-01-20.md:12' --json",
    "clawgit why --last",
    apart={"last": "place"},
)
@sentence_argument("place", metavar="FILE:LINE|WORDS", required=False)
@click.option("--last", is_flag=True, help="The lines that the last answer of the agent was given.")
@paged
def why(call: Call, place: str | None, *, last: bool) -> None:
    """Show the author of a line, its time and the message before it.

    LINE counts from 1, in the file on disk; WORDS are some words of a line of memory. The evidence is followed to its
    words. For a line of the agent's, its call, session and message are named. With --last the lines that clawgit gave
    to the last answer.
    """
    from clawgit.workspace import line_origins  # noqa: PLC0415 - loads the table of entries

    if place is None and not last:
        raise option_missing("why needs a line, or --last", fix=Command("clawgit why --help"))
    with call.workspace() as workspace:
        places = _places(workspace, place) if place else _list_answered_places(call, workspace)
        documents = [
            json_documents.reason(path, line, quotes, line_origins.undo(workspace, line.record, path))
            for path, number in places[: MAX_PLACES if place else None]
            for line, quotes in (line_origins.trace_line(workspace, path, number),)
        ]
    if any(document["cut_off"] for document in documents):
        call.out.note(CUT_OFF)
    if any(document["commit"] is None for document in documents):
        call.out.note("not committed yet: what stands on disk only, git knows nothing of")
    rows = (row for document in documents for row in (*render.draw_record(mark_claim(document), _WHY), line("")))
    call.out.answer(documents, rows)
    if last and documents:
        call.out.note('is one wrong? clawgit correct "TEXT"')
    if len(places) > len(documents):
        call.out.note(f"{len(documents)} of {len(places):,} lines with these words")


def _list_answered_places(call: Call, workspace: Workspace) -> list[tuple[str, int]]:
    """Return the lines of the last answer, and print its time."""
    from clawgit.context.receipt import find_last  # noqa: PLC0415 - loads the index

    turn = find_last(workspace.store)
    if turn is None:
        call.out.note("no turn of the agent is known yet")
        return []
    count = count_noun(len(turn.places), "line")
    call.out.note(f"the turn of {turn.time[:16].replace('T', ' ')} was given {count}, beside the files of its prompt")
    return [(path, number) for path, number in turn.places if number]


MAX_PLACES = 5


def _places(workspace: Workspace, text: str) -> list[tuple[str, int]]:
    """Return the line that `FILE:LINE` names, else the lines that have these words. Raises ClawgitError."""
    from clawgit.workspace import line_origins, memory_lines  # noqa: PLC0415 - loads the table of entries

    try:
        return [line_origins.place(workspace, locate(workspace, text))]
    except UsageError:
        if not re.search(r"\s", text) and re.search(r"[/.:]", text):
            raise
        return [(memory_line.path, memory_line.line) for memory_line in memory_lines.find_words(workspace, text)]


@command("clawgit changelog", "clawgit changelog --check || clawgit changelog")
@click.option("--check", is_flag=True, help="Write nothing; exit with 3 when the file differs from the log.")
def changelog(call: Call, *, check: bool) -> int:
    """Render the changes of the identity.

    The log of the identity files as Markdown, in CHANGELOG.md, or SOUL_CHANGELOG.md if that is somebody else's. It is
    not committed: it can be rendered anew at any time.
    """
    with call.workspace(managed=not check) as workspace:
        if not check:
            workspace_changelog.release_blank(workspace, workspace_changelog.NAMES)
        view = workspace_changelog.changelog(workspace)
        is_written = not check and workspace_changelog.write(workspace, view)
        if not check and not repository.ignored(workspace.repo, view.path):
            call.out.note(f"git does not ignore {view.path}: add /{view.path} to .gitignore")
    document = json_documents.fields(view, "path entries current", current=view.current or is_written)
    call.out.answer({**document, "written": is_written})
    if check and not view.current:
        call.out.warn(f"{view.path} is not what the log says", "clawgit changelog")
        return Exit.FOUND
    return Exit.DONE
