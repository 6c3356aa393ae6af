"""`clawgit log`, `clawgit why` and `clawgit changelog`."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from itertools import groupby, islice
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from clawgit.cli import human_lines
from clawgit.cli.call import Call
from clawgit.cli.human_lines import commit, moment, record
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import Words, answering, log_options, since_for_git
from clawgit.cli.output import HANG, Line, Span, column, counted, fixed, line
from clawgit.cli.pager import paged
from clawgit.errors import Command, Exit, UsageError, options_conflict
from clawgit.integrations import json_documents

if TYPE_CHECKING:
    from clawgit.text import diff
    from clawgit.workspace.conversation import Turn
    from clawgit.workspace.identity_edits import Difference
    from clawgit.workspace.line_origins import Line as Origin
    from clawgit.workspace.line_origins import Said
    from clawgit.workspace.line_writers import Writer
    from clawgit.workspace.records import Record, Told
    from clawgit.workspace.workspace import Workspace


_STYLES = {"+": "green", "-": "red", " ": "dim"}
_MARKS = {"+": ("{+", "+}"), "-": ("[-", "-]"), " ": ("", "")}


def title(path: str, ends: "Iterable[tuple[str, datetime]]") -> Line:
    """Return the line that says what is compared: two commits with their dates, or one with the time before it."""
    *start, end = [(commit(name), f" ({moment(when)})") for name, when in ends]
    before = start[0] if start else ("nothing",)
    return line(Span(path, "bold"), " from ", *before, " to ", *end)


def hunks(found: "Iterable[diff.Hunk]", *, marks: bool) -> Iterator[Line]:
    """Yield every change under the section it stands in; `marks` stand in for colours."""
    for hunk in found:
        yield line("")
        yield line(Span(f"@@ {_where(hunk)} @@", "cyan"))
        for row in hunk.lines:
            yield _row(row, marks=marks)


def stat(found: "Difference") -> Iterator[Line]:
    """Yield how many lines came and went in each place, and in all."""
    counts = [tuple(sum(row.op == op for row in hunk.lines) for op in "+-") for hunk in found.hunks]
    names = [*map(_where, found.hunks), "in all"]
    for name, (come, gone) in zip(column(names), [*counts, _total(counts)], strict=True):
        yield line(f"  {name}  ", Span(f"+{come}", "green"), " ", Span(f"-{gone}", "red"))


def _total(counts: list[tuple[int, ...]]) -> tuple[int, int]:
    return sum(count[0] for count in counts), sum(count[1] for count in counts)


def _where(hunk: "diff.Hunk") -> str:
    first = next((at for at, row in enumerate(hunk.lines) if row.op != " "), 0)
    return f"{hunk.section or 'above the first heading'} · line {hunk.new_start + first}"


def _row(row: "diff.Line", *, marks: bool) -> Line:
    style = _STYLES[row.op]
    if not row.words:
        return line(Span(f"{row.op} {row.text}".rstrip(" ") if not row.text else f"{row.op} {row.text}", style))
    return line(Span(f"{row.op} ", style), *(_word(word, marks=marks) for word in row.words))


def _word(word: "diff.Word", *, marks: bool) -> Span:
    opened, closed = _MARKS[word.op] if marks else ("", "")
    return Span(f"{opened}{word.text}{closed}", "" if word.op == " " else _STYLES[word.op])


CUT_OFF = "this clone is shallow: a line may be older than its oldest commit; git fetch --unshallow brings the rest"
_NOWHERE = "not committed yet"
_SHORT = 16


def blame(found: Iterable["Origin"]) -> Iterator[Line]:
    """Yield each line with the commit, change, day and person that it came with."""
    rows = list(found)
    heads = column(_head(row.record) for row in rows)
    digits = len(str(rows[-1].line)) if rows else 1
    for head, one in zip(heads, rows, strict=True):
        style = "dim" if one.record else "yellow"
        yield line(Span(head, style), Span(f" {one.line:>{digits}} ", "cyan"), HANG, one.text)


def _head(found: "Record | None") -> str:
    if found is None:
        return _NOWHERE
    name = found.who
    short = name if len(name) <= _SHORT else name[: _SHORT - 1] + "…"
    return f"{found.commit[:10]} {found.change or '-':<10} {found.date:%Y-%m-%d} {short}"


def reason(path: str, found: "Origin", said: Iterable["Said"], back: str | None) -> Iterator[Line]:
    """Yield a line, what it came with, and the words that its evidence points at."""
    yield line(Span(f"{path}:{found.line}", "cyan"), f"  {found.text}")
    yield line("")
    if found.record is None:
        yield line(Span(_NOWHERE, "yellow"), ": it stands on disk only, and git knows nothing of it")
        yield from _describe_writer(found.writer, found.question) if found.writer else ()
        return
    *rows, _ = (row for row in record(found.record) if not _is_evidence(row))
    yield from rows
    if found.birth and found.birth.commit != found.record.commit:
        certainty = "probably " if found.probable else ""
        yield line("")
        yield line(
            Span("born: ", "dim"),
            f"{certainty}in ",
            commit(found.birth.commit),
            f" {found.birth.date[:10]} of ",
            found.birth.author,
        )
    if found.was:
        yield line("")
        yield line(Span("was: ", "dim"), found.was)
    if found.writer:
        yield line("")
        yield from _describe_writer(found.writer, found.question)
    for one in said:
        yield line("")
        yield from evidence(one)
    if back:
        yield line("")
        yield fixed(0, back, "take it back: ")


_TURNS = {
    "operator": "the owner",
    "others": "not the owner",
    "cron": "a timer",
    "heartbeat": "the heartbeat",
    "subagent": "a sub-agent's task",
    "hook": "a hook",
}
_MAX_QUESTION_CHARS = 160


def _describe_writer(writer: "Writer", question: "Turn | None") -> Iterator[Line]:
    """Yield the agent's call that wrote a line, and the message that it answered."""
    call = writer.call
    if call is None:
        times = (
            f"{_clock(writer.since)} and {_clock(writer.until)}" if writer.since else f"before {_clock(writer.until)}"
        )
        yield line(Span("unknown: ", "yellow"), "no call of the agent has this text; it changed between ", times)
        return
    several = f": written while one of {len(writer.commands)} commands ran, maybe another"
    alone = ": written while this command ran"
    ways = {
        "matched": " (matched afterwards)",
        "probably": " (probably; the file may have had the line before)",
        "while": several if len(writer.commands) > 1 else alone,
    }
    agent = call.place.split(":")[1] if call.place.startswith("agent:") else "main"
    yield line(
        Span("written by: ", "dim"), f"{agent} agent, {call.tool}, {_clock(call.time)}{ways.get(writer.how, '')}"
    )
    sender = call.requester.removesuffix(" owner") or call.place or call.session
    yield line(Span("asked by: ", "dim"), f"{sender} ({_TURNS.get(call.turn, 'unknown')}), session {call.session[:8]}")
    if question:
        text = " ".join(question.text.split())
        yield line("  > ", text if len(text) <= _MAX_QUESTION_CHARS else f"{text[: _MAX_QUESTION_CHARS - 1]}…")


