"""`clawgit log`, `why`, `changelog`, `diff` and `soul`."""

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from clawgit import file_roles, json_documents
from clawgit.cli import change_output, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group, command
from clawgit.cli.options import (
    Since,
    VersionType,
    Words,
    as_of_option,
    evidence_option,
    file_option,
    locate,
    page_output,
    sentence_argument,
)
from clawgit.cli.output import progress
from clawgit.cli.render import Line, Span, count_noun, line
from clawgit.errors import Command, Exit, UsageError, file_missing, option_missing, options_conflict, quote_shell
from clawgit.git import history, repository
from clawgit.git.git_command import git
from clawgit.git.paths import check
from clawgit.language.dates import start_of
from clawgit.text.spelling import misspelt
from clawgit.workspace import changelog as workspace_changelog
from clawgit.workspace import identity_edits, line_origins, memory_lines, records, seen_versions, uncommitted
from clawgit.workspace import undo as undoing
from clawgit.workspace.identity_edits import Act
from clawgit.workspace.records import Record, Told
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.search.history_search import Chapter


CUT_OFF = "this clone is shallow: a line may be older than its oldest commit; git fetch --unshallow brings the rest"
_WHY_FIELDS = (
    "path line text subject why commit change date author agent born=birth only_probable=probable? was tool=call.tool "
    "how=call.how written_after=call.since written_before=call.until asked_by=call.requester turn=call.turn "
    "session=call.session question=call.question evidence undo"
)


def mark_claim(document: json_documents.Document) -> json_documents.Document:
    """Return the origin of a line for a reader: an author that only the commit's own message names is a claim."""
    if not document["claimed"]:
        return document
    birth = document.get("birth")
    # The birth in the same commit is the same claim.
    if isinstance(birth, dict) and birth["commit"] == document["commit"]:
        birth = None
    author = f"claims: {document['agent'] or document['author']}"
    return {**document, "author": author, "agent": None, "birth": birth}


_ROW_STYLES = {"+": "green", "-": "red"}


def describe_record(record: Record, *, named: bool = False, words: Iterable[str] = (), more: int = 0) -> Iterator[Line]:
    """Yield one commit of the log; `named` adds its files, `words` are changed lines, of `more`."""
    change = Span(f" {record.change}" if record.change else "", "cyan")
    author = "" if record.agent or record.origin or record.claimed else ", without clawgit"
    yield line(Span(record.commit[:10], "yellow"), change, f" {record.date:%Y-%m-%d %H:%M} {record.who}{author}")
    yield line("  ", Span(record.subject, "bold"))
    for row in record.why.split("\n") if record.why else ():
        yield line(f"  {row}" if row.strip() else "")
    yield from (line("  ", Span(" ".join(row.split()), _ROW_STYLES.get(row[:1], ""))) for row in words)
    if more:
        yield line("  ", Span(f"and {count_noun(more, 'more line')}", "dim"))
    for evidence in record.evidence:
        yield line("  ", Span(f"evidence: {evidence.pointer}", "dim"))
    if named and record.files:
        yield line("  ", Span(f"files: {change_output.name_files(record.files)}", "dim"))
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
        "sessions": "path about agent origin since session file identity versions seen",
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
@click.option("--sessions", is_flag=True, help="List the conversations that are kept instead, the oldest first.")
@click.option("--seen", is_flag=True, help="Overwritten versions that clawgit capture --watch saw and no commit has.")
@page_output
def log(call: Call, /, **options: Any) -> None:
    """List changes, newest first.

    In the whole workspace, or to the file or folder PATH. Commits of other programs are listed too. The calls of one
    turn of the agent are one entry, with --json each by itself.
    --versions lists each version of a file with its tokens; those older than soul_history_retention_days by month, with
    -n the newest so many. --seen lists versions that were never committed, each with the command that brings it back.
    """
    place = options["file"] if options["path"] is None else options["path"]
    tell = _tell_about if options["about"] else _tell_seen if options["seen"] else _tell_commits
    with call.workspace() as workspace:
        if options["sessions"]:
            from clawgit.cli.session_commands import print_sessions  # noqa: PLC0415 - loads the agents

            print_sessions(call, workspace, options["limit"])
            return
        path = place and locate(workspace, place)
        (_tell_versions if options["versions"] else tell)(call, workspace, path, options)


