"""Hands conversations and shared files to the search."""

import os
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from clawgit.context.budget import assemble
from clawgit.context.receipt import Asked, Assembled
from clawgit.errors import ClawgitError
from clawgit.git.regular_file import LARGEST_SEARCHED
from clawgit.search import ask, corpus, index, recall
from clawgit.search.answer import Answer, Query
from clawgit.search.corpus import Sources
from clawgit.sessions import audience, chat_store
from clawgit.workspace import served

if TYPE_CHECKING:
    from clawgit.search.store import Progress
    from clawgit.sessions.chat_store import ChatStore, Summary
    from clawgit.workspace.config import Config
    from clawgit.workspace.workspace import Workspace


def follow_sessions(workspace: "Workspace", progress: "Progress | None" = None) -> bool:
    """Bring the index up to the kept sessions; return whether `sources` of CONFIG.md names them.

    Each is a file with a line for each message of the operator or the agent.
    """
    if not index.has_session_search(workspace):
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


def list_defaults(config: "Config") -> tuple[str, ...]:
    """Return a sentence for each value that lenient settings had to replace: memory is served whatever one says."""
    return tuple(f"{error.message}; the default is used: {error.fix}" for error in config.passed_over.values())


def search_all(
    workspace: "Workspace", query: Query, *, progress: "Progress | None" = None, shared: bool = True
) -> Answer:
    """Return the answer of the files and the kept sessions; for the past, and for deleted lines, of the files alone.

    A bad setting costs a note.
    """
    with workspace.lenient() as config:
        if not (query.as_of or query.deleted):
            follow_sessions(workspace, progress)
        answer = ask.answer_question(workspace, query, progress=progress, shared=shared)
        return replace(answer, notes=(*answer.notes, *list_defaults(config)))


def assemble_all(workspace: "Workspace", request: Asked, *, as_openclaw: bool = False) -> Assembled:
    """Return the context for a conversation, with the kept sessions; perhaps laid out as OpenClaw's prompt.

    A bad setting costs a warning.
    """
    with workspace.lenient() as config, ExitStack() as stack:
        follow_sessions(workspace)
        opened = chat_store.open_untainted(workspace, os.environ, reading=True) if request.session else None
        store = stack.enter_context(opened) if opened else None
        assembled = assemble(workspace, request, store, as_openclaw=as_openclaw)
        return replace(assembled, warnings=(*assembled.warnings, *list_defaults(config)))


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
            data = served.read_servable(workspace, path, limit=LARGEST_SEARCHED)[0] or b""
            return refuted.remove_from(path, data), ""
        return None

    paths = audience.list_shared_files(workspace)
    sources = Sources(dict.fromkeys(paths, ""), read)
    return recall.search_sources(workspace, "shared.db", lambda: sources, query) if paths else Answer(())