def _clock(seconds: float) -> str:
    return moment(datetime.fromtimestamp(seconds, UTC).astimezone())


def _is_evidence(row: Line) -> bool:
    return len(row) > 1 and row[1].text.startswith("evidence: ")


def evidence(one: "Said") -> Iterator[Line]:
    """Yield the words that a pointer leads to, marked among the lines around them."""
    yield line(Span("evidence: ", "dim"), one.cited.pointer)
    if one.text is None:
        yield line("  ", Span(f"not available: {one.missing}", "yellow"))
        return
    when = f", {moment(datetime.fromisoformat(one.date))}" if one.date else ""
    place = (f"  as the {one.who} said it",) if one.who else ("  as it stood at ", commit(one.commit or ""))
    yield line(*place, when)
    digits = len(str(one.first + one.text.count("\n")))
    for number, text in enumerate(one.text.split("\n"), one.first):
        meant = one.start <= number <= one.end
        yield line(
            Span(f"  {'>' if meant else ' '} {number:>{digits}}  ", "cyan"), HANG, Span(text, "" if meant else "dim")
        )


_SEEN = Command("clawgit log --seen")
_SOUL = "SOUL.md"
When = date | datetime | str | None


@click.command(
    cls=DocumentedCommand,
    examples=(
        "clawgit log -n 5",
        "clawgit log MEMORY.md --since '2 weeks ago' --agent memory-miner",
        "clawgit log memory --origin untrusted --json",
        "clawgit log --identity --since 2026-01-20",
        "clawgit log SOUL.md --versions",
        "clawgit log MEMORY.md --seen",
    ),
)
@click.argument("path", type=Words(), required=False)
@log_options
@click.option("--session", type=Words(), metavar="ID", help="Only what calls of this session of OpenClaw wrote.")
@click.option("--file", "file", type=Words(), metavar="PATH", help="Only this file or folder, as PATH does.")
@click.option("--identity", is_flag=True, help="Only the identity: SOUL.md, IDENTITY.md, USER.md, AGENTS.md and so on.")
@click.option("--versions", is_flag=True, help="List the versions of a file: SOUL.md, unless PATH names another.")
@click.option("--seen", is_flag=True, help="What clawgit capture --watch saw written over, and no commit has.")
@answering
@paged
def log(
    call: Call,
    path: str | None,
    file: str | None,
    limit: int | None,
    since: When,
    agent: str | None,
    origin: str | None,
    session: str | None,
    *,
    identity: bool,
    versions: bool,
    seen: bool,
) -> None:
    """Show what happened, and why.

    In the whole workspace, or to the file or folder PATH; with --identity, to the identity. When, by whom, why, and
    on what evidence; newest first, in the order of git log. Commits that clawgit did not make are listed too. What the
    agent's calls wrote in one turn is one entry, with --json each call by itself.
    --versions lists each version of a file with its size, those of long ago thinned (clawgit soul history --all has
    every one). With --seen it lists the versions of files that were written over before anybody committed them, each
    with the command that brings it back: how many lines that would add to the file as it stands (+) and take from it
    (-), and some of what it alone says.
    """
    wanted = _one_place(path, file, identity=identity)
    if seen and (agent or origin or since or identity or versions):
        raise options_conflict("--seen lists what is in no commit: it has no agent, origin or date of git's", fix=_SEEN)
    if versions and (agent or origin or since or identity):
        raise options_conflict("--versions lists all versions of a file", fix=Command("clawgit log SOUL.md --versions"))
    with call.workspace() as workspace:
        if seen:
            _tell_seen(call, workspace, wanted, limit)
        elif versions:
            tell_versions(call, workspace, wanted or _SOUL, limit)
        else:
            tell(call, workspace, wanted, limit, since, agent, origin, identity=identity, session=session)