def _tell_commits(call: Call, workspace: Workspace, path: str | None, options: Mapping[str, Any]) -> None:
    """Print the log of `path` (None: of everything, or of the identity)."""
    identity_paths = (*file_roles.IDENTITY, *file_roles.identity_files(workspace.root)) if options["identity"] else ()
    paths = (check(path),) if path else tuple(dict.fromkeys(identity_paths))
    since, narrow = options["since"], {key: options[key] for key in ("limit", "agent", "origin", "session")}
    # git would take the time of day for a day's beginning, and knows no year after 2099
    moment = f"@{max(int(start_of(since, workspace.now().tzinfo).timestamp()), 0)} +0000" if since else None
    if path:
        _require_known_path(workspace, paths[0])
    commits = records.list_records(workspace, *paths, since=moment, **narrow)
    none = f"nothing happened to {path or 'the identity'}" if paths else "nothing happened"
    if call.out.as_json:
        call.out.documents(map(json_documents.record, commits))
        return
    entries = _fold_turns(records.describe_commits(workspace, commits))
    rows = (describe_record(entry.record, named=path is None, words=entry.words, more=entry.more) for entry in entries)
    if not call.out.lines(row for entry in rows for row in entry):
        call.out.note(none)
    elif path and (former := _find_former_name(workspace, paths[0])):
        call.out.note(f"{path} was called {former} before: clawgit log {quote_shell(former)}")


def _find_former_name(workspace: Workspace, path: str) -> str | None:
    """Return the name that a file had before its oldest commit, None if that commit wrote it."""
    oldest = deque(history.walk_log(workspace.repo, path, named=False), maxlen=1)
    return history.renames(workspace.repo, oldest[0].id).get(path) if oldest else None


def _require_known_path(workspace: Workspace, path: str) -> None:
    """Raise ClawgitError for a path that is neither on disk nor in history."""
    # git leaves out the side of a merge that did not count.
    words = ("rev-list", "-1", "--full-history", "HEAD", "--", path)
    if os.path.lexists(workspace.root / path) or (workspace.head and git(workspace.root, *words)):
        return
    suggestion = misspelt(path, repository.files(workspace.repo, workspace.head)) if workspace.head else None
    fix = Command("clawgit log {}", suggestion) if suggestion else Command("ls {}", workspace.root)
    raise file_missing(f"{path} not found on disk or in history", fix=fix)


def _tell_about(call: Call, workspace: Workspace, path: str | None, options: Mapping[str, Any]) -> None:
    """Print the commits that gave or took lines about a topic, with these lines."""
    from clawgit.search import history_search  # noqa: PLC0415 - loads the index

    with progress(call.out, "reading history") as report:
        story = history_search.story(workspace, options["about"], report)
    first = start_of(options["since"], workspace.now().tzinfo) if options["since"] else None
    chapters: list[Chapter] = []
    for chapter in reversed(story):
        steps = tuple(step for step in chapter.steps if path in (None, step.path))
        if steps and (first is None or chapter.date >= first):
            chapters.append(replace(chapter, steps=steps))
    chapters = chapters[: options["limit"]]
    words = "the identity and instructions are not looked at: clawgit log --identity"
    none = f"no commit of memory says anything about {options['about']!r}; {words}"
    documents = json_documents.map_documents(chapters, "commit date subject lines=steps")
    call.out.answer(documents, (row for chapter in chapters for row in _describe_chapter(chapter)), none=none)


