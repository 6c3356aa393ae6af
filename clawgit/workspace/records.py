"""The log, corrections and tainted sources as records."""

import contextlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice, zip_longest

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import (
    Advice,
    ClawgitError,
    Command,
    change_unknown,
    head_unborn,
    history_missing,
    id_ambiguous,
    source_tainted,
)
from clawgit.git import history, repository
from clawgit.git.history import Commit
from clawgit.git.repository import Repository
from clawgit.safety.redaction import redact
from clawgit.store.calls import KnownCalls
from clawgit.store.database import StateStore
from clawgit.text import evidence_pointer
from clawgit.text.entry import read_saying
from clawgit.text.evidence_pointer import Pointer, quote_hash
from clawgit.workspace import commit_message
from clawgit.workspace.commit_message import fold_spaces, shorten
from clawgit.workspace.workspace_base import WorkspaceBase

_MAX_LINES, _LONG = 2, 100
"""How many lines of a commit are told, and characters of each."""
MAX_NAME_CHARS = 250
_MERGE_SIZE = 2  # so many parents, and git names no files
_EVIDENCE = re.compile(r"^\s*Evidence: (.+)$", re.MULTILINE)


class Cited(Struct, frozen=True):
    """A pointer as its trailer has it, and the quote alone."""

    pointer: str
    quote: str | None


class Record(Struct, frozen=True):
    """One commit, explained; `agent` and `change` are None for a human or foreign commit.

    A `claimed` one was not made by clawgit in this repository: its message alone names its author. It has no origin.
    `sessions` (`KEY/ID`) and `runs` are those whose calls wrote it, as its message claims.
    """

    commit: str
    change: str | None
    date: datetime
    agent: str | None
    author: str
    origin: str | None
    subject: str
    why: str
    evidence: tuple[Cited, ...]
    files: tuple[str, ...]
    undoes: str | None = None
    is_redo: bool = False
    claimed: bool = False
    sessions: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()

    @property
    def who(self) -> str:
        """The name of the author, marked as a claim if it is one."""
        return f"{'claims: ' if self.claimed else ''}{self.agent or self.author}"

    @property
    def names(self) -> frozenset[str | None]:
        """The ids by which an undo names it."""
        return frozenset((self.commit, self.change)) - {None}


def list_records(
    workspace: WorkspaceBase,
    *paths: str,
    limit: int | None = None,
    since: str | None = None,
    agent: str | None = None,
    origin: str | None = None,
    session: str | None = None,
) -> Iterator[Record]:
    """Yield the changes of `paths` (none: everything), newest first, as `git log` orders them.

    Only those of `agent`, one of clawgit's or an author, with this `origin`, or of calls of a `session`, given by its
    key or the beginning of its id; `limit` counts these. For removed paths, changes on merged branches count too.
    """
    sought = f"Origin: {origin}" if origin else "Session: " if session else None
    alone = len(paths) == 1 and os.path.isfile(workspace.root / paths[0])  # noqa: PTH113 - a long word is no error
    commits = history.walk_log(
        workspace.repo,
        *paths,
        since=since,
        containing=sought,
        named=not alone,
        skips_older=True,
        full=bool(paths) and not any(os.path.lexists(workspace.root / path) for path in paths),
    )
    all_records = (record(commit, paths if alone and len(commit.parents) < _MERGE_SIZE else None) for commit in commits)
    fitting = (
        item
        for item in all_records
        if agent in (None, item.agent, item.author)
        and origin in (None, item.origin)
        and (not session or _is_of(item.sessions, session))
    )
    return islice(fitting, limit)


def list_standing(workspace: WorkspaceBase, *paths: str, undos: bool = False) -> Iterator[Record]:
    """Yield the commits of these paths (none: all) that are not undone, newest first; with the `undos` among them."""
    undone = set[str | None]()
    for entry in list_records(workspace, *paths):
        if not undone & entry.names:
            undone |= {entry.undoes} - {None}
            if undos or not entry.undoes:
                yield entry


def list_run(workspace: WorkspaceBase, name: str) -> tuple[str, ...]:
    """Return the commits that calls of a run wrote, or of a session, by the beginning of its id; newest first.

    Commits that have lines of others, too, are left out.
    """
    all_records = map(record, history.walk_log(workspace.repo, containing="Session: ", named=False))
    alone = (item for item in all_records if item.origin == "agent" and len(item.runs) <= 1 and len(item.sessions) == 1)
    return tuple(item.commit for item in alone if _is_of(item.sessions, name) or _is_of(item.runs, name))


