"""Tools for a reader of batches, who has no others.

What it reads was said by anybody: so it gets no other tool, and what it answers is checked before it lands.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from clawgit.agents.protocol import operations, outside_answers, readers
from clawgit.agents.protocol.batch_run import Outcome, Reading
from clawgit.integrations.mcp import arguments
from clawgit.integrations.mcp.rooms import Document, Rooms
from clawgit.sessions import stores
from clawgit.workspace.workspace import Workspace


def next_batch(rooms: Rooms, workspace: Workspace, asked: arguments.Next) -> Document:
    """Return the next batch of an agent, with the schema of its answer; null where nothing is to be read."""
    with _reading(rooms, workspace, asked.agent) as reading:
        kept = outside_answers.next_out(reading)
    return {"batch": kept.batch.document(operations.schema(asked.agent)) if kept else None}


def take_answer(rooms: Rooms, workspace: Workspace, asked: arguments.Answered) -> Document:
    """Check an answer, land what fits, and say of each operation what became of it."""
    said = json.dumps({"id": asked.id, "operations": asked.operations, "reasons": asked.reasons})
    with _reading(rooms, workspace, asked.agent) as reading:
        kept = outside_answers.checked(reading, said)
        outcome = Outcome(asked.agent)
        outcome.take(kept, outside_answers.land(reading, kept))
        readers.settle(workspace, outcome)
    verdicts = [
        {"act": one.operation.act, "text": one.operation.text, "state": one.state, "why": one.why, "commit": one.commit}
        for one in outcome.verdicts
    ]
    return {"verdicts": verdicts, "notes": outcome.notes}


@contextmanager
def _reading(rooms: Rooms, workspace: Workspace, agent: str) -> Iterator[Reading]:
    workspace.require_managed()
    with stores.opened(workspace.state, rooms.environ, reading=True) as store:
        yield readers.reading(workspace, store, agent, None)
