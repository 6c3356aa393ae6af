"""Makes a commit of edits by others on disk."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import Command, file_ignored
from clawgit.git import repository
from clawgit.git.commit_chain import NewCommit
from clawgit.git.repository import Oid, Repository
from clawgit.git.transaction import Plan, Snapshot
from clawgit.openclaw import blank_forms
from clawgit.store.calls import ToolCall
from clawgit.text import document
from clawgit.text.entry import new_id
from clawgit.workspace import commit_message, entries, entry_association, file_contents
from clawgit.workspace.change import StaleWrite
from clawgit.workspace.config import Config
from clawgit.workspace.file_contents import decode_file, tally_lines, text_of, to_text
from clawgit.workspace.line_writers import LineWriters
from clawgit.workspace.seen_versions import find_stale_write
from clawgit.workspace.workspace_base import WorkspaceBase

AUTHOR = ("unknown", "unknown@localhost")
_DREAMING = ("openclaw dreaming", "openclaw-dreaming@localhost")
_SESSION_MEMORY = ("openclaw session-memory", "openclaw-session-memory@localhost")
_ONBOARDING = ("openclaw onboarding", "openclaw-onboarding@localhost")
_DOCTOR = ("openclaw doctor", "openclaw-doctor@localhost")
_FLUSH = ("openclaw memory-flush", "openclaw-memory-flush@localhost")
_TAKEN_AWAY = {"BOOTSTRAP.md": _ONBOARDING, "HEARTBEAT.md": _DOCTOR}
STALE_WRITES = "stale-writes"
_MAX_FILES, _MAX_CLAIMS = 10, 40
"""The files, and the claims of each kind, that the message of a capture lists."""


class Taken(Struct, frozen=True, dict=True):
    """The content of a capture: the bytes of each path (None: no file).

    `trusted` is the content of each file before others wrote to it, and `bases` its commit if that is not the `head`,
    the commit before the capture. `stale` are writes of the agent that are merged with the changes that it had not
    read, `arrived` the rows of entries that were removed and are back.
    """

    committed: Mapping[str, bytes | None] = field(default_factory=dict)
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    trusted: Mapping[str, bytes | None] = field(default_factory=dict)
    bases: Mapping[str, Oid] = field(default_factory=dict)
    stale: Mapping[str, StaleWrite] = field(default_factory=dict)
    arrived: Mapping[str, entries.Row] = field(default_factory=dict)
    head: Oid | None = None

    @cached_property
    def found(self) -> Mapping[str, bytes | None]:
        """The files that differ from the committed ones."""
        return {path: data for path, data in self.files.items() if data != self.committed[path]}

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """The files that others changed, on disk or in commits of their own."""
        return tuple(path for path, data in self.final.items() if data != self.trusted.get(path))

    @cached_property
    def final(self) -> Mapping[str, bytes | None]:
        """The bytes of each path once the stale writes among them are merged."""
        return {**self.files, **{path: stale.text.encode() for path, stale in self.stale.items()}}

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """A sentence for each stale write."""
        return tuple(f"{path}: stale write, {count_lines(len(write.lines))} back" for path, write in self.stale.items())


def count_lines(count: int) -> str:
    """Return how many lines, in words."""
    return f"{count:,} line{'' if count == 1 else 's'}"


def take_contents(
    workspace: WorkspaceBase,
    snapshot: Snapshot,
    paths: Iterable[str],
    *,
    bases: Mapping[str, Oid] = MappingProxyType({}),
) -> Taken:
    """Return the content of `paths` on disk, byte for byte, and the sidecar for it.

    `bases` are the commits before others committed files themselves, by path. Raises ClawgitError for a binary file,
    and for one that git ignores.
    """
    files, changed = _read_disk(workspace, snapshot, paths)
    trusted = {  # what files held before others wrote to them, on disk or in commits of their own
        path: repository.read(workspace.repo, bases[path], path) if path in bases else snapshot.committed[path]
        for path in files
    }
    watched = filter(entry_association.is_watched, changed - bases.keys())
    stale = {path: write for path in watched if (write := find_stale_write(workspace, snapshot, path))}
    final = files | {path: write.text.encode() for path, write in stale.items()}
    arrived: dict[str, entries.Row] = {}
    if entries.PATH in files:
        after = {path: text_of(data) for path, data in final.items()}
        for version in (trusted, snapshot.committed):
            before = {path: text_of(version[path]) for path in final}
            arrived |= entry_association.arrived_rows(workspace, after[entries.PATH] or "", before, after)
        files[entries.PATH] = _sidecar(workspace, trusted, final, arrived)
    return Taken(snapshot.committed, files, trusted, bases, stale, arrived, snapshot.head)


def _read_disk(
    workspace: WorkspaceBase, snapshot: Snapshot, paths: Iterable[str]
) -> tuple[dict[str, bytes | None], set[str]]:
    """Return the bytes of files and the paths that differ; files of clawgit's own are as committed if gone or empty."""
    files = {path: file.data if (file := snapshot.disk[path]) else None for path in paths}
    # A torn disk leaves a file empty; each of ours has a first line.
    torn = {path for path, data in files.items() if not (data or b"").strip() and path.startswith(file_roles.OURS)}
    ours = {path: snapshot.committed[path] for path in files if path in torn or path == file_roles.FORMAT}
    files |= {path: data for path, data in ours.items() if data is not None}
    changed = {path for path, data in files.items() if data != snapshot.committed[path]}
    for path in changed:
        if (file := snapshot.disk[path]) and snapshot.committed[path] is None:
            refuse_ignored(workspace.repo, path)
        decode_file(path, file.data if file else None)
    return files, changed


