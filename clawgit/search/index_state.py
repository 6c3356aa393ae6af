"""How the index stands."""

import os
import sqlite3
from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, file_unwritable, no_room
from clawgit.git.repository import hash_blob
from clawgit.search import corpus, index, refresh
from clawgit.search.corpus import Source
from clawgit.search.embedder_choice import chosen_embedder
from clawgit.search.refresh import Told
from clawgit.search.store import File, Store, opened
from clawgit.store import index_file
from clawgit.workspace.workspace import Workspace


class State(Struct, frozen=True):
    """Files by memory tier, and the index: `changed` are the files that it does not know as they are."""

    tiers: Mapping[str, int]
    files: int
    chunks: int
    fresh: bool
    changed: tuple[str, ...]
    commit: str | None
    bytes: int
    degraded: str | None = None


class VectorState(Struct, frozen=True):
    """How the vectors stand: `tier` is what a search uses; `lacking` tells why it is not what is wanted."""

    tier: str
    embedder: str | None = None
    vectors: int = 0
    fresh: bool = False
    lacking: str | None = None


def built(workspace: Workspace, *, force: bool = False, told: Told | None = None) -> State:
    """Bring the index up to the files, anew with `force`, and return how it stands. Raises ClawgitError."""
    with index.current(workspace, force=force, told=told) as found:
        if found.degraded:
            place = workspace.repo.commondir
            raise no_room(found.degraded, place) or file_unwritable(found.degraded, fix=Command("df -h {}", place))
    return state(workspace)


def state(workspace: Workspace) -> State:
    """Return how the index stands; nothing is written, and no index is an empty one."""
    try:
        store = opened(index_file.find_index(index.place(workspace)))
    except sqlite3.Error as exc:
        return _state(workspace, opened(None), f"the index is damaged ({exc}); the next search builds it anew")
    try:
        return _state(workspace, store)
    finally:
        store.raw.close()


class Glance(Struct, frozen=True):
    """The least that tells how searching stands."""

    fresh: bool
    chunks: int


def glance(workspace: Workspace) -> Glance:
    """Return how the index stands by the stamps of the files: nothing is built, none of them is read."""
    where = index_file.find_index(index.place(workspace))
    try:
        store = opened(where) if where else None
    except sqlite3.Error:  # the next search builds it anew
        store = None
    if store is None:
        return Glance(fresh=False, chunks=0)
    try:
        if not _cut_so(workspace, store):
            return Glance(fresh=False, chunks=0)
        young, gone = refresh.changed(store, index.files(workspace), corpus.SESSIONS)
        known = store.files()
        fresh = not gone and all(one.path in known and _untouched(one, known[one.path]) for one in young)
        return Glance(fresh, int(store.get("chunks") or 0))
    finally:
        store.raw.close()


def _cut_so(workspace: Workspace, store: Store) -> bool:
    """Return whether an index holds chunks of the sizes that CONFIG.md wants; of unusable ones nobody can tell."""
    try:
        return store.cut_so(index.sizes(workspace))
    except ClawgitError:
        return True


def _untouched(source: Source, file: File) -> bool:
    """Return whether a file is the one that was indexed, the time aside, of files that were too young then to tell."""
    return bool(source.stamp and file[3] == -1 and (source.stamp[0], source.stamp[2]) == (file[2], file[4]))


def _state(workspace: Workspace, store: Store, degraded: str | None = None) -> State:
    sources = list(index.files(workspace))
    if not _cut_so(workspace, store):
        store = opened(None)
    young, gone = refresh.changed(store, sources, corpus.SESSIONS)
    known = store.files()
    fresh = [one for one in young if one.path not in known or not _same(one, known[one.path])]
    paths = (source.path for source in sources)
    tiers = Counter(refresh.tier_of(path) for path in paths)
    identity = sum(os.path.lexists(workspace.root / name) for name in ("SOUL.md", "IDENTITY.md"))
    where = index.place(workspace)
    size = sum(part.stat().st_size for part in where.parent.glob(f"{where.stem}.*.db*"))
    changed = tuple(sorted((*(one.path for one in fresh), *(file[0] for file in gone))))
    return State(
        {"T0": identity, "T1": tiers["T1"], "T2": tiers["T2"]},
        len(sources),
        int(store.get("chunks") or 0),
        not changed,
        changed,
        workspace.head,
        size,
        degraded,
    )


def _same(source: Source, file: File) -> bool:
    """Return whether a file still says what it said when it was indexed, though its stamp proves nothing."""
    found = source.read()
    return found is not None and hash_blob(found[0]) == file[5]


def vectors(workspace: Workspace, environ: Mapping[str, str] = os.environ) -> VectorState:
    """Return how the vectors stand, as it is noted: neither Chroma nor the embedder is asked."""
    wanted, choice = str(workspace.config.value("search_tier")), str(workspace.config.value("embedder"))
    if wanted == "core" or (wanted == "auto" and not choice):
        return VectorState("core", choice or None)
    from clawgit.search.similar_texts import Like, lacking  # noqa: PLC0415
    from clawgit.search.vector_index import Home  # noqa: PLC0415

    try:
        model = chosen_embedder(choice, environ, hurry=True)
        home = Home.of(workspace, environ)
        reason, note = lacking(home, model), home.note()
    except ClawgitError as exc:
        return VectorState("core", choice or None, lacking=f"vectors: {exc.message}")
    if reason or note is None:
        return VectorState("core", choice, lacking=f"vectors: {reason}")
    return VectorState("enhanced", choice, note.count, Like(home, model).fresh(note))
