"""Builds vectors, and finds texts by their meaning."""

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command
from clawgit.language.dates import parse_date
from clawgit.safety.redaction import redact
from clawgit.search import embedder as embedders
from clawgit.search import index, vectors, warm
from clawgit.search.embedder import (
    Embedder,
    EmbeddingError,
    choose_embedder,
    name_embedder,
)
from clawgit.search.question_words import drop_speakers
from clawgit.search.store import HASH, Progress, Store
from clawgit.search.vectors import DamagedError, Fact, Facts, LockedError, Scale, Vectors, VectorsError
from clawgit.workspace import correction_records
from clawgit.workspace.memory_lines import list_bullets
from clawgit.workspace.workspace import Workspace

FORM = "5"
"""Grows when texts are put together otherwise: vectors of another form are no longer looked at."""
ENTRIES = "entries"
"""The collection of entries, beside that of the texts of the index."""
BUILD = Command("clawgit memory index")
SILENT = 60
"""Days without a mention after which an entry that was mentioned once is flagged (spec §5.5, 2 and 3)."""
_SURE = 1.0
"""Of a correction, always (spec §5.3)."""
_NEAR_ROWS = 2
_ROWS = "SELECT file, key, trail, text, chat FROM chunks ORDER BY file, nth"


class Row(Struct, frozen=True):
    """The input of an embedding under an id, and its metadata in Chroma: never a text.

    The vector of several texts is their mean.
    """

    id: str
    texts: tuple[str, ...]
    facts: Facts


def list_chunks(store: Store) -> Iterator[Row]:
    """Yield the texts of the live index, repeats too.

    A turn of a conversation is embedded alone, and together with the two before and after it: alone, "yes, on Friday"
    means nothing.
    """
    for _, group in groupby(store.raw.execute(_ROWS), key=itemgetter(0)):
        rows = list(group)
        for number, (_, key, trail, text, chat) in enumerate(rows):
            alone = f"{trail}\n{text}" if trail and not chat else text
            context = "\n".join(row[3] for row in rows[max(number - _NEAR_ROWS, 0) : number + _NEAR_ROWS + 1] if row[4])
            if alone.strip():
                texts = (alone, context) if chat and context != alone else (alone,)
                name = key[:HASH].hex()
                key_text = "\0".join((name, *texts)).encode("utf-8", "surrogatepass")
                yield Row(sha256(key_text).hexdigest()[:32], texts, {"hash": name})


def list_entries(workspace: Workspace) -> Iterator[Row]:
    """Yield the wanted content of the collection of entries, by the files and the sidecar alone (spec §5.3, §5.5).

    Entries of the memory files and the true sides of corrections; the wrong sides, as `status: corrected`, for
    `corrected_embedding_grace_days`. An entry that was mentioned once, and not for sixty days, is `flagged`, and gone
    after the same days of grace: from this collection, not from its file. Raises ClawgitError for a bad value.
    """
    today, grace = workspace.now().date(), timedelta(int(workspace.config.value("corrected_embedding_grace_days")))
    records = [item.record for item in correction_records.list_records(workspace) if item.record.id]
    days = {item.id: parse_date(item.at[:10]) for item in records}
    stale_names = {name for name, day in days.items() if day and today - day > grace}
    rows = workspace.rows()
    files = {*workspace.memory_files, *(row.file for row in rows.values())}
    for line in (line for line in list_bullets(workspace) if line.path in files):
        superseder = rows[line.id].by if line.id in rows else ""
        is_superseded = line.status == "superseded"
        is_refuted = is_superseded and superseder in days
        is_silent = line.confidence < _SURE and line.mentions <= 1
        leaves = line.last + timedelta(SILENT) + grace if line.last and is_silent else None
        if (is_refuted and superseder in stale_names) or (leaves and today > leaves):
            continue
        is_flagged = leaves is not None and today > leaves - grace
        yield _make_entry_row(
            line.id,
            line.text,
            line.last,
            days[superseder] if is_refuted else None,
            status="corrected" if is_refuted else "superseded" if is_superseded else "live",
            file=line.path,
            tag=line.tag or "",
            correction=superseder in days and not is_refuted,
            confidence=round(line.confidence, 4),
            mention_count=line.mentions,
            corrected_by=superseder,
            flagged=is_flagged,
            leaves_after=leaves.isoformat() if leaves and is_flagged else "",
        )
    for record in records:  # the true side, and for the days of grace the wrong one
        day = days[record.id]
        if record.true:
            yield _make_entry_row(
                record.id, record.true, day, None, tag="correction", correction=True, confidence=_SURE
            )
        if record.said and record.id not in stale_names:
            wrong = {"status": "corrected", "corrected_by": record.id}
            yield _make_entry_row(f"{record.id}-was", record.said, day, day, **wrong)


