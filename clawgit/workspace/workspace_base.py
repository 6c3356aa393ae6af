"""The state of an open workspace."""

import contextlib
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit import file_roles
from clawgit.clock import get_local_time, record_time
from clawgit.errors import ClawgitError, Command, format_newer, not_managed
from clawgit.git import history, own_commits, regular_file, repository, worktree_files
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.openclaw import blank_forms
from clawgit.openclaw.host import Host
from clawgit.store.database import StateStore
from clawgit.workspace import commit_message, config, entries, manifest
from clawgit.workspace.approvals import Trust, TrustStore
from clawgit.workspace.config import Config
from clawgit.workspace.file_contents import decode_file, read_quietly, sidecar, to_text
from clawgit.workspace.merge_rules import merge_forward

if TYPE_CHECKING:
    from clawgit.git import transaction
    from clawgit.store.entry_table import EntryTable
    from clawgit.workspace.outgoing_secrets import Leaked


def find_bases(repo: Repository, since: Oid | None, head: Oid | None) -> dict[str, Oid]:
    """Return the files that others committed after `since` and up to `head`, each with the commit before the first.

    Commits of clawgit's own do not count, nor those that a sync brought. A merge counts for the identity alone: its
    author decided on the joined content.
    """
    bases: dict[str, Oid] = {}
    if since is None or head is None or since == head:
        return bases
    for commit in history.walk_log(repo, start=f"{since}..{head}", first_parent=True):
        for path in commit.paths if commit.parents and not commit.as_ours else ():
            if len(commit.parents) == 1 or file_roles.is_identity(path):
                bases[path] = commit.parents[0]
    return bases


_FOLLOWED = "followed"


def find_last_look(repo: Repository, store: StateStore, head: Oid | None) -> Oid | None:
    """Return the last followed commit of others: the recorded one, else the newest of clawgit's."""
    if head is None:
        return None
    with contextlib.suppress(OSError, ValueError, ClawgitError):
        last_commit = repository.resolve(repo, store.read_document(_FOLLOWED, str) or "")
        if last_commit and repository.reaches(repo, head, last_commit):
            return last_commit
    return next(
        (commit.id for commit in history.walk_log(repo, named=False, first_parent=True) if commit.as_ours), None
    )


_CUT = "history cut"


def note_cut(repo: Repository, store: StateStore, head: Oid | None, purged_ids: Collection[Oid], now: float) -> None:
    """Note that history was begun anew since the last look, or its end cut off. Best effort."""
    last = repository.resolve(repo, store.read_document(_FOLLOWED, str) or "")
    is_known = last is not None and head is not None and last not in purged_ids and not history.cut_off(repo)
    if not is_known or repository.reaches(repo, head, last):
        return
    base = ""
    with contextlib.suppress(ClawgitError):  # there is none
        base = git(repo.root, "merge-base", str(last), str(head)).decode().strip()
    if base in ("", head):  # else it was amended, or rebased
        with contextlib.suppress(ClawgitError):
            store.save_document(_CUT, (str(last), now))


def find_cut(repo: Repository, store: StateStore, since: float) -> Oid | None:
    """Return the end of a history that HEAD did not go on from, if that was noted `since`.

    None if some branch or tag has it, or nothing has it any more.
    """
    commit, time = store.read_document(_CUT, tuple[str, float]) or ("", 0.0)
    if time < since or repository.resolve(repo, commit) is None:
        return None
    names = ("refs/heads", "refs/tags", "refs/remotes")
    return None if git(repo.root, "for-each-ref", "--contains", commit, *names) else commit


def start_following(store: StateStore, head: Oid | None) -> None:
    """Record the first commit to follow from, unless there is one: earlier commits of others are followed too."""
    if head is not None and store.read_document(_FOLLOWED, str) is None:
        record_foreign_head(store, head)


def record_foreign_head(store: StateStore, head: Oid) -> None:
    """Note that others were followed up to `head`. Best effort: without it, more is looked at again."""
    with contextlib.suppress(ClawgitError):
        store.save_document(_FOLLOWED, head)


FORMAT_VERSION = 2
_FORMAT_DIGITS = 7


class SessionEvent(Struct, frozen=True):
    """The words of one event of a session; `who` is `user`, `assistant` or `tool`, `date` in ISO 8601.

    `origin` is the source of the words: operator, agent, untrusted or unknown.
    """

    text: str
    who: str
    date: str | None = None
    origin: str = "unknown"