def _sidecar(
    workspace: WorkspaceBase,
    committed: Mapping[str, bytes | None],
    files: Mapping[str, bytes | None],
    arrived: Mapping[str, entries.Row],
) -> bytes | None:
    """Return the sidecar with the rows of entries that were reworded, moved or brought back."""
    if not arrived and all(data == committed[path] for path, data in files.items()):
        return files[entries.PATH]
    text = text_of(files[entries.PATH]) or ""
    paths = [path for path in files if holds_entries(workspace.config, path)]
    # In a file that only grew at its end no entry was reworded or moved.
    moved_paths = [path for path in paths if not (files[path] or b"").startswith(committed[path] or b"")]
    before, after = ({path: text_of(side[path]) for path in moved_paths} for side in (committed, files))
    changed = entry_association.associate(entries.parse(text), before, after) if moved_paths else {}
    new_text = entries.edit_sidecar(text, (*changed.values(), *arrived.values())) if changed or arrived else text
    return files[entries.PATH] if new_text == text else new_text.encode()


def holds_entries(config: Config, path: str) -> bool:
    """Return whether the sidecar may know entries of `path`."""
    if file_roles.is_memory_or_settings(path):
        return path != file_roles.CONFIG and not file_roles.is_view_of_facts(path)
    return "/" not in path and path == config.lenient.value("memory_file")


