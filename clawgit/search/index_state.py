"""The state of the index."""

import os
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, file_unwritable, find_disk_error
from clawgit.git.repository import hash_blob
from clawgit.search import corpus, index, store
from clawgit.search.store import Progress, Store, open_store
from clawgit.store import entry_table
from clawgit.workspace.workspace import Workspace


class State(Struct, frozen=True):
    """Files by memory tier, and the index: `changed` are the files that differ from it.

    `version` differs for every state of the index.
    """

    tiers: Mapping[str, int]
    files: int
    chunks: int
    fresh: bool
    changed: tuple[str, ...]
    commit: str | None
    bytes: int
    degraded: str | None = None
    version: str = ""


class VectorState(Struct, frozen=True):
    """The state of the vectors: `tier` is the one in use; `lacking` is the reason if it is not the wanted one."""

    tier: str
    embedder: str | None = None
    vectors: int = 0
    fresh: bool = False
    lacking: str | None = None


def build_index(workspace: Workspace, *, force: bool = False, progress: Progress | None = None) -> State:
    """Bring the index up to the files, anew with `force`, and return its state. Raises ClawgitError."""
    with index.current(workspace, force=force, progress=progress) as opening:
        if opening.degraded:
            place = workspace.repo.commondir
            raise find_disk_error(opening.degraded, place) or file_unwritable(
                opening.degraded, fix=Command("df -h {}", place)
            )
    return read_state(workspace)


def read_state(workspace: Workspace) -> State:
    """Return the state of the index; nothing is written, and no index is an empty one."""
    try:
        index_store = open_store(entry_table.find_index(index.place(workspace)))
    except sqlite3.Error as exc:
        return _make_state(workspace, open_store(None), f"the index is damaged ({exc}); the next search builds it anew")
    with closing(index_store.raw):
        return _make_state(workspace, index_store)


def _make_state(workspace: Workspace, index_store: Store, degraded: str | None = None) -> State:
    sources = index.files(workspace)
    fresh, missing_paths = store.find_changed_files(index_store, sources, corpus.SESSIONS)
    # A stamp may prove nothing; the bytes do.
    blobs = dict(index_store.raw.execute("SELECT path, blob FROM files"))
    contents = ((path, sources.read(path)) for path in fresh if path in blobs)
    same_paths = {path for path, content in contents if content and hash_blob(content[0]) == blobs[path]}
    tiers = Counter(map(store.tier_of, sources.stamps))
    identity = sum(os.path.lexists(workspace.root / name) for name in ("SOUL.md", "IDENTITY.md"))
    index_path = index.place(workspace)
    size = sum(part.stat().st_size for part in index_path.parent.glob(f"{index_path.stem}.*.db*"))
    changed = tuple(sorted({*fresh, *missing_paths} - same_paths))
    return State(
        {"T0": identity, "T1": tiers["T1"], "T2": tiers["T2"]},
        len(sources.stamps),
        int(index_store.get("chunks") or 0),
        not changed,
        changed,
        workspace.head,
        size,
        degraded,
        index_store.state,
    )


def read_vectors(workspace: Workspace, state: State) -> VectorState:
    """Return the recorded state of the vectors: neither Chroma nor the embedder is asked."""
    choice = str(workspace.config.value("embedder"))
    if not index.wants_vectors(workspace):
        return VectorState("core", choice or None)
    from clawgit.search.embedder import choose_embedder  # noqa: PLC0415 - most have no vectors
    from clawgit.search.meaning import Home  # noqa: PLC0415

    try:
        home = Home.of(workspace)
        reason, note = home.find_lack(choose_embedder(choice)), home.read_note()
    except ClawgitError as exc:
        reason, note = exc.message, None
    if reason or note is None:
        return VectorState("core", choice or None, lacking=f"vectors: {reason}")
    return VectorState("enhanced", choice, note.count, note.state == state.version)
