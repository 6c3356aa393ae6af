"""Opens the index, even a damaged one."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import ClawgitError
from clawgit.search import corpus, store, warm
from clawgit.search.corpus import Refuted, Sources
from clawgit.search.store import Progress, Store, open_store
from clawgit.store import entry_table
from clawgit.workspace import file_contents, line_writers
from clawgit.workspace.workspace import Workspace

Listing = Callable[[], Sources]
Update = Callable[[Store, Progress | None], object]
"""Brings a store up to date by another way than by comparing files."""


class Index(Struct, frozen=True):
    """An index in agreement with the files.

    `degraded` is the reason that it is not kept; `behind` are files that could not be read into it in time.
    """

    store: Store
    degraded: str | None = None
    behind: frozenset[str] = frozenset()


def place(workspace: Workspace) -> Path:
    """Return the name of the index of a workspace; a linked working tree has other files, so it has another index."""
    return entry_table.place_index(workspace.repo)


@contextmanager
def current(
    workspace: Workspace, *, force: bool = False, progress: Progress | None = None, more: Listing | None = None
) -> Iterator[Index]:
    """Open the index of a workspace, as fresh as its files.

    `more` lists the sessions; without it the present ones stay, if CONFIG.md wants any. `force` builds the index anew.
    Without the right to write it is made in memory.
    """

    def sources() -> Sources:
        own = files(workspace)
        if more is None:
            return own
        others = more()
        stamps = {**own.stamps, **others.stamps}
        return Sources(stamps, lambda path: (others if path in others.stamps else own).read(path))

    keep = corpus.SESSIONS if more is None and has_session_search(workspace) else ""
    if force:
        entry_table.forget_index(place(workspace))
    with open_fresh_index(place(workspace), sources, progress=progress, keep=keep) as index:
        yield index


def files(workspace: Workspace) -> Sources:
    """Return the files that are searched, with those of the trusted `extra_paths`.

    They are read without withheld and refuted lines, and without word-for-word conversations of OpenClaw's; a file with
    conflict markers as it was before.
    """
    root, extra, source_names = workspace.root, memory_files(workspace), _read_list(workspace, "sources")
    stamps = dict(corpus.sources(root, extra).stamps)  # at each search: nothing is done for each file
    dreams = corpus.DREAMS if "dreaming" in source_names else ()
    stamps |= corpus.list_extra_stamps(root, (*_read_list(workspace, "extra_paths"), *dreams), extra)
    copies_by_path, refuted = line_writers.list_withheld(workspace), list_refuted(workspace)
    # By its mark a file is read again when dumps are to be searched or entries are refuted.
    dumps = " dumps" if "dumps" in source_names else ""
    marks = refuted.list_marks(stamps)

    def mark(path: str, stamp: str) -> str:
        # Withheld lines can change while the file stays the same, so it is read at each search.
        return f"{stamp}{dumps}{marks.get(path, '')}" if stamp and path not in copies_by_path else ""

    def read(path: str) -> "tuple[bytes, str] | None":
        content = corpus.read_searched_bytes(path if path.startswith("/") else f"{root}/{path}")
        if content is None:
            return None
        data, stamp = content
        if (
            file_contents.may_have_markers(data)
            and not path.startswith("/")
            and (before := file_contents.remove_markers(workspace.repo, path, data))
        ):
            data, stamp = before.data, ""
        if not dumps and file_roles.is_dump(path, data):
            data = b""
        if path in copies_by_path:
            data = corpus.blank_lines(data, copies_by_path[path], withheld=False)
        return refuted.remove_from(path, data), mark(path, stamp)

    if dumps or marks or copies_by_path:
        stamps = {path: mark(path, stamp) for path, stamp in stamps.items()}
    return Sources(stamps, read)


def list_refuted(workspace: Workspace) -> Refuted:
    """Return the entries out of force, by the files on disk."""
    return Refuted(workspace.root, lambda path: file_contents.read_shown_text(workspace.repo, path)[0])


def conflicts(workspace: Workspace, index_store: Store) -> tuple[str, ...]:
    """Return a sentence for each file of the live index that has conflict markers: those without a stamp."""
    notes = []
    for path in index_store.list_unstamped():
        if not path.startswith(("/", corpus.SESSIONS)):
            with suppress(ClawgitError):  # gone meanwhile, or no text
                notes.append(file_contents.read_shown_text(workspace.repo, path)[1])
    return tuple(filter(None, notes))


def wants_vectors(workspace: Workspace, tier: str | None = None) -> bool:
    """Return whether a search uses vectors, too: by `tier`, else CONFIG.md."""
    search_tier = tier or str(workspace.config.value("search_tier"))
    return search_tier == "enhanced" or (search_tier == "auto" and bool(workspace.config.value("embedder")))


def has_session_search(workspace: Workspace) -> bool:
    """Return whether sessions are searched too."""
    return "sessions" in _read_list(workspace, "sources")


def _read_list(workspace: Workspace, key: str) -> list[str]:
    try:
        return [item for item in workspace.config.value(key) if isinstance(item, str) and item]
    except ClawgitError:  # of CONFIG.md
        return []


def memory_files(workspace: Workspace) -> tuple[str, ...]:
    """Return the memory file if CONFIG.md names one; others are in scope by their names."""
    try:
        return tuple(filter(None, (workspace.config.value("memory_file"),)))
    except ClawgitError:  # of CONFIG.md
        return ()


@contextmanager
def open_fresh_index(
    path: Path,
    sources: Listing = lambda: Sources({}, lambda _: None),
    *,
    progress: Progress | None = None,
    update: Update | None = None,
    keep: str = "",
) -> Iterator[Index]:
    """Open the index of that name and bring it up to `sources`.

    One that is damaged is thrown away and made anew.
    """
    bring = update or (lambda index_store, progress: store.refresh(index_store, sources, progress, keep))
    index = _keep_index(path, sources, progress, bring, keep)
    try:
        yield index
    finally:
        if not warm.is_kept(index.store):
            index.store.raw.close()


def _keep_index(path: Path, sources: Listing, progress: Progress | None, bring: Update, keep: str) -> Index:
    reason = ""
    for _ in range(entry_table.TRIES):
        index_store: Store | None = None
        try:
            index_store = _open(path)
            bring(index_store, progress)
            with index_store.reading():  # damage shows here, not in the middle of an answer
                index_store.raw.execute("SELECT text FROM chunks LIMIT 1").fetchone()
        except (sqlite3.Error, OSError) as exc:
            if index_store is not None and isinstance(exc, sqlite3.Error) and "locked" in str(exc):
                # While another process writes, the older index answers, and the changed files count as behind.
                changed, removed_places = store.find_changed_files(index_store, sources(), keep)
                paths = frozenset((*changed, *removed_places))
                return Index(index_store, "the index is being written by another process", paths)
            if index_store is not None:
                # A warm store would come back at the next try.
                warm.stop_keeping(index_store)
                index_store.raw.close()
            reason = (exc.strerror or str(exc)) if isinstance(exc, OSError) else str(exc)
            # A new file would not help against a full disk or missing rights.
            if not entry_table.is_damage(exc):
                break
            entry_table.forget_index(path)
        else:
            return Index(index_store)
    index_store = open_store(None)
    bring(index_store, progress)
    lack = ", without conversations" if keep else ""
    return Index(index_store, f"the index cannot be kept ({reason}); it was made in memory{lack}")


HURRIED_SECONDS = 0.5
"""So long a process that answers more than once waits for another writer, before it answers from what is there."""


def _open(path: Path) -> Store:
    index_path = entry_table.make_index(path)

    def make() -> Store:
        index_store = open_store(index_path)
        if warm.is_lasting():
            # OpenClaw gives up on a turn's context after two seconds (hooks/openclaw-plugin, contextWait).
            index_store.raw.execute(f"PRAGMA busy_timeout = {1000 * HURRIED_SECONDS:.0f}")
        return index_store

    return warm.keep_warm(path, index_path, make, lambda old: old.raw.close())