def commits(
    workspace: WorkspaceBase,
    intake: Taken,
    restored_paths: Collection[str] = (),
    before: Mapping[str, bytes] = MappingProxyType({}),
) -> Iterator[NewCommit]:
    """Yield the commits of what was taken, as `commit` makes them.

    `before` is what files held before the agent's call: lines that others wrote by then are a commit of their own. So
    is what puts back the lines that stale writes took away: it is undone like any change.
    """
    time = workspace.now()
    earlier = {
        path: data
        for path, data in before.items()
        if path in intake.found.keys() - intake.stale.keys()
        and data not in (intake.committed[path], intake.files[path])
    }
    if earlier:
        for path, data in earlier.items():
            file_contents.refuse_new_secrets(path, intake.committed[path], data, workspace.leaked)
        stage = Taken(committed=intake.committed, files={**intake.committed, **earlier}, trusted=intake.committed)
        yield NewCommit(_make_capture_message(stage, earlier, "unknown", ()), AUTHOR, time, earlier)
        intake = replace(intake, committed={**intake.committed, **earlier})
    if last := commit(workspace, intake, time, restored_paths):
        yield last
    for path, stale in intake.stale.items():
        subject = f"{file_roles.name_area(path)}: {path}: {count_lines(len(stale.lines))} back after a stale write"
        reason = f"stale write: the agent wrote {path} from what it had read before these changes."
        trailers = (("Clawgit-Agent", STALE_WRITES), (commit_message.CHANGE, new_id()), ("Origin", "agent"))
        message = commit_message.render(commit_message.Message(subject, reason, trailers))
        yield NewCommit(message, repository.COMMITTER, time, {path: stale.text.encode()})


def commit(
    workspace: WorkspaceBase, intake: Taken, time: datetime, restored_paths: Collection[str] = ()
) -> NewCommit | None:
    """Return the commit of a capture, None when all of it is committed already.

    `restored_paths` are clawgit's own files that others removed: their commit changes nothing, and puts them back.
    Raises ClawgitError when the difference has a secret that history does not have: then it may not enter history, and
    we may not write over it.
    """
    files = {path: data for path, data in intake.files.items() if path in intake.found or path in restored_paths}
    if not files:
        return None
    for path, data in intake.found.items():
        file_contents.refuse_new_secrets(path, intake.committed[path], data, workspace.leaked)
    authored_files = {path: data for path, data in files.items() if path != entries.PATH}
    authors = set(find_authors(workspace, intake.head, authored_files).values())
    writer = authors.pop() if len(authors) == 1 else AUTHOR
    calls, are_all = _list_writing_calls(workspace, intake, files, time) if writer == AUTHOR else ((), False)
    if are_all:
        name = f"{calls[0].place.split(':')[1]}-agent" if calls[0].place.startswith("agent:") else "main-agent"
        writer = (name, f"{name}@localhost")
    origin = "agent" if are_all or writer == _FLUSH else "unknown"
    return NewCommit(_make_capture_message(intake, files, origin, calls), writer, time, files)


def plan_with(
    workspace: WorkspaceBase,
    snapshot: Snapshot,
    theirs: Iterable[str],
    ours: Mapping[str, bytes | None],
    message: commit_message.Message,
    time: datetime,
) -> Plan:
    """Return the plan of two commits: the edits of others in `theirs`, if any, and `ours` for the operator."""
    files, _ = _read_disk(workspace, snapshot, theirs)
    first_commit = commit(workspace, Taken(snapshot.committed, files, head=snapshot.head), time)
    text = commit_message.render(replace(message, trailers=(("Origin", "operator"),)))
    new = NewCommit(text, workspace.operator, time, ours)
    return Plan((first_commit, new) if first_commit else (new,))


def _list_writing_calls(
    workspace: WorkspaceBase, intake: Taken, files: Mapping[str, bytes | None], time: datetime
) -> tuple[tuple[ToolCall, ...], bool]:
    """Return the agent's calls that wrote lines of these files, and whether they wrote all that is new."""
    line_writers = LineWriters(workspace)
    calls: list[ToolCall | None] = []
    for path in (path for path in files if path != entries.PATH):
        before, after = (text_of(version) or "" for version in (intake.committed[path], files[path]))
        # The owner may write a line that is there already: his copy has a call of its own.
        new = tally_lines(after) - tally_lines(before)
        writers = line_writers.list_recent(path, new, time.timestamp())
        calls += [None if writer.how == "while" else writer.call for writer in writers] or [None]
    known_calls = {call.call: call for call in calls if call}
    return tuple(known_calls.values()), bool(known_calls) and None not in calls