_FACTS: Facts = {
    "status": "live",
    "file": "CORRECTIONS.md",
    "tag": "",
    "correction": False,
    "confidence": 0.0,
    "mention_count": 1,
    "corrected_by": "",
    "flagged": False,
    "leaves_after": "",
}
"""The metadata of an entry: all keys always, for Chroma keeps those that an update leaves out."""


def _make_entry_row(name: str, text: str, last: date | None, corrected_on: date | None, **facts: Fact) -> Row:
    """Return a row of the collection of entries, without secrets.

    Days are there as numbers, too: Chroma compares numbers alone, as in `{"last_seen_day": {"$lt": 20260601}}`.
    """
    text = redact(text)
    days: Facts = {
        "last_seen": last.isoformat() if last else "",
        "last_seen_day": int(f"{last:%Y%m%d}") if last else 0,
        "corrected_on": corrected_on.isoformat() if corrected_on else "",
    }
    text_hash = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return Row(name, (text,), {**_FACTS, "hash": text_hash, **days, **facts})


class Note(Struct, frozen=True):
    """The record of the last build: embedder, target, state of the index, size, and the scale of cosines.

    `measured` is the size for which the scale was measured.
    """

    form: str
    embedder: str
    dimension: int
    where: str
    state: str
    count: int
    scale: Scale
    measured: int


_ASKED_SECONDS, _BUILT_SECONDS = 3.0, 30.0


class Home(Struct, frozen=True):
    """The vectors of a workspace: the folder of Chroma, and the `name` of the collection.

    A linked working tree has its own, as it has an index.
    """

    workspace: Workspace
    chroma: Path
    name: str

    @classmethod
    def of(cls, workspace: Workspace) -> "Home":
        """Return the place of a workspace's vectors."""
        place = index.place(workspace)
        suffix = place.stem.removeprefix("index")
        name = _name_on_server(workspace, suffix) if vectors.is_remote() else "live"
        return cls(workspace, place.with_name(f"chroma{suffix}"), name)

    @contextlib.contextmanager
    def opened(self, *, wait: float, building: bool = False, of: str = "") -> Iterator[Vectors]:
        """Open the vectors, or a collection `of` others; others may keep them for `wait` seconds. Raises VectorsError.

        A folder that Chroma cannot use is thrown away: words answer alone until the next build.
        """
        name = f"{self.name}-{of}" if of else self.name
        try:
            with contextlib.ExitStack() as stack:
                if vectors.is_remote() and building:  # one process of this machine at a time writes
                    stack.enter_context(vectors.hold_vectors(self.chroma, wait))
                seconds = _BUILT_SECONDS if building else _ASKED_SECONDS
                yield stack.enter_context(vectors.open_collection(self.chroma, name, wait=wait, seconds=seconds))
        except DamagedError:  # which no server raises
            with vectors.hold_vectors(self.chroma, wait):
                vectors.delete_vectors(self.chroma)
            # Without this record no search asks for vectors before the next build.
            self.keep(None)
            raise

    def read_note(self) -> Note | None:
        """Return the record of the vectors; None if none were built to the end."""
        note = self.workspace.store.read_document(f"{_NOTE}{self.chroma.name}", Note)
        return note if note and note.form == FORM else None

    def keep(self, note: Note | None) -> None:
        """Record a build; None for none. What cannot be recorded is built anew."""
        with contextlib.suppress(ClawgitError):
            self.workspace.store.save_document(f"{_NOTE}{self.chroma.name}", note)

    def find_lack(self, model: Embedder) -> str | None:
        """Return why there are no vectors of a model to be asked."""
        note = self.read_note()
        if note is None:
            return f"none are built yet; {BUILD} builds them"
        if note.embedder != name_embedder(model):
            return f"they were made by {note.embedder}, not by {name_embedder(model)}; {BUILD} makes them anew"
        if note.where != _name_target():
            return f"they are kept elsewhere; {BUILD} builds them here"
        return None


_NOTE = "vectors-"