def _is_of(names: Iterable[str], name: str) -> bool:
    """Return whether a name is that of a run, or the key or the id of a session, or the beginning of an id."""
    parts = [part for run_name in names for part in (run_name, *run_name.rsplit("/", 1))]
    return any(part == name or part.rpartition("/")[2].startswith(name) for part in parts)


class Told(Struct, frozen=True):
    """A commit with some lines that it gave to notes (`+ `) or took from them (`- `), and how many more there are."""

    record: Record
    words: tuple[str, ...] = ()
    more: int = 0


def describe_commits(workspace: WorkspaceBase, commits: Iterable[Record]) -> Iterator[Told]:
    """Yield each commit; with some changed lines of its Markdown files if its reason does not name them.

    A moved line does not count; nor does a heading, an empty line, or a line brought by a merge.
    """
    for item in commits:
        is_unexplained = item.origin is None or item.agent == "capture" or item.undoes is not None
        rows = list(_list_changes(workspace.repo, item)) if is_unexplained else []
        # What is cut first could be half a secret.
        words = tuple(f"{row[:2]}{shorten(redact(row[2:]), _LONG)}" for row in rows[:_MAX_LINES])
        yield Told(item, words, len(rows[_MAX_LINES:]))


def _list_changes(repo: Repository, item: Record) -> Iterator[str]:
    parent, other = (repository.resolve(repo, f"{item.commit}^{number}") for number in (1, 2))
    paths = [path for path in item.files if path.endswith(".md") and not other]
    # The records of clawgit say less than the files that changed with them.
    paths = [path for path in paths if not _is_bookkeeping(path)] or paths
    with contextlib.suppress(ClawgitError):  # what is missing here is told without its words
        is_whole = all(repository.blob_id(repo, parent, path) for path in paths)
        renames = {} if is_whole else history.renames(repo, item.commit)
        old_paths = dict.fromkeys(renames.get(path, path) for path in paths)
        old, new = (
            Counter(row for path in names for row in _list_plain_lines(repository.read(repo, oid, path)))
            for oid, names in ((parent, old_paths), (item.commit, paths))
        )
        changes = [f"- {row}" for row in (old - new).elements()], [f"+ {row}" for row in (new - old).elements()]
        yield from (row for pair in zip_longest(*changes) for row in pair if row)


def _is_bookkeeping(path: str) -> bool:
    return path == file_roles.CORRECTIONS or path.startswith(file_roles.OURS)


def _list_plain_lines(data: bytes | None) -> Iterator[str]:
    for row in (data or b"").decode("utf-8", "replace").split("\n"):
        words = row.strip().removeprefix("- ")
        if words and not words.startswith("#"):
            yield words


def read_commit_record(workspace: WorkspaceBase, commit: str) -> Record:
    """Return the commit of an id as a record."""
    return record(history.commit(workspace.repo, commit))


def record(commit: Commit, files: tuple[str, ...] | None = None) -> Record:
    """Return a commit as a record; it touched `files` (None: those in the commit).

    A squash of several changes is none of them; it keeps their evidence.
    """
    message = commit_message.parse_message(commit.message)
    count = commit.message.count(f"{commit_message.CHANGE}: ")
    # `git merge --squash` proposes the messages of all commits as one.
    is_squash = not commit.as_ours and count > len(message.all(commit_message.CHANGE))
    if is_squash:
        evidence = tuple(("Evidence", value) for value in _EVIDENCE.findall(commit.message))
        message = replace(message, trailers=evidence)
    first = dict(reversed(message.trailers))
    agent, change, origin = map(first.get, ("Clawgit-Agent", commit_message.CHANGE, "Origin"))
    is_claimed = is_squash or (not commit.ours and bool(commit.as_ours or agent or change or origin))
    return Record(
        commit.id,
        change,
        commit.date,
        agent,
        commit.author,
        None if is_claimed else origin,
        message.subject,
        message.why,
        tuple([read_citation(value) for value in message.all("Evidence")]),
        commit.paths if files is None else files,
        first.get("Clawgit-Undoes") if commit.as_ours else None,
        "Clawgit-Redo" in first,
        claimed=is_claimed,
        sessions=message.all("Session"),
        runs=message.all("Run"),
    )


def read_citation(value: str) -> Cited:
    """Return the citation in an Evidence trailer."""
    from clawgit.text import evidence_pointer as pointers  # noqa: PLC0415 - few commits of a changelog cite

    text, _, digest = value.rpartition(" sha256:")
    try:
        pointer = pointers.parse_pointer(text if digest else value)
    except ClawgitError:
        return Cited(value, None)
    return Cited(pointers.format(pointer), pointer.quote)