def find_authors(
    workspace: WorkspaceBase, head: Oid | None, files: Mapping[str, bytes | None]
) -> dict[str, tuple[str, str]]:
    """Return the author of each file: OpenClaw itself if path, first lines or records show it, else unknown.

    `head` is the commit before: OpenClaw's doctor moves the notes of TOOLS.md into AGENTS.md.
    """
    moved_paths: tuple[str, ...] = ()
    if file_roles.TOOLS in files and files[file_roles.TOOLS] is None:
        tools, agents = (repository.read(workspace.repo, head, path) for path in (file_roles.TOOLS, file_roles.AGENTS))
        agents = files.get(file_roles.AGENTS, agents)
        is_moved = blank_forms.may_go(file_roles.TOOLS, text_of(tools), None, text_of(agents))
        moved_paths = (file_roles.TOOLS, file_roles.AGENTS) if is_moved else ()

    flushed = workspace.flushed
    return {path: _DOCTOR if path in moved_paths else _find_author(path, data, flushed) for path, data in files.items()}


def _find_author(path: str, data: bytes | None, flushed: Callable[[], Mapping[str, str]]) -> tuple[str, str]:
    if file_roles.is_dreaming_output(path):
        return _DREAMING
    if data is None:
        return _TAKEN_AWAY.get(path, AUTHOR)
    if file_roles.is_dump(path, data):
        return _SESSION_MEMORY
    return _FLUSH if file_roles.journal_day(path) and flushed().get(path) == sha256(data).hexdigest() else AUTHOR


def refuse_ignored(repo: Repository, path: str) -> None:
    """Raise ClawgitError if an ignore rule covers `path`."""
    if repository.ignored(repo, path):
        raise file_ignored(f"{path} is ignored", fix=Command("git check-ignore -v {}", path, note="and drop that rule"))


def _make_capture_message(intake: Taken, files: Collection[str], origin: str, calls: Collection[ToolCall]) -> str:
    names = sorted(path for path in files if path != entries.PATH or path not in intake.found) or [entries.PATH]
    parts = [_summary(path, intake.committed[path], intake.files[path]) for path in names]
    others = [path for path in names if not path.startswith(file_roles.OURS)] or names
    subject = f"capture: {parts[0] if len(names) == 1 else commit_message.list_names(others)}"
    remainder = [f"and {len(parts) - _MAX_FILES:,} more files"] if len(parts) > _MAX_FILES else []
    sentences = [*(parts[:_MAX_FILES] if len(parts) > 1 else ()), *remainder, *intake.notes]
    reason = "\n".join(f"- {part}" for part in dict.fromkeys(sentences))
    trailers = (("Clawgit-Agent", "capture"), ("Origin", origin), *_call_trailers(calls))
    return commit_message.render(commit_message.Message(subject, reason, trailers))


def _call_trailers(calls: Collection[ToolCall]) -> Iterator[tuple[str, str]]:
    """Yield the trailers that name the agent's calls: their sessions, runs and requesters, and each call.

    They are claims: the table of calls decides which lines are trusted.
    """
    values = {
        "Session": (f"{call.place or '?'}/{call.session}" for call in calls),
        "Run": (call.run for call in calls),
        "Requester": (call.requester for call in calls),
        "Turn": (call.turn for call in calls),
        "Tool-Call": (f"{call.tool} {call.call}" for call in calls),
    }
    for name, claims in values.items():
        yield from ((name, value) for value in list(dict.fromkeys(filter(None, claims)))[:_MAX_CLAIMS])


def _summary(path: str, before: bytes | None, after: bytes | None) -> str:
    if after is None:
        return f"{path} was deleted"
    if before == after:
        return f"{path} is as it was committed again"
    old, new = (Counter(document.content(row) for row in document.split(to_text(data))) for data in (before, after))
    gain = (new - old).total()
    return f"{path} is new ({count_lines(gain)})" if before is None else f"{path} (+{gain} -{(old - new).total()})"