def _name_target() -> str:
    """Return a mark that differs for each server and for a folder, without its name."""
    url = os.environ.get(vectors.URL, "").strip()
    return sha256(url.encode()).hexdigest()[:12] if url else ""


def _name_on_server(workspace: Workspace, suffix: str) -> str:
    """Return the name of a workspace on a shared server; a copy of it elsewhere has another one."""
    server_id = workspace.store.read_document("vectors-id", str) or ""
    if not server_id:
        with contextlib.suppress(ClawgitError):
            workspace.store.save_document("vectors-id", server_id := os.urandom(16).hex())
    key_text = f"{server_id}\0{workspace.repo.commondir.resolve()}\0{suffix}"
    return f"clawgit-{sha256(os.fsencode(key_text)).hexdigest()[:32]}"


_AT_ONCE = 256
_PROBE_HITS = 200


def fill(
    collection: Vectors,
    rows: Mapping[str, Row],
    model: Embedder,
    dimension: int,
    progress: Progress | None = None,
    most: int | None = None,
) -> int:
    """Fill an open collection with exactly the wanted rows; return the number of rows without a vector.

    A row is embedded if the text of its name is new, of which at most `most` are. Raises EmbeddingError with the rows
    before it kept.
    """
    facts = collection.facts()
    collection.remove(sorted(facts.keys() - rows.keys()))
    changed = [row for row in rows.values() if facts.get(row.id) != row.facts]
    known_rows = [row for row in changed if facts.get(row.id, {}).get("hash") == row.facts["hash"]]
    collection.put([(row.id, (), row.facts) for row in known_rows])
    names = {row.id for row in known_rows}
    missing = [row for row in changed if row.id not in names]
    for start in range(0, len(missing[:most]), _AT_ONCE):
        if progress:
            progress(start, len(missing))
        embed_rows(collection, missing[:most][start : start + _AT_ONCE], model, dimension)
    return len(missing) - len(missing[:most])


def embed_rows(collection: Vectors, rows: Sequence[Row], model: Embedder, dimension: int) -> None:
    """Embed rows, and add them to a collection."""
    texts = list(dict.fromkeys(text for row in rows for text in row.texts))
    numbers = dict(zip(texts, model.embed([embedders.shorten(text, model.limit) for text in texts]), strict=True))
    size = len(numbers[texts[0]])
    if size != dimension:
        words = f"{name_embedder(model)} gave {size} numbers, not {dimension}"
        raise EmbeddingError("embedder-answer", words)
    new_vectors = [(row.id, embedders.mean([numbers[text] for text in row.texts]), row.facts) for row in rows]
    collection.put([vector for vector in new_vectors if any(vector[1])])  # what has no direction is near to nothing


def build_vectors(workspace: Workspace, *, force: bool = False, progress: Progress | None = None) -> Note | None:
    """Bring the vectors up to the index and today's entries, and return their record.

    None if CONFIG.md wants none; the model may be downloaded. Vectors are kept by embedder and text, those of an
    interrupted build too; `force` fills Chroma anew. Raises EmbeddingError if vectors cannot be made, VectorsError if
    they cannot be kept, ClawgitError for a bad value in CONFIG.md.
    """
    choice = str(workspace.config.value("embedder"))
    if not (choice and index.wants_vectors(workspace)):
        return None
    model, home = choose_embedder(choice, building=True), Home.of(workspace)
    with index.current(workspace) as opening:
        chunks = {row.id: row for row in list_chunks(opening.store)}
        state = opening.store.state
    dimension = len(model.embed([embedders.PROBE])[0])
    groups = {"": chunks, ENTRIES: {row.id: row for row in list_entries(workspace)}}
    write = partial(_write, home, groups, model, dimension, progress)
    try:
        count, scale, measured = write(force=force)
    except DamagedError:  # what was damaged is gone now
        count, scale, measured = write(force=True)
    note = Note(FORM, name_embedder(model), dimension, _name_target(), state, count, scale, measured)
    home.keep(note)
    return note