def _one_place(path: str | None, file: str | None, *, identity: bool) -> str | None:
    """Return what the log is about, None for everything. Raises UsageError where several things are named."""
    if sum((path is not None, file is not None, identity)) > 1:
        raise options_conflict("PATH, --file and --identity each say what the log is about")
    return path if path is not None else file


def tell(
    call: Call,
    workspace: "Workspace",
    path: str | None,
    limit: int | None,
    since: When,
    agent: str | None,
    origin: str | None,
    *,
    identity: bool = False,
    session: str | None = None,
) -> None:
    """Print the log of `path` (None: of everything, or of the identity)."""
    from clawgit.git.paths import check  # noqa: PLC0415
    from clawgit.workspace import file_roles, records  # noqa: PLC0415

    every = (*file_roles.IDENTITY, *file_roles.identity_files(workspace.root)) if identity else ()
    paths = (check(path),) if path else tuple(dict.fromkeys(every))
    moment = since_for_git(since, workspace.now().tzinfo) if since else None
    found = records.log(workspace, *paths, limit=limit, since=moment, agent=agent, origin=origin, session=session)
    none = f"nothing happened to {path or 'the identity'}" if paths else "nothing happened"
    told = map(records.Told, found) if call.out.as_json else _fold_turns(records.told(workspace, found, *paths))
    call.out.listed(
        told,
        lambda one: json_documents.record(one.record),
        lambda one: human_lines.record(one.record, named=path is None, words=one.words, more=one.more),
        none,
    )