def _describe_chapter(chapter: "Chapter") -> Iterator[Line]:
    yield line(Span(chapter.commit[:10], "yellow"), f" {chapter.date:%Y-%m-%d %H:%M} ", Span(chapter.subject, "bold"))
    for step in chapter.steps:
        yield line("  ", Span(f"{step.path}#L{step.line}", "dim"))
        for row in step.text.split("\n"):
            yield line("  ", Span(f"{step.op} {row}", _ROW_STYLES.get(step.op, "")))
    yield line("")


def _fold_turns(entries: Iterable[Told]) -> Iterator[Told]:
    """Yield the commits, those that calls of one turn wrote as one."""
    for _, group in groupby(entries, lambda entry: entry.record.runs or entry.record.commit):
        first, *others = group
        if not others:
            yield first
            continue
        # The log is newest first, but a turn is read in its order.
        files = tuple(dict.fromkeys(path for entry in (*reversed(others), first) for path in entry.record.files))
        words = [word for entry in (*reversed(others), first) for word in entry.words]
        subject = f"capture: {len(others) + 1} writes of one turn"
        record = replace(first.record, subject=subject, why="", files=files)
        line_count = sum(entry.more for entry in (first, *others)) + len(words[_FOLDED_WORDS:])
        yield replace(first, record=record, words=tuple(words[:_FOLDED_WORDS]), more=line_count)


_FOLDED_WORDS = 4


def _tell_versions(call: Call, workspace: Workspace, path: str | None, options: Mapping[str, Any]) -> None:
    """Print the versions of a file, newest first; old ones are thinned unless a number is asked for."""
    path, limit = path or file_roles.SOUL, options["limit"]
    versions, left = identity_edits.versions(workspace, path, everything=limit is not None)
    if left:
        call.out.note(f"{count_noun(left, 'older version')} left out, all but the last of each month: -n shows them")
    documents = json_documents.map_documents(versions[:limit], "date commit tokens")
    call.out.answer(documents, none=f"{path} has no version here")


def _tell_seen(call: Call, workspace: Workspace, path: str | None, options: Mapping[str, Any]) -> None:
    """Print the versions that were seen of `path` (None: of every file)."""
    versions = islice(seen_versions.list_seen(workspace.repo, check(path) if path else None), options["limit"])
    documents = list(map(json_documents.document_seen_version, versions))
    none = f"no version{f' of {path}' if path else ''} is in no commit; clawgit capture --watch keeps them"
    call.out.answer(documents, shown="id date path added removed alone restore", none=none)


@command(
    "clawgit why SOUL.md:7",
    "clawgit why 'memory/2026-01-20.md:12' --json",
    "clawgit why IDENTITY.md",
    "clawgit why --last",
    apart={"last": "place"},
)
@sentence_argument("place", metavar="FILE[:LINE]|WORDS", required=False)
@click.option("--last", is_flag=True, help="The lines that the last answer of the agent was given.")
@page_output
def why(call: Call, place: str | None, *, last: bool) -> None:
    """Show the author of a line, its time and the message before it.

    LINE counts from 1, in the file on disk; without it, the commit, change, day and author of each line are listed.
    WORDS are some words of a line of memory. The evidence is followed to its
    words. For a line of the agent's, its call, session and message are named. With --last the lines that clawgit gave
    to the last answer.
    """
    if place is None and not last:
        raise option_missing("why needs a line, or --last", fix=Command("clawgit why --help"))
    with call.workspace() as workspace:
        path = locate(workspace, place) if place else ""
        # A word such as `notes/gone.md` names a file that may be gone; a sentence may be too long for `Path.is_file`.
        is_name = re.fullmatch(r"[^\s:#]*[/.][^\s:#.]+", path)
        if is_name or os.path.isfile(workspace.root / path):  # noqa: PTH113
            _print_blame(call, workspace, path)
            return
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
    shown = map(_shorten_reason, map(mark_claim, documents))
    rows = (row for document in shown for row in (*render.draw_record(document, _WHY_FIELDS), line("")))
    call.out.answer(documents, rows)
    if len(places) > len(documents):
        call.out.note(f"{len(documents)} of {len(places):,} lines with these words")