def _write(
    home: Home,
    groups: Mapping[str, Mapping[str, Row]],
    model: Embedder,
    dimension: int,
    progress: Progress | None,
    *,
    force: bool,
) -> tuple[int, Scale, int]:
    """Fill Chroma, with `force` anew; return how many texts of the index have a vector, and the scale of cosines."""
    note, name, scale, counts = home.read_note(), name_embedder(model), Scale(), list[int]()
    if force and not vectors.is_remote():
        with vectors.hold_vectors(home.chroma, _BUILD_WAIT):
            vectors.delete_vectors(home.chroma)
    for group, rows in groups.items():
        with home.opened(wait=_BUILD_WAIT, building=True, of=group) as collection:
            if not collection.open(name, dimension, create=True) or not collection.count() or force:
                home.keep(note := None)  # from here on nobody takes the old vectors for those of this model
                collection.remove(sorted(collection.facts()))  # of a server
            fill(collection, rows, model, dimension, progress)
            collection.near([1.0] * dimension, _PROBE_HITS)  # what nothing is written to was not read
            counts.append(collection.count())
            if not group and note and counts[0] < 2 * note.measured:
                scale, measured = note.scale, note.measured
            elif not group:
                measured = counts[0]
                sample = collection.read(sorted(rows)[: vectors.SAMPLE])
                scale = vectors.measure_scale(map(embedders.unit, model.embed(vectors.STRANGE)), sample)
    return counts[0], scale, measured


NEAREST = 200
"""Texts that a search by meaning looks at."""
_MAX_NEW_TEXTS = 64
"""Texts that a search embeds, for they are new: somebody waits."""
_ASK_WAIT, _BUILD_WAIT = 1.0, 10.0
"""Seconds that another process may go on with the vectors."""


class Like:
    """A search for similar texts; `lacking` is afterwards the part without vectors."""

    def __init__(self, home: Home, model: Embedder) -> None:
        self.home = home
        self.embedder = model
        self.lacking: str | None = None

    def __call__(self, store: Store, question: str) -> Mapping[str, float]:
        """Return how near texts of an index are, 0 to 1, by their hashes. Raises ClawgitError."""
        self.lacking = None
        plain = embedders.shorten(drop_speakers(question, store.voiced), self.embedder.limit)
        (vector,) = self.embedder.embed([plain])
        note = self.home.read_note()
        # A service may offer another model under the same name.
        if note is None or note.dimension != len(vector):
            had = f"{note.dimension} numbers" if note else "none"
            raise VectorsError("vectors-outdated", f"vectors have {had}, not {len(vector)}; {BUILD} rebuilds them")
        # A vector of zeros has no direction, so nothing is near to it.
        if not any(vector):
            return {}
        with self.home.opened(wait=_ASK_WAIT) as collection:
            if not collection.open(note.embedder, note.dimension):
                raise VectorsError("vectors-unavailable", f"none are built here; {BUILD} builds them", fix=BUILD)
            if store.state != note.state or collection.count() != note.count:
                self._catch_up(collection, store, note)
            cosines: dict[str, float] = {}
            for _, facts, cosine in collection.near(vector, NEAREST):
                # The best result comes first, so the first cosine of a text is its best.
                cosines.setdefault(str(facts["hash"]), note.scale.worth(cosine))
            return cosines

    def _catch_up(self, collection: Vectors, store: Store, note: Note) -> None:
        """Bring the vectors up to the index, as far as that is quick."""
        live = {row.id: row for row in list_chunks(store)}
        try:
            # An open folder is locked already, a collection on a server is not.
            with vectors.hold_vectors(self.home.chroma, 0) if vectors.is_remote() else contextlib.nullcontext():
                left, reason = fill(collection, live, self.embedder, note.dimension, most=_MAX_NEW_TEXTS), ""
        except LockedError:
            self.lacking = "another process is filling the vectors"
            return
        except EmbeddingError as exc:
            left, reason = len(live.keys() - collection.facts().keys()), f" ({exc.message})"
        if left:
            self.lacking = f"{left:,} of {len(live):,} texts have no vectors yet{reason}; {BUILD} makes them"
        else:
            self.home.keep(replace(note, state=store.state, count=collection.count()))


def find_like(workspace: Workspace) -> Like:
    """Return a search for similar texts. Raises ClawgitError if there is none."""
    choice = str(workspace.config.value("embedder"))
    model = warm.keep_warm("embedder", choice, lambda: choose_embedder(choice))
    home = Home.of(workspace)
    if reason := home.find_lack(model):
        raise VectorsError("vectors-unavailable", reason, fix=BUILD)
    return Like(home, model)


def find_lack(workspace: Workspace) -> str:
    """Return the missing part of a wanted search by meaning, which makes it; "" for none."""
    if not index.wants_vectors(workspace):
        return ""
    like = find_like(workspace)
    with index.current(workspace) as opening:
        like(opening.store, "memory")
    return like.lacking or ""