def find_commit(workspace: WorkspaceBase, name: str) -> str:
    """Return the commit that `name` means: a change id (or its beginning), any revision, or a date.

    A date means the last commit of that day. Raises ClawgitError.
    """
    from clawgit.language.dates import end_of, parse_date  # noqa: PLC0415
    from clawgit.text.entry import is_id  # noqa: PLC0415

    repo, commits = workspace.repo, dict[str | None, str]()
    if len(name) > MAX_NAME_CHARS:
        raise change_unknown(f"{name[:20]}… is no change, revision or date", fix=Command("clawgit log"))
    if is_id(name.ljust(10, "k")):
        matches = map(record, history.walk_log(repo, containing=f"Clawgit-Change: {name}", named=False))
        commits = {match.change: match.commit for match in matches if (match.change or "").startswith(name)}
    if len(commits) > 1:
        ids = ", ".join(map(str, commits))
        raise id_ambiguous(f"several changes begin with {name}: {ids}", fix=Advice("type more of it"))
    commit = next(iter(commits.values()), None) or repository.resolve(repo, name)
    if commit is None and len(name) >= _MIN_DIGITS:  # after a purge a commit is still found by its old id
        new_ids = (new for old, new in read_new_ids(workspace.store).items() if old.startswith(name))
        commit = repository.resolve(repo, next(new_ids, name))
    if commit is None and (day := parse_date(name)):
        moment = end_of(day, workspace.now().tzinfo)
        commit = history.find_commit_at(repo, moment)
        if commit is None:
            raise history_missing(f"there is no commit from {name} or before", fix=Command("clawgit log"))
    if commit is None and workspace.head is None:
        raise head_unborn("there is no commit yet", fix=Command("clawgit status"))
    if commit is None:
        raise change_unknown(f"there is no change, revision or date {name!r}", fix=Command("clawgit log"))
    return commit


_MAX_CAPTURES = 100


class KnownOrigins(Struct, frozen=True):
    """The number of the last captures, and of those that name their calls.

    `unreported` are tools with calls in transcripts that the plugin did not report.
    """

    total: int = 0
    reported: int = 0
    unreported: tuple[str, ...] = ()


def count_origins(workspace: WorkspaceBase) -> KnownOrigins:
    """Return how much is known of the last captures of memory and identity files."""
    last = KnownCalls(workspace.store).list_last(2 * _MAX_CAPTURES)
    if not last or not workspace.managed:
        return KnownOrigins()
    captures = list(history.walk_log(workspace.repo, containing="Clawgit-Agent: capture", limit=_MAX_CAPTURES))
    reported = sum(bool(commit_message.parse_message(commit.message).get("Tool-Call")) for commit in captures)
    first_seen = min((call.time for call in last if call.is_seen), default=9e18)
    # Before its first report the plugin was not there, and missed nothing.
    missed = {call.tool for call in last if not call.is_seen and call.time > first_seen}
    return KnownOrigins(len(captures), reported, tuple(sorted(missed)))


RENAMED = "purged-ids"
_MIN_DIGITS = 7


def keep_new_ids(store: StateStore, new_ids: Mapping[str, str]) -> None:
    """Keep which id a commit has since history was rewritten, after those that were kept before."""
    all_ids = {old: new_ids.get(new, new) for old, new in read_new_ids(store).items()} | dict(new_ids)
    store.save_document(RENAMED, all_ids)


def read_new_ids(store: StateStore) -> dict[str, str]:
    """Return the ids that commits have since history was rewritten, by their old ones."""
    return store.read_document(RENAMED, dict[str, str]) or {}


TAINTED_PATH = file_roles.TAINTED
TAINT_SUBJECT = "memory: taint: "
"""What the subject of a change begins with that taints a source."""
HEADER = "# clawgit tainted 1"
SESSION, DOMAIN = "session:", "domain:"
"""What the names of these sources begin with."""
_TURN, _TEXT, _CHANGE, _SOURCE = "turn", "text", "change", "source"


class Taint(Struct, frozen=True, order=True):
    """A source that the operator tainted: `id` is that of the change, `when` in ISO 8601, `by` its author."""

    id: str
    source: str
    when: str = ""
    by: str = ""
    why: str = ""