def _shorten_reason(document: json_documents.Document) -> json_documents.Document:
    """Return the origin of a line with one row of the reason of a capture, which has one for each file."""
    if document["agent"] != "capture" or not document["why"]:
        return document
    rows = str(document["why"]).split("\n")
    return {**document, "why": next((row for row in rows if row.startswith(f"- {document['path']} ")), "")}


def _print_blame(call: Call, workspace: Workspace, path: str) -> None:
    """Print the commit, change, day and author of each line of a file on disk."""
    lines = line_origins.lines(workspace, path)
    if any(origin.cut_off for origin in lines):
        call.out.note(CUT_OFF)
    documents = list(map(json_documents.origin, lines))
    rows = list(map(mark_claim, documents))
    call.out.answer(documents, render.draw_table(rows, "commit change date author line text"))


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
    try:
        return [line_origins.split_place(workspace, locate(workspace, text))]
    except UsageError:
        # A single word with such a character was meant as a place.
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


@click.group(cls=Group)
def soul() -> None:
    """Show, compare, edit and revert SOUL.md and its like.

    Identity files are SOUL.md, IDENTITY.md, USER.md, AGENTS.md, TOOLS.md, HEARTBEAT.md, BOOTSTRAP.md and the
    SOUL.md of each folder below agents/.
    """


@soul.command(
    "show", examples=("clawgit soul show", "clawgit soul show --as-of 2026-01-20", "clawgit soul show --as-of HEAD~3")
)
@as_of_option("A change, a revision, or the end of a day.  [default: now]")
def show_(call: Call, name: str | None) -> None:
    """Print SOUL.md as it is committed, now or at another time."""
    with call.workspace() as workspace:
        commit, text = identity_edits.show(workspace, name=name)
        moment = records.read_commit_record(workspace, commit).date
        if name is None and file_roles.SOUL in uncommitted.list_uncommitted(workspace):
            call.out.note(f"{file_roles.SOUL} on disk differs from this, the committed one")
    document = {"commit": commit, "date": moment.isoformat(), "text": text}
    call.out.answer(document, text=text)


@soul.command(
    examples=(
        "clawgit soul diff",
        "clawgit soul diff '10 days ago' MEMORY.md",
        "clawgit soul diff --of kxqmwrtzvn --file MEMORY.md",
    )
)
@click.argument("names", type=VersionType(), nargs=-1, metavar="[A] [B] [FILE]")
@click.option("--of", "change", type=Words(), metavar="CHANGE", help="The changes of this one change.")
@file_option
@page_output
def diff(call: Call, names: tuple[str, ...], change: str | None, path: str) -> None:
    """Compare two versions of a file, word by word.

    A and B are changes, revisions or dates, also '4 days ago' and the like; B is HEAD by default. With neither:
    uncommitted changes, else the last change. FILE is SOUL.md by default; `clawgit diff` alone takes the first
    uncommitted file. Without colour, [-words-] went and {+words+} came.
    """
    with call.workspace() as workspace:
        names = tuple(locate(workspace, name) for name in names)
        files = [
            name
            for name in names
            if name.endswith(".md") or os.path.isfile(workspace.root / name)  # noqa: PTH113 - a long word is no error
        ]
        versions, path = [name for name in names if name not in files], [path, *files][-1]
        if len(versions) > 2 or len(files) > 1:  # noqa: PLR2004 - A and B
            raise options_conflict(f"two versions of a file are compared, not {', '.join(names)}", fix=_DIFF_HELP)
        if versions and change:
            raise options_conflict("--of names both ends itself", fix=Command("clawgit soul diff --of {}", change))
        first, second = (*versions, None, None)[:2]
        changed = [] if names or change else uncommitted.list_uncommitted(workspace)
        # `clawgit soul diff` is about the identity, `clawgit diff` about all files.
        if changed and path not in changed and not click.get_current_context().command_path.endswith("soul diff"):
            path = changed[0]
        if change:
            difference = identity_edits.diff_change(workspace, change, path)
        else:
            difference = identity_edits.diff(workspace, path, first, second)
        hunks = json_documents.hunk_documents(difference.hunks)
        start, end = _describe_version(workspace, difference.start), _describe_version(workspace, difference.end)
    if not difference.hunks:
        call.out.note(f"{path} is the same in both")
    document = {"from": difference.start, "to": difference.end or None, "hunks": hunks}
    call.out.answer(document, [line(Span(path, "bold"), f" from {start} to {end}"), *render.draw_hunks(hunks)])


