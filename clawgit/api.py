"""The Python API of clawgit: docs/api.md."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from datetime import date
from os import PathLike
from pathlib import Path
from threading import get_ident
from types import TracebackType

from msgspec import Struct

from clawgit.context.addition import assemble_all, search_all
from clawgit.context.receipt import Asked, Assembled, SessionKind
from clawgit.errors import Advice, ClawgitError, UsageError, line_range, path_invalid, value_invalid
from clawgit.git import paths
from clawgit.messages.triage import BUILT_IN, Triage, read_patterns
from clawgit.messages.triage import triage as sorted_by
from clawgit.search import warm
from clawgit.search.answer import Answer, Hit, Mode, Query
from clawgit.sessions import know_sessions
from clawgit.store.item import Item
from clawgit.workspace import inbox, line_origins, memory_lines, records
from clawgit.workspace import restore as restoring
from clawgit.workspace import undo as undoing
from clawgit.workspace.change import Applied, Change, refuse_rejected
from clawgit.workspace.line_origins import Line, Said
from clawgit.workspace.records import Record
from clawgit.workspace.workspace import Workspace, open_workspace

__all__ = [
    "Added",
    "Answer",
    "Applied",
    "Assembled",
    "ClawgitError",
    "Hit",
    "Item",
    "Line",
    "Memory",
    "Reason",
    "Record",
    "Said",
    "Triage",
    "UsageError",
    "open",
    "triage",
]


class Added(Struct, frozen=True):
    """A memory that was added: its id, of which entry it became a mention (None: of none), and the write itself."""

    id: str
    merged_into: str | None
    applied: Applied


class Reason(Struct, frozen=True):
    """The origin of a line; `said` is its evidence, followed to the words, `undo` the command that reverts it."""

    line: Line
    said: tuple[Said, ...]
    undo: str | None


class Memory(AbstractContextManager["Memory"]):
    """The memory of one workspace. Leave it as a context manager, or call `close`.

    Each write is one commit. A program is not the operator: changes that `soul_policy` leaves to him wait for him.
    Every method raises ClawgitError, with a way out in `fix`.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._kept: dict[int, warm.Things] = {}

    def _keeping(self) -> AbstractContextManager[None]:
        """Keep the resources of searches open, for each thread apart, until `close`."""
        return warm.keep_among(self._kept.setdefault(get_ident(), {}))

    def _let_go(self) -> None:
        while self._kept:
            warm.end(self._kept.popitem()[1])

    @property
    def root(self) -> Path:
        """The folder of the workspace."""
        return self._workspace.root

    def add(self, text: str, *, tag: str | None = None, daily: bool = False, evidence: Iterable[str] = ()) -> Added:
        """Keep a memory, word for word: in the memory file, or with `daily` in today's journal.

        `tag` is event, knowledge, skill or decision; None chooses between event and knowledge. `evidence` are pointers
        such as `memory/2026-01-20.md#L4-L6`.
        """
        if tag and tag not in memory_lines.SECTIONS:
            raise value_invalid(
                f"no memory kind {tag!r}", fix=Advice(f"use one of: {', '.join(memory_lines.SECTIONS)}")
            )
        evidence = (evidence,) if isinstance(evidence, str) else evidence
        addition = memory_lines.make_addition(self._workspace, text, tag=tag, daily=daily, evidence=tuple(evidence))
        return Added(addition.id, addition.merged_into, self._applied(addition.change))

    def search(
        self,
        question: str,
        *,
        most: int | None = None,
        least: float | None = None,
        since: date | None = None,
        until: date | None = None,
        category: str | None = None,
        project: str | None = None,
        tier: Mode | None = None,
        as_of: str = "",
        deleted: bool = False,
    ) -> Answer:
        """Return matching memories, the best first; an empty answer is an answer.

        `most` and `least` (a score from 0 to 1) are those of CONFIG.md unless given. `since` and `until` are days, both
        inside. `category` is a tag, or a word of a heading or path, `project` the one in a comment; `tier` decides
        whether vectors are used too, CONFIG.md if it is not given. `as_of` asks as of a change, a revision or the end
        of a day; `deleted` for removed lines.
        """
        if most is not None and most < 1:
            raise value_invalid(f"{most} results cannot be wanted", fix=Advice("leave most out, or give 1 or more"))
        if least is not None and not 0 <= least <= 1:
            raise value_invalid(f"{least} is no score", fix=Advice("leave least out, or give a number from 0 to 1"))
        if tier not in (None, "core", "enhanced"):
            raise value_invalid(f"{tier!r} is no tier", fix=Advice("leave tier out, or give core or enhanced"))
        query = Query(
            question, most, least, since, until, category, project=project, tier=tier, as_of=as_of, deleted=deleted
        )
        with self._keeping():
            return search_all(self._workspace, query)

    def context(
        self,
        text: str = "",
        *,
        query: str = "",
        session: str = "",
        budget: int | None = None,
        session_kind: SessionKind = "main",
        as_of: str | None = None,
    ) -> Assembled:
        """Return the context for a prompt, with its receipt (spec §6): whole lines that fit `budget` tokens.

        `text` is the conversation so far, `query` a question to the memory instead of it, `session` the id of an
        imported conversation. Outside of a main session neither USER.md nor the memory file is given.
        """
        request = Asked(text, query, session, budget, session_kind, as_of)
        with self._keeping():
            return assemble_all(self._workspace, request)

    def log(self, path: str | None = None, *, limit: int | None = None, agent: str | None = None) -> list[Record]:
        """Return the changes of `path` or of all files, the newest first, as `git log` orders them."""
        if limit is not None and limit < 1:
            raise value_invalid(f"{limit} changes cannot be wanted", fix=Advice("leave limit out, or give 1 or more"))
        within = (paths.check(path),) if path else ()
        return list(records.list_records(self._workspace, *within, limit=limit, agent=agent))

    def why(self, path: str, line: int) -> Reason:
        """Return the origin of a line (from 1) of a file, and the words that it rests on."""
        if line < 1:
            raise line_range("lines are counted from 1", fix=Advice("give the number of a line of the file"))
        path, number = line_origins.split_place(self._workspace, f"{path}:{line}")
        origin, evidence = line_origins.trace_line(self._workspace, path, number)
        return Reason(origin, evidence, line_origins.undo(self._workspace, origin.record, path))

    def undo(self, change: str | None = None, *, again: bool = False) -> Applied:
        """Revert one change; later ones stay. None is the newest; `again` lets it be learnt once more."""
        return self._applied(undoing.undo(self._workspace, change, again=again))

    def restore(self, wanted: str, *, as_of: str | None = None) -> Applied:
        """Bring back a file, `PATH#Section` or the entry with this id, as it was last or as of `as_of`."""
        self._workspace.require_managed()
        return self._applied(restoring.restore(self._workspace, wanted, as_of))

    def inbox(self) -> list[Item]:
        """Return the items that wait for the operator."""
        return inbox.list_items(self._workspace)

    def triage(self, text: str, *, origin: str = "operator") -> Triage:
        """Return the signs in a message (spec §7), by clawgit's patterns and the operator's own."""
        patterns = read_patterns(self._workspace.config).patterns
        return sorted_by(text, patterns, origin=origin)

    def close(self) -> None:
        """Release open resources."""
        self._let_go()
        self._workspace.close()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self._let_go()
        self._workspace.__exit__(kind, value, trace)

    def _applied(self, change: Change) -> Applied:
        applied = self._workspace.apply(change)
        refuse_rejected(applied)
        return applied


def open(path: str | PathLike[str] = ".") -> Memory:  # noqa: A001 - read as clawgit.open
    """Return the memory of the workspace that encloses `path`. Raises ClawgitError when there is none."""
    try:
        place = Path(path).expanduser().resolve()
    except (RuntimeError, ValueError) as exc:
        raise path_invalid(f"no folder {str(path)!r}: {exc}", fix=Advice("name a folder, such as ~/agent")) from None
    workspace = open_workspace(place)
    workspace.attended = False
    know_sessions(workspace)
    return Memory(workspace)


def triage(text: str, *, origin: str = "operator") -> Triage:
    """Return the matches of clawgit's own patterns in a message, without a workspace."""
    return sorted_by(text, BUILT_IN, origin=origin)
