"""What writing a file costs whose writers OpenClaw records."""

from collections.abc import Iterator
from hashlib import sha256

from clawgit.workspace import memory_place
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.workspace import Workspace


def costs(workspace: Workspace, change: Change) -> Iterator[str]:
    """Yield a sentence for each file that OpenClaw may hold back from its agent's prompt once `change` is made.

    OpenClaw trusts an edit of the agent's only where the file is as the agent left it; what gives back those very bytes
    costs nothing, nor does a file that it holds back already.
    """
    edits = [one for one in change.edits if one.path in memory_place.SHOWN]
    if not edits:
        return
    ledger = workspace.host.ledger(workspace.root)
    if ledger.unknown:
        yield f"whether OpenClaw keeps records of who writes {edits[0].path} is unknown: {ledger.unknown}"
    known = {one.path: one for one in ledger.records if one.writer == "agent"}
    for edit in edits:
        if edit.path in known and not _as_left(edit, known[edit.path].hash):
            yield (
                f"{edit.path} is written past OpenClaw, which records who writes it: as soon as the agent edits it "
                "again, OpenClaw drops it out of the prompt, and nothing brings it back"
            )


def _as_left(edit: object, hash_: str) -> bool:
    """Tell whether an edit gives a file the bytes that the agent wrote last."""
    text = edit.text if isinstance(edit, Edit) else None
    return text is not None and sha256(text.encode()).hexdigest() == hash_