class Register(Struct, frozen=True):
    """The sources; `ids` are the taints of turns (`session#event`), lines (by hash) and changes that go with them."""

    taints: Mapping[str, Taint] = field(default_factory=dict)
    ids: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def of_change(self, change: str | None) -> Taint | None:
        """Return the taint of a change."""
        return self.taints.get(self.ids.get((_CHANGE, change or ""), ""))

    def of_turn(self, session: str, event: str) -> Taint | None:
        """Return the taint that a turn of a conversation falls under."""
        names = (f"{SESSION}{session}", f"{SESSION}{session}#{event}")
        whole = next((taint for taint in self.taints.values() if taint.source in names), None)
        return whole or self.taints.get(self.ids.get((_TURN, f"{session}#{event}"), ""))

    def of_line(self, line: str) -> Taint | None:
        """Return the taint of a line of a file, by its words."""
        sentence = read_saying(line) if self.ids else ""
        return self.taints.get(self.ids.get((_TEXT, quote_hash(sentence)), "")) if sentence else None

    def of_evidence(self, pointer: Pointer) -> Taint | None:
        """Return the taint that a piece of evidence falls under: its turn, or the line that it quotes."""
        quote = (pointer.quote or "").casefold()
        for taint in self.taints.values():
            if taint.source.startswith(DOMAIN) and taint.source.removeprefix(DOMAIN).casefold() in quote:
                return taint
        return self.of_turn(pointer.id, pointer.event) if pointer.kind == "session" else self.of_line(quote)


def parse_register(text: str) -> Register:
    """Return the content of a register. Empty lines are skipped."""
    taints: dict[str, Taint] = {}
    ids: dict[tuple[str, str], str] = {}
    for line in text.split("\n"):
        kind, *cells = line.removesuffix("\r").split("\t")
        if kind == _SOURCE and len(cells) == len(Taint.__struct_fields__):
            taints[cells[0]] = Taint(*cells)
        elif kind in (_TURN, _TEXT, _CHANGE) and len(cells) == 2:  # noqa: PLR2004 - the taint, and its subject
            ids[kind, cells[1]] = cells[0]
    return Register(taints, ids)


def add_taint(text: str, taint: Taint, turns: Iterable[str], sayings: Iterable[str], changes: Iterable[str]) -> str:
    """Return the text of a register with one source more, and what was learnt from it.

    What goes with another taint stays there. A header, then one line for each thing, sorted, so that git merges it.
    """
    register = parse_register(text)
    taints = {**register.taints, taint.id: replace(taint, why=fold_spaces(taint.why))}.values()
    news = [(_TURN, turn) for turn in turns]
    news += [(_TEXT, quote_hash(sentence)) for sentence in sayings]
    news += [(_CHANGE, change) for change in changes]
    ids = {**dict.fromkeys(news, taint.id), **register.ids}
    rows = [(_SOURCE, row.id, row.source, row.when, row.by, row.why) for row in taints]
    lines = sorted("\t".join(row) for row in (*rows, *((kind, name, key) for (kind, key), name in ids.items())))
    return "".join(f"{line}\n" for line in (HEADER, *lines))


def hide_words(read: Callable[[str], str | None], changes: Iterable[Record]) -> Iterator[Record]:
    """Yield records, tainted ones without their words; `read` reads a file of the workspace."""
    register = parse_register(read(TAINTED_PATH) or "")
    for change in changes:
        taint = register.of_change(change.change)
        subject = f"taken back with its source, {taint.source}" if taint else ""
        yield replace(change, subject=subject, why="", evidence=()) if taint else change


def require_untainted(
    text: str,
    agent: str | None,
    pointers: Iterable[Pointer],
    before: Mapping[str, str | None],
    after: Mapping[str, str | None],
) -> None:
    """Raise ClawgitError for an agent's change that rests on a tainted source, or brings back its lines.

    `text` is that of the register, `before` and `after` are the files of the change.
    """
    register = parse_register(after.get(TAINTED_PATH, text) or "")
    if not register.taints:
        return
    citations = ((evidence_pointer.format(item).partition(' "')[0], register.of_evidence(item)) for item in pointers)
    lines = (
        (f"{path}: a line", register.of_line(line))
        for path in (path for path in after if path.endswith(".md"))
        for line in {*(after[path] or "").split("\n")} - {*(before[path] or "").split("\n")}
    )
    for place, taint in (*(citations if agent else ()), *lines):
        if taint:
            fix = Command("clawgit undo {}", taint.id, note="lifts the taint")
            raise source_tainted(f"{place} rests on {taint.source}, which is tainted", fix=fix)
