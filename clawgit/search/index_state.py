"""How the index stands."""

import os
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, file_unwritable, no_room
from clawgit.git.repository import hash_blob
from clawgit.search import corpus, index, refresh
from clawgit.search.refresh import Told
from clawgit.search.store import Store, opened
from clawgit.store import index_file
from clawgit.workspace.workspace import Workspace


class State(Struct, frozen=True):
    """Files by memory tier, and the index: `changed` are the files that it does not know as they are.

    `version` tells one state of the index from every other.
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
    """How the vectors stand: `tier` is what a search uses; `lacking` tells why it is not what is wanted."""

    tier: str
    embedder: str | None = None
    vectors: int = 0
    fresh: bool = False
    lacking: str | None = None


def build_index(workspace: Workspace, *, force: bool = False, told: Told | None = None) -> State:
    """Bring the index up to the files, anew with `force`, and return how it stands. Raises ClawgitError."""
    with index.current(workspace, force=force, told=told) as found:
        if found.degraded:
            place = workspace.repo.commondir
            raise no_room(found.degraded, place) or file_unwritable(found.degraded, fix=Command("df -h {}", place))
    return read_state(workspace)


def read_state(workspace: Workspace) -> State:
    """Return how the index stands; nothing is written, and no index is an empty one."""
    try:
        store = opened(index_file.find_index(index.place(workspace)))
    except sqlite3.Error as exc:
        return _read(workspace, opened(None), f"the index is damaged ({exc}); the next search builds it anew")
    with closing(store.raw):
        return _read(workspace, store)


def _read(workspace: Workspace, store: Store, degraded: str | None = None) -> State:
    sources = list(index.files(workspace))
    young, gone = refresh.changed(store, sources, corpus.SESSIONS)
    known = store.files()
    # A stamp may prove nothing; the bytes do.
    read = ((source.path, source.read()) for source in young if source.path in known)
    same = {path for path, found in read if found and hash_blob(found[0]) == known[path][5]}
    tiers = Counter(refresh.tier_of(source.path) for source in sources)
    identity = sum(os.path.lexists(workspace.root / name) for name in ("SOUL.md", "IDENTITY.md"))
    where = index.place(workspace)
    size = sum(part.stat().st_size for part in where.parent.glob(f"{where.stem}.*.db*"))
    changed = tuple(sorted((*(one.path for one in young if one.path not in same), *(file[0] for file in gone))))
    return State(
        {"T0": identity, "T1": tiers["T1"], "T2": tiers["T2"]},
        len(sources),
        int(store.get("chunks") or 0),
        not changed,
        changed,
        workspace.head,
        size,
        degraded,
        store.state,
    )


def read_vectors(workspace: Workspace, state: State, environ: Mapping[str, str] = os.environ) -> VectorState:
    """Return how the vectors stand, as it is noted: neither Chroma nor the embedder is asked."""
    choice = str(workspace.config.value("embedder"))
    if not index.wants_vectors(workspace):
        return VectorState("core", choice or None)
    from clawgit.search.embedder import chosen_embedder  # noqa: PLC0415 - most have no vectors
    from clawgit.search.meaning import Home  # noqa: PLC0415

    try:
        home = Home.of(workspace, environ)
        reason, note = home.find_lack(chosen_embedder(choice, environ, hurry=True)), home.note()
    except ClawgitError as exc:
        reason, note = exc.message, None
    if reason or note is None:
        return VectorState("core", choice or None, lacking=f"vectors: {reason}")
    return VectorState("enhanced", choice, note.count, note.state == state.version)