class Sessions(Struct, frozen=True):
    """Functions of higher packages on sessions, as a capture needs them.

    `follow` imports new turns and calls; `asks` returns whether a turn of the operator after a moment has the words of
    a line, and `question` returns the last message in a session before a moment.
    """

    follow: Callable[[], object] = lambda: None
    asks: Callable[[str, datetime], bool] = lambda _line, _since: False
    question: Callable[[str, float], SessionEvent | None] = lambda _session, _time: None


@dataclass
class WorkspaceBase:
    """An open workspace, for plans and follow-ups of a write; `Workspace` writes changes, too.

    `clock` returns the present moment as an aware datetime, `conversations` what was said in an event of a session,
    both given by id. `attended`: the operator is at the terminal and decides himself: without him nothing lands in the
    identity that he did not approve.
    """

    repo: Repository
    clock: Callable[[], datetime] = get_local_time
    conversations: Callable[[str, str], SessionEvent | None] = lambda _session, _event: None
    sessions: Sessions = field(default_factory=Sessions)
    attended: bool = True
    _written: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Keep our state from leading elsewhere."""
        with contextlib.suppress(OSError):  # of a disk that is read-only nothing is written either
            for folder in {self.repo.room, self.repo.commondir / "clawgit"}:
                regular_file.set_strays_aside(folder)

    @property
    def root(self) -> Path:
        """The folder itself."""
        return self.repo.root

    @cached_property
    def store(self) -> StateStore:
        """The inbox, and other state outside of git."""
        return StateStore(self.repo.commondir / "clawgit")

    @cached_property
    def config(self) -> Config:
        """The settings of CONFIG.md, read once."""
        return config.load_config(self.root, config.Trusted(lambda: self.trust, self.root))

    def use_last_readable_config(self) -> None:
        """Go on with the last settings that can be read, if CONFIG.md cannot be now."""
        if self.config.unreadable is not None:
            self.config = config.load_last_readable(self.repo, config.Trusted(lambda: self.trust, self.root))

    @contextlib.contextmanager
    def lenient(self) -> Iterator[Config]:
        """Let bad values of CONFIG.md count as their defaults meanwhile; yield these settings, which list them."""
        strict = self.config
        self.config = strict.lenient
        try:
            yield self.config
        finally:
            self.config = strict

    @cached_property
    def host(self) -> Host:
        """The OpenClaw of this machine, which is looked at only as far as it is asked."""
        return Host()

    @cached_property
    def place(self) -> manifest.MemoryPlace:
        """The default places of memories and journals, decided once."""
        sidecar = worktree_files.read_worktree_file(self.repo, entries.PATH)
        return manifest.choose_memory_place(
            self.root, sidecar.data if sidecar else b"", lambda: self.host.ledger(self.root)
        )

    @property
    def memory_file(self) -> str:
        """The file that memories are added to: `memory_file` of CONFIG.md, else OpenClaw's or ours."""
        return self.config.value("memory_file") or self.place.file

    @property
    def memory_files(self) -> tuple[str, ...]:
        """The memory file, and OpenClaw's own if that is another one."""
        return tuple(dict.fromkeys((self.memory_file, manifest.find_openclaw_memory(self.root))))

    def journal_path(self, day: date) -> str:
        """Return the path of the journal that our notes of `day` belong to."""
        return f"{self.place.journals}{day.isoformat()}.md"

    @cached_property
    def leaked(self) -> "Leaked":
        """The secrets that are in history already."""
        from clawgit.workspace.outgoing_secrets import Leaked  # noqa: PLC0415

        return Leaked(self.repo, self.store if self.managed else None)

    def recorded(self) -> Mapping[str, str]:
        """Return the files that OpenClaw keeps records of, and drops from the prompt after an edit from outside.

        Each has the SHA-256 of the agent's last version, "" if OpenClaw drops it already.
        """
        records = self.host.ledger(self.root).records
        visible = (record for record in records if manifest.is_shown(record.path))
        return {record.path: record.hash if record.writer == "agent" else "" for record in visible}

    def flushed(self) -> Mapping[str, str]:
        """Return the files last written by a memory flush, by OpenClaw's records, with the SHA-256 of that version."""
        return {record.path: record.hash for record in self.host.ledger(self.root).records if record.flushed}

    def theirs(self, path: str) -> bool:
        """Return whether OpenClaw's agent alone may write a file: OpenClaw would hold it back after an edit of ours.

        The one that `memory_file` of CONFIG.md names is the operator's choice.
        """
        return manifest.is_shown(path) and self.place.apart and path != self.config.value("memory_file")

    @property
    def managed(self) -> bool:
        """Whether `.clawgit/format` is in HEAD, and is clawgit's; or was, until anybody but `eject` deleted it."""
        return format_number(self._format) is not None

    @property
    def _format(self) -> str | None:
        """The first word of `.clawgit/format` in HEAD, or before an accident deleted it; None without that file."""
        data = repository.read(self.repo, self.head, file_roles.FORMAT)
        if data is None and (end := self._end) and end.subject != file_roles.EJECTED:
            data = repository.read(self.repo, next(iter(end.parents), None), file_roles.FORMAT)
        return None if data is None else "".join(data.decode("utf-8", "replace").split()[:1])

    @property
    def _end(self) -> history.Commit | None:
        """The commit that deleted `.clawgit/format`; None if it never existed, or `eject` removed our folder."""
        has_room = self.head and (self.repo.commondir / "clawgit").exists()
        return next(history.walk_log(self.repo, file_roles.FORMAT, limit=1, named=False), None) if has_room else None

    @property
    def head(self) -> Oid | None:
        """The commit at HEAD."""
        return repository.head(self.repo)

    @property
    def branch(self) -> str:
        """The branch that every change goes to: `branch` of CONFIG.md, else main or master, else the one at hand."""
        if branch_name := self.config.value("branch"):
            return str(branch_name)
        names = (name for name in ("main", "master") if repository.resolve(self.repo, f"refs/heads/{name}"))
        return next(names, None) or repository.branch(self.repo) or "main"

    @property
    def operator(self) -> tuple[str, str]:
        """The operator's name and address, in a form for commits."""
        name, email = map(commit_message.clean_name, repository.identity(self.repo) or ("", ""))
        return (name, email) if name and email else ("operator", "operator@localhost")

    def now(self) -> datetime:
        """Return the present moment in the operator's time zone, to the second."""
        # Git keeps whole seconds.
        moment, zone = self.clock(), self.config.zone
        return (moment.astimezone(zone) if zone else moment).replace(microsecond=0)

    def read(self, path: str) -> str | None:
        """Return the text of a file as it is on disk, None when there is none.

        Raises ClawgitError for a binary or too large file, or one behind a link.
        """
        file = worktree_files.read_worktree_file(self.repo, path)
        return decode_file(path, file.data) if file else None

    def read_loosely(self, path: str) -> str:
        """Return a file as it is on disk, whatever its bytes; "" for a missing or unreadable one."""
        return to_text(read_quietly(self.repo, path))

    def open_table(self) -> "AbstractContextManager[EntryTable]":
        """Open the table of entries, with the memory files that CONFIG.md names."""
        from clawgit.store.entry_table import open_entries  # noqa: PLC0415 - 10 ms

        files = self.memory_files
        return open_entries(self.repo, partial(file_roles.entry_role, memory_files=files), "\n".join(files))

    def find_role(self, path: str) -> str | None:
        """Return the role of the entries of a file, None for one that has none."""
        return file_roles.entry_role(path, self.memory_files)

    def rows(self) -> dict[str, entries.Row]:
        """Return the sidecar by entry id."""
        return entries.parse(sidecar(self.repo))

    def require_managed(self) -> None:
        """Raise ClawgitError unless clawgit may write here."""
        if self._format is None:
            raise self._unmanaged()
        if (format_number(self._format) or FORMAT_VERSION + 1) > FORMAT_VERSION:
            words = f"{file_roles.FORMAT} says {self._format!r}; this clawgit writes {FORMAT_VERSION}"
            raise format_newer(words, fix=Command("pip install --upgrade clawgit"))

    def _unmanaged(self) -> ClawgitError:
        """Return the error for an unmanaged workspace: it never was managed, or a commit from elsewhere ended that."""
        ended, ours = self._end, file_roles.OURS
        has_written = (self.repo.commondir / "clawgit/lock").exists()  # here, since the folder was given back
        if ended is None or not has_written or own_commits.read_local_note(self.repo, own_commits.LEAVING, bool):
            return not_managed(f"{self.root} is not managed by clawgit", fix=Command("clawgit adopt {}", self.root))
        words = f"{self.root} is not managed by clawgit any more: {ended.id[:10]} of {ended.author} ejected it, by git"
        fix = Command(
            f"git -C {{}} checkout {ended.id[:10]}^ -- {ours} && git -C {{}} commit -m {{}} -- {ours}",
            self.root,
            self.root,
            "clawgit stays here",
            note="or, to leave it here, too: clawgit eject",
        )
        return not_managed(words, fix=fix)

    @cached_property
    def trusted(self) -> TrustStore:
        """The store of the operator's approvals."""
        return TrustStore(self.repo.commondir, os.environ)

    @cached_property
    def trust(self) -> Trust:
        """The operator's approvals, read once; none if they are unreadable."""
        return self.trusted.readable()

    def approvals(self) -> Trust:
        """Return the operator's approvals until now, read anew."""
        self.__dict__.pop("trust", None)
        return self.trust

    @cached_property
    def called(self) -> tuple[str, ...]:
        """The names by which USER.md calls the operator."""
        user = (repository.read(self.repo, self.head, file_roles.USER) or b"").decode(errors="replace")
        return tuple(blank_forms.read_names(user))

    def follow(self, texts: Mapping[str, str | None], former: Mapping[str, str | None] = MappingProxyType({})) -> None:
        """Count these texts of identity files as approved, and stricter values of CONFIG.md as trusted.

        `former` is the former content, by path, of those that the operator himself changed.
        """
        self.trusted.follow(texts, former)
        with contextlib.suppress(ClawgitError):  # of CONFIG.md: whoever needs a value says so
            self.trusted.pin(self.config.stricter())
        self.approvals()

    def first_commit(self, decide: "transaction.Planner", paths: Iterable[str]) -> "transaction.Written":
        """Write the commit that makes the workspace managed, on the branch at hand."""
        branch = repository.branch(self.repo) or self.branch
        result = self.write(branch, tuple(paths), decide, unborn=True)
        self.__dict__.pop("config", None)  # CONFIG.md has just come, and may name that branch
        self.__dict__.pop("leaked", None)
        return result

    def last_commit(self, decide: "transaction.Planner", paths: Iterable[str]) -> "transaction.Written":
        """Write the commit that gives the workspace back, with a broken CONFIG.md on the branch at hand."""
        try:
            branch = self.branch
        except ClawgitError:
            branch = repository.branch(self.repo) or ""
        return self.write(branch, tuple(paths), decide)

    def write(
        self,
        branch: str,
        paths: tuple[str, ...],
        decide: "transaction.Planner",
        *,
        unborn: bool = False,
        touched: Callable[[], Iterable[str]] | None = None,
    ) -> "transaction.Written":
        """Write the commits that `decide` plans; `touched` returns the files to look at once more, all unless given."""
        # After the first write a missing one was lost.
        if not self.store.path.exists():
            with contextlib.suppress(ClawgitError):
                self.store.prepare()
        from clawgit.git import transaction  # noqa: PLC0415
        from clawgit.workspace.migration import migrate  # noqa: PLC0415

        start_following(self.store, self.head)
        record_time(self.store, self.clock())
        result = transaction.write(self.repo, branch, paths, decide, merge_forward, unborn=unborn)
        self._written.update(touched() if touched else paths)
        number, is_lost = format_number(self._format), not repository.blob_id(self.repo, self.head, file_roles.FORMAT)
        if not result.commits or number is None or not (number < FORMAT_VERSION or is_lost):
            return result
        step = migrate(self.repo, branch, FORMAT_VERSION, self.clock())
        return transaction.Written(result.commits, (*result.notes, step))

    def close(self) -> tuple[str, ...]:
        """Look once more at the last writes, a moment later; return a sentence for each repair."""
        if not self._written:
            return ()
        from clawgit.git import recovery  # noqa: PLC0415

        paths, self._written = tuple(sorted(self._written)), set()
        return recovery.look_again(self.repo, paths, merge_forward, time.monotonic() + 1)


def format_number(text: str | None) -> int | None:
    """Return the number in `.clawgit/format`, None if it has none, or an impossible one."""
    number = (text or "").strip()
    return int(number) if number.isdecimal() and len(number) < _FORMAT_DIGITS else None
