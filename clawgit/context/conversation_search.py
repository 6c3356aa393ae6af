"""Hands conversations and shared files to the search."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from clawgit.context.budget import assemble
from clawgit.context.receipt import Asked, Assembled
from clawgit.errors import ClawgitError
from clawgit.search import ask, corpus, index, recall
from clawgit.search.answer import Answer, Query
from clawgit.search.corpus import Sources
from clawgit.sessions import audience, chat_store
from clawgit.workspace import served

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.search.store import Progress
    from clawgit.sessions.chat_store import ChatStore, Summary
    from clawgit.workspace.workspace import Workspace

Result = TypeVar("Result")


def follow_sessions(workspace: "Workspace", progress: "Progress | None" = None) -> bool:
    """Bring the index up to the kept sessions; return whether `sources` of CONFIG.md names them.

    Each is a file with a line for each message of the operator or the agent.
    """
    if not index.talks(workspace):
        return False
    with chat_store.open_untainted(workspace, os.environ, reading=True) as store:
        summaries = {
            f"{corpus.SESSIONS}{summary.session.agent or 'main'}/{summary.session.id}": summary
            for summary in store.sessions()
        }
        # A session with the same number of messages and the same last one is not read again.
        stamps = {path: f"{path}:{summary.messages}:{summary.last}" for path, summary in summaries.items()}
        sessions = Sources(stamps, lambda path: (_render_session(store, summaries[path]), stamps[path]))
        with index.current(workspace, progress=progress, more=lambda: sessions):
            return True


def read_with_defaults(workspace: "Workspace", make: "Callable[[], Result]") -> "tuple[Result, tuple[str, ...]]":
    """Return what `make` returns, and warnings; if a value of CONFIG.md is bad, its default counts.

    Raises ClawgitError for everything else: memory is served whatever one setting says.
    """
    try:
        return make(), ()
    except ClawgitError as exc:
        config = workspace.config
        if exc.key != "setting-invalid" or (usable := config.usable()) is config:
            raise
        workspace.config = usable
        try:
            return make(), (f"{exc.message}; defaults are used instead: {exc.fix}",)
        finally:
            workspace.config = config


def search_all(
    workspace: "Workspace", query: Query, *, progress: "Progress | None" = None, shared: bool = True
) -> Answer:
    """Return the answer of the files and the kept sessions; for the past, and for deleted lines, of the files alone.

    A bad setting costs a note.
    """
    search = partial(_search_files_and_sessions, workspace, query, progress=progress, shared=shared)
    answer, warnings = read_with_defaults(workspace, search)
    return replace(answer, notes=(*answer.notes, *warnings)) if warnings else answer


def _search_files_and_sessions(
    workspace: "Workspace", query: Query, *, progress: "Progress | None", shared: bool
) -> Answer:
    if not (query.as_of or query.deleted):
        follow_sessions(workspace, progress)
    return ask.search(workspace, query, progress=progress, shared=shared)


def assemble_all(workspace: "Workspace", request: Asked, *, as_openclaw: bool = False) -> Assembled:
    """Return the context for a conversation, with the kept sessions; perhaps laid out as OpenClaw's prompt.

    A bad setting costs a warning.
    """
    make = partial(_assemble_with_sessions, workspace, request, as_openclaw=as_openclaw)
    assembled, warnings = read_with_defaults(workspace, make)
    return replace(assembled, warnings=(*assembled.warnings, *warnings)) if warnings else assembled


def _assemble_with_sessions(workspace: "Workspace", request: Asked, *, as_openclaw: bool) -> Assembled:
    follow_sessions(workspace)
    if not request.session:
        return assemble(workspace, request, as_openclaw=as_openclaw)
    with chat_store.open_untainted(workspace, os.environ, reading=True) as store:
        return assemble(workspace, request, store, as_openclaw=as_openclaw)


def _render_session(store: "ChatStore", summary: "Summary") -> bytes:
    """Return a session as Markdown, a heading for each day; untrusted text from outside is left out."""
    rows: list[str] = []
    day = ""
    for message in store.messages(summary.session):
        if message.role == "tool" or message.origin == "untrusted" or not message.text.strip():
            continue
        if message.time is not None and (now := f"{datetime.fromtimestamp(message.time, UTC):%Y-%m-%d}") != day:
            day = now
            rows.append(f"# {day}")
        rows.append(f"{message.role}: {' '.join(message.text.split())}")
    return "\n".join(rows).encode("utf-8", "replace")


def search_shared_files(workspace: "Workspace", query: Query) -> Answer:
    """Return the answer of the files of `shared_files`, from an index with nothing else in it."""
    refuted = index.list_refuted(workspace)

    def read(path: str) -> tuple[bytes, str] | None:
        with suppress(ClawgitError):
            data = served.read(workspace, path, limit=corpus.LARGEST)[0] or b""
            return refuted.remove_from(path, data), ""
        return None

    paths = audience.list_shared_files(workspace)
    sources = Sources(dict.fromkeys(paths, ""), read)
    return recall.search_sources(workspace, "shared.db", lambda: sources, query) if paths else Answer(())