def _fold_turns(told: "Iterable[Told]") -> "Iterator[Told]":
    """Yield the commits, those that calls of one turn wrote as one."""
    for _, group in groupby(told, lambda one: one.record.runs or one.record.commit):
        first, *others = group
        if not others:
            yield first
            continue
        files = tuple(dict.fromkeys(path for one in (*reversed(others), first) for path in one.record.files))
        words = [word for one in (*reversed(others), first) for word in one.words]
        subject = f"capture: {len(others) + 1} writes of one turn"
        folded = replace(first.record, subject=subject, why="", files=files)
        more = sum(one.more for one in (first, *others)) + len(words[_FOLDED_WORDS:])
        yield replace(first, record=folded, words=tuple(words[:_FOLDED_WORDS]), more=more)


_FOLDED_WORDS = 4


def tell_versions(call: Call, workspace: "Workspace", path: str, limit: int | None, *, every: bool = False) -> None:
    """Print the versions of a file, newest first."""
    from clawgit.workspace import identity_versions  # noqa: PLC0415 - loads libgit2

    found = identity_versions.versions(workspace, path, everything=every)[:limit]
    if not found:
        call.out.note(f"{path} has no version here")
    if not every and limit is None and (left := identity_versions.left_out(workspace, path)):
        call.out.note(f"{counted(left, 'older version')} left out, all but the last of each month: --all shows them")
    call.out.listed(
        found,
        lambda one: json_documents.fields(one, "date commit tokens"),
        lambda one: [line(commit(one.commit), f" {moment(one.date)} {one.tokens:>6} tokens")],
    )


def _tell_seen(call: Call, workspace: "Workspace", path: str | None, limit: int | None) -> None:
    """Print the versions that were seen of `path` (None: of every file)."""
    from clawgit.git.paths import check  # noqa: PLC0415
    from clawgit.workspace import seen_versions  # noqa: PLC0415

    found = islice(seen_versions.listed(workspace.repo, check(path) if path else None), limit)
    where = f" of {path}" if path else ""
    none = f"no version{where} was seen that is in no commit; clawgit capture --watch keeps them"
    call.out.listed(found, json_documents.seen, human_lines.seen, none)


