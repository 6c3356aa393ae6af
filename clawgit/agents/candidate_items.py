"""The inbox items for statements that could be memories."""

import os
from datetime import timedelta

from clawgit.errors import ClawgitError, DiskError, file_unwritable
from clawgit.sessions import chat_store
from clawgit.text.entry import normalise
from clawgit.workspace.workspace import Workspace

WEEK = timedelta(days=7)
_MARK = "candidates read"


def refresh(workspace: Workspace) -> None:
    """Open items for messages of the last week, and close those that a memory or a correction has answered.

    With a model nothing is opened: it proposes. Without new messages nothing is read, and without a writable store
    nothing is opened. Raises ClawgitError.
    """
    if workspace.managed:
        try:
            _refresh(workspace)
        except ClawgitError as exc:
            if not isinstance(exc, DiskError) and exc.key != file_unwritable.name:
                raise


def _refresh(workspace: Workspace) -> None:
    with chat_store.open_untainted(workspace, os.environ, reading=True) as chats:
        sessions = chats.sessions()
        newest = max((summary.last or 0.0 for summary in sessions), default=0.0)
        now = workspace.now()
        mark = f"{len(sessions)} {newest} {workspace.head} {now.date()}"
        if not sessions or workspace.store.read_document(_MARK, str) == mark:
            return
        from clawgit.agents import memory_candidates as candidates  # noqa: PLC0415 - only new talk needs it
        from clawgit.llm import voices  # noqa: PLC0415 - only new talk needs it

        messages, texts = candidates.list_cited(workspace), candidates.list_texts(workspace)
        for item in workspace.store.read_items("open", kind="candidate", edits=False):
            if item.details.get("message") in messages or normalise(item.title) in texts:
                workspace.store.decide(item.id, "closed", now)
        has_model = voices.choose(workspace.config.value, os.environ, workspace.store).voice is not None
        for item in () if has_model else candidates.list_candidates(workspace, chats, now - WEEK, now):
            workspace.store.open_item(item)
        workspace.store.save_document(_MARK, mark)