_DIFF_HELP = Command("clawgit diff --help")


def _describe_version(workspace: Workspace, name: str | None) -> str:
    if not name:
        return "nothing" if name is None else "what is on disk"
    return f"{name[:10]} ({records.read_commit_record(workspace, name).date:%Y-%m-%d %H:%M})"


@soul.command(examples=("clawgit soul revert", "clawgit soul revert kxqmwrtzvn", "clawgit soul revert HEAD~2 --json"))
@click.argument("change", type=Words(), required=False)
def revert(call: Call, change: str | None) -> None:
    """Undo one change of SOUL.md; later changes stay.

    CHANGE is the id that a change printed, or any revision. Without it the newest change is shown, with the effect and
    the command of its reversal. If a later change is in the way, nothing is written and both sides are shown (exit 1).
    """
    with call.workspace() as workspace:
        reversal = undoing.undo(workspace, change, only=file_roles.SOUL)
        if change is not None:
            change_output.apply(call, workspace, reversal)
            return
        record = records.read_commit_record(workspace, records.find_commit(workspace, reversal.undoes or ""))
    document = {
        "commit": None,
        "newest": json_documents.record(record),
        "hunks": json_documents.hunk_documents(reversal.hunks().get(file_roles.SOUL, ())),
        "command": f"clawgit soul revert {record.change or record.commit[:10]}",
    }
    rows = [*describe_record(record), *render.draw_record(document, "hunks command")]
    call.out.answer(document, rows)


@soul.command(
    examples=(
        'clawgit soul edit --add "Answer in short sentences on the phone." --section Vibe \\',
        '    --evidence memory/2026-02-13.md#L12-L14 --why "asked for twice"',
        'clawgit soul edit --replace "Be brief." "Be brief and kind." --why "they said so"',
        'clawgit soul edit --remove "Be brief." --section Vibe --why "no longer wanted"',
    )
)
@click.argument("text", type=Words(stdin=True))
@click.option("--add", is_flag=True, help="Add TEXT as the last bullet, or paragraph, of the section.")
@click.option("--replace", type=Words(), metavar="OLD", help="Put TEXT in place of OLD, which must stand exactly once.")
@click.option("--remove", is_flag=True, help="Remove the bullet, row or paragraph that says TEXT.")
@click.option(
    "--section", type=Words(), metavar="TITLE", help='Its section: "Vibe", or "Outer > Inner". --add needs it.'
)
@evidence_option
@click.option("--why", type=Words(), required=True, help="The reason; it is kept in the log.")
@file_option
@click.option("--propose", is_flag=True, help="Let it wait in the inbox instead of landing.")
def edit(call: Call, /, **options: Any) -> None:
    """Edit one place of an identity file, with the reason.

    Say one of --add, --replace and --remove. Every other byte stays as it is. Your edit lands at once. `-` reads
    TEXT from stdin.
    """
    act_names: tuple[Act, ...] = ("add", "replace", "remove")
    acts = [act for act in act_names if options[act] not in (None, False)]
    if len(acts) != 1:
        raise option_missing("say one of --add, --replace OLD and --remove", fix=Command("clawgit soul edit --help"))
    fields = {key: options[key] for key in ("section", "path", "why", "evidence")}
    with call.workspace() as workspace:
        change = identity_edits.edit_identity(
            workspace, acts[0], options["text"], old=options["replace"] or "", **fields
        )
        change_output.apply(call, workspace, change, wait=True if options["propose"] else None)