@click.command(
    cls=DocumentedCommand,
    examples=("clawgit why SOUL.md:7", "clawgit why 'memory/2026-01-20.md:12' --json", "clawgit why --last"),
)
@click.argument("place", type=Words(), metavar="FILE:LINE|WORDS", required=False)
@click.option("--last", is_flag=True, help="The lines that the last answer of the agent was given.")
@answering
@paged
def why(call: Call, place: str | None, *, last: bool) -> None:
    """Show where a line came from, and why.

    When, by whom, for what reason and on what evidence. LINE counts from 1, in the file as it is on disk; WORDS are
    some words of a line of memory, in a row. The evidence is followed to the words themselves, as they were when they
    were cited, with some lines around them. FILE may hold colons. Of a line that the agent wrote it names the call, the
    session and the message that the call answered. With --last the lines that clawgit gave to the last answer.
    """
    if last == (place is not None):
        raise options_conflict("why needs a line, or --last", fix=Command("clawgit why --help"))
    from clawgit.workspace import line_origins  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        places = _places(workspace, place) if place else _last_places(call, workspace)
        found = [
            (path, line, said, line_origins.undo(workspace, line.record, path))
            for path, number in places[: MAX_PLACES if place else None]
            for line, said in (line_origins.why(workspace, path, number),)
        ]
    if any(line.cut_off for _, line, _, _ in found):
        call.out.note(CUT_OFF)
    rows = (row for part in found for row in (*([line("")] if part is not found[0] else []), *reason(*part)))
    if last:
        rows = (row for part in found for row in (line(""), *reason(*part), *_list_repairs(part[1].text)))
    call.out.answer(lambda: [json_documents.reason(*part) for part in found], rows)
    if len(places) > len(found):
        call.out.note(f"{len(found)} of {len(places):,} lines with these words")


def _last_places(call: Call, workspace: "Workspace") -> list[tuple[str, int]]:
    """Return the lines that the last answer was given, and say when that was."""
    from clawgit.context.turn_log import find_last  # noqa: PLC0415 - of a line nothing of it is needed

    turn = find_last(workspace.store)
    if turn is None:
        call.out.note("no turn of the agent is known yet")
        return []
    count = counted(len(turn.places), "line")
    call.out.note(f"the turn of {turn.time[:16].replace('T', ' ')} was given {count}, beside the files of its prompt")
    return [(path, number) for path, number in turn.places if number]


def _list_repairs(text: str) -> "Iterator[Line]":
    """Yield the commands that correct a line, or remove it."""
    words = text.strip().removeprefix("- ")
    yield line("wrong? ", Span(str(Command("clawgit correct {}", "TEXT", note=f"in place of: {words[:60]}")), "bold"))


MAX_PLACES = 5


def _places(workspace: "Workspace", text: str) -> list[tuple[str, int]]:
    """Return the line that `FILE:LINE` names, else the lines that have these words. Raises ClawgitError."""
    from clawgit.workspace import line_origins, memory_lines  # noqa: PLC0415 - loads libgit2

    try:
        return [line_origins.place(workspace, text)]
    except UsageError:
        if not re.search(r"\s", text) and re.search(r"[/.:]", text):
            raise
        return [(found.path, found.line) for found in memory_lines.find_words(workspace, text)]


@click.command(cls=DocumentedCommand, examples=("clawgit changelog", "clawgit changelog --check || clawgit changelog"))
@click.option("--check", is_flag=True, help="Write nothing; exit with 3 when the file is not what the log says.")
@answering
def changelog(call: Call, *, check: bool) -> int:
    """Render what happened to the identity.

    The log of the identity files as Markdown. The file is CHANGELOG.md, or SOUL_CHANGELOG.md where that is
    somebody else's. It is not committed: it can be rendered anew at any time, and comes out the same.
    """
    from clawgit.workspace import changelog as workspace_changelog  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        view = workspace_changelog.changelog(workspace)
        if not check:
            workspace.require_managed()
        written = not check and workspace_changelog.write(workspace, view)
        if not check and not workspace_changelog.hidden(workspace, view):
            call.out.note(f"git does not ignore {view.path}: add /{view.path} to .gitignore")
    if call.out.as_json:
        document = {"path": view.path, "entries": view.entries, "current": view.current or written, "written": written}
        call.out.document(document)
        return Exit.FOUND if check and not view.current else Exit.DONE
    if check and not view.current:
        call.out.warn(f"{view.path} is not what the log says; clawgit changelog renders it")
        return Exit.FOUND
    state = "rendered anew" if written else "as the log says"
    call.out.lines([line(Span(view.path, "bold"), f" is {state}: {view.entries} changes")])
    return Exit.DONE
