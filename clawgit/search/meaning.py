"""Builds vectors, and finds texts by their meaning."""

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date, timedelta
from functools import partial
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command
from clawgit.git import regular_file
from clawgit.language.iso_dates import parse_date
from clawgit.safety.redaction import redacted
from clawgit.search import embedder as embedders
from clawgit.search import index, vectors, warm
from clawgit.search.embedder import (
    Embedder,
    EmbeddingError,
    Source,
    VectorCache,
    chosen_embedder,
    name_embedder,
)
from clawgit.search.question_words import drop_speakers
from clawgit.search.refresh import Told
from clawgit.search.store import HASH, Store
from clawgit.search.vectors import DamagedError, Fact, Facts, LockedError, Scale, Vectors, VectorsError
from clawgit.text.correction import Correction
from clawgit.workspace import correction_records
from clawgit.workspace.memory_lines import list_bullets
from clawgit.workspace.workspace import Workspace

FORM = "4"
"""Grows when texts are put together otherwise: vectors of another form are no longer looked at."""
ENTRIES = "entries"
"""The collection of entries, beside that of the texts of the index."""
BUILD = Command("clawgit memory index")
SILENT = 60
"""Days without a mention after which an entry that was mentioned once is flagged (spec §5.5, 2 and 3)."""
_SURE = 1.0
"""Of a correction, always (spec §5.3)."""
_AROUND = 2
_ROWS = (
    "SELECT c.file, t.key, t.trail, t.text, t.chat FROM chunks c JOIN texts t ON t.id = c.doc ORDER BY c.file, c.nth"
)


class Row(Struct, frozen=True):
    """What is embedded under an id, and what Chroma is told of it: never a text.

    Of several texts the vector lies in the middle.
    """

    id: str
    texts: tuple[str, ...]
    facts: Facts


def list_chunks(store: Store) -> Iterator[Row]:
    """Yield what the live index says, repeats too.

    A turn of a conversation is embedded alone, and together with the two before and after it: alone, "yes, on Friday"
    means nothing.
    """
    for _, group in groupby(store.raw.execute(_ROWS), key=itemgetter(0)):
        rows = list(group)
        for at, (_, key, trail, text, chat) in enumerate(rows):
            alone = f"{trail}\n{text}" if trail and not chat else text
            around = "\n".join(row[3] for row in rows[max(at - _AROUND, 0) : at + _AROUND + 1] if row[4])
            if alone.strip():
                texts = (alone, around) if chat and around != alone else (alone,)
                name = key[:HASH].hex()
                said = "\0".join((name, *texts)).encode("utf-8", "surrogatepass")
                yield Row(sha256(said).hexdigest()[:32], texts, {"hash": name})


def list_entries(workspace: Workspace) -> Iterator[Row]:
    """Yield what the collection of entries is to hold today, by the files and the sidecar alone (spec §5.3, §5.5).

    Entries of the memory files and what corrections say; what these say was wrong, as `status: corrected`, for
    `corrected_embedding_grace_days`. An entry that was mentioned once, and not for sixty days, is `flagged`, and gone
    after the same days of grace: from this collection, not from its file. Raises ClawgitError for a bad value.
    """
    today, grace = workspace.now().date(), timedelta(int(workspace.config.value("corrected_embedding_grace_days")))
    records = [one.record for one in correction_records.list_records(workspace) if one.record.id]
    made = {one.id: parse_date(one.at[:10]) for one in records}
    rows = workspace.rows()
    files = {*workspace.memory_files, *(row.file for row in rows.values())}
    for one in (line for line in list_bullets(workspace) if line.path in files):
        by = rows[one.id].by if one.id in rows else ""
        day = made[by] if (refuted := one.status == "superseded" and by in made) else None
        is_silent = one.confidence < _SURE and one.mentions <= 1
        leaves = one.last + timedelta(SILENT) + grace if one.last and is_silent else None
        if not (_is_over(day, grace, today) or (leaves and today > leaves)):
            status = "corrected" if refuted else "superseded" if one.status == "superseded" else "live"
            known: dict[str, Fact] = {
                "tag": one.tag or "",
                "correction": by in made and not refuted,
                "confidence": round(one.confidence, 4),
                "mention_count": one.mentions,
                "corrected_by": by,
            }
            if leaves and today > leaves - grace:
                known |= {"flagged": True, "leaves_after": leaves.isoformat()}
            yield _make_row(one.id, redacted(one.text), status, one.path, one.last, day, known)
    for record in records:
        yield from _list_sides(record, made[record.id], grace, today)


def _list_sides(record: Correction, day: date | None, grace: timedelta, today: date) -> Iterator[Row]:
    """Yield what a correction says is so, and for the days of grace what it says was wrong."""
    where, right, wrong = "CORRECTIONS.md", redacted(record.true), redacted(record.said)
    if right:
        known: dict[str, Fact] = {"tag": "correction", "correction": True, "confidence": _SURE}
        yield _make_row(record.id, right, "live", where, day, None, known)
    if wrong and not _is_over(day, grace, today):
        yield _make_row(f"{record.id}-was", wrong, "corrected", where, day, day, {"corrected_by": record.id})


def _is_over(day: date | None, grace: timedelta, today: date) -> bool:
    """Return whether what was corrected on a day has been kept for long enough; of no known day it is kept."""
    return day is not None and today - day > grace


def _make_row(
    name: str, text: str, status: str, file: str, last: date | None, corrected: date | None, known: Facts
) -> Row:
    """Return a row of the collection of entries: all keys always, for Chroma keeps those that an update leaves out.

    Days are there as numbers, too: Chroma compares numbers alone, as in `{"last_seen_day": {"$lt": 20260601}}`.
    """
    facts: dict[str, Fact] = {
        "hash": embedders.hash_text(text).hex(),
        "tag": "",
        "correction": False,
        "status": status,
        "confidence": 0.0,
        "last_seen": last.isoformat() if last else "",
        "last_seen_day": int(f"{last:%Y%m%d}") if last else 0,
        "mention_count": 1,
        "file": file,
        "corrected_on": corrected.isoformat() if corrected else "",
        "corrected_by": "",
        "flagged": False,
        "leaves_after": "",
    }
    return Row(name, (text,), {**facts, **known})


class Note(Struct, frozen=True):
    """What was built last: by whom, where to, from which state of the index, how much, and what a cosine is worth."""

    form: str
    embedder: str
    dimension: int
    where: str
    state: str
    count: int
    scale: Scale


_ASKED_SECONDS, _BUILT_SECONDS = 3.0, 120.0


class Home(Struct, frozen=True):
    """The places of a workspace's vectors: the folder of Chroma, and the `place` of the note.

    `url` is that of a Chroma server, "" for a folder. A linked working tree has its own, as it has an index.
    """

    folder: Path
    chroma: Path
    place: Path
    name: str
    url: str

    @classmethod
    def of(cls, workspace: Workspace, environ: Mapping[str, str]) -> "Home":
        """Return where the vectors of a workspace are."""
        place = index.place(workspace)
        suffix = place.stem.removeprefix("index")
        url = environ.get(vectors.URL, "").strip()
        name = _name_on_server(workspace, suffix) if url else "live"
        folder = place.parent
        return cls(folder, folder / f"chroma{suffix}", folder / f"vectors{suffix}.json", name, url)

    @property
    def where(self) -> str:
        """What tells one server from another, and from a folder, without naming it."""
        return sha256(self.url.encode()).hexdigest()[:12] if self.url else ""

    def open_cache(self, of: Embedder) -> VectorCache:
        """Return the vectors that this embedder has made before."""
        return VectorCache(self.folder / "embeddings.db", of)

    @contextlib.contextmanager
    def opened(self, *, wait: float, building: bool = False, of: str = "") -> Iterator[Vectors]:
        """Open the vectors, or a collection `of` others; others may keep them for `wait` seconds. Raises VectorsError.

        A folder that Chroma cannot use is thrown away: words answer alone until the next build.
        """
        name = f"{self.name}-{of}" if of else self.name
        try:
            with contextlib.ExitStack() as stack:
                if self.url and building:  # one process of this machine at a time writes
                    stack.enter_context(vectors.held(self.chroma, wait))
                seconds = _BUILT_SECONDS if building else _ASKED_SECONDS
                served = vectors.server(self.url, name, seconds=seconds) if self.url else None
                yield stack.enter_context(served or vectors.folder(self.chroma, name, wait=wait))
        except DamagedError:  # which no server raises
            with vectors.held(self.chroma, wait):
                vectors.forget(self.chroma)
            self.keep(None)
            raise

    def note(self) -> Note | None:
        """Return what is noted about the vectors; None where none were built to the end."""
        known = regular_file.parse_state(self.place, Note)
        return known if known and known.form == FORM else None

    def keep(self, note: Note | None) -> None:
        """Note what was built; None that nothing is."""
        if note is None:
            self.place.unlink(missing_ok=True)
            return
        try:
            regular_file.save_state(self.place, note)
        except OSError as exc:
            raise VectorsError("file-unwritable", f"{self.folder} cannot be written to ({exc.strerror})") from exc

    def find_lack(self, model: Embedder) -> str | None:
        """Return why there are no vectors of a model to be asked."""
        note = self.note()
        if note is None:
            return f"none are built yet; {BUILD} builds them"
        if note.embedder != name_embedder(model):
            return f"they were made by {note.embedder}, not by {name_embedder(model)}; {BUILD} makes them anew"
        if note.where != self.where:
            return f"they are kept elsewhere; {BUILD} builds them here"
        return None


def _name_on_server(workspace: Workspace, suffix: str) -> str:
    """Return what a workspace is called on a server that others use too; a copy of it elsewhere is another one."""
    known = workspace.store.read_document("vectors-id", str) or ""
    if not known:
        with contextlib.suppress(ClawgitError):
            workspace.store.save_document("vectors-id", known := os.urandom(16).hex())
    said = f"{known}\0{workspace.repo.commondir.resolve()}\0{suffix}"
    return f"clawgit-{sha256(os.fsencode(said)).hexdigest()[:32]}"


_AT_ONCE = 256
_TRIED = 200
_SAME = 0.99


def fill(
    found: Vectors, wanted: Mapping[str, Row], source: Source, told: Told | None = None, most: int | None = None
) -> int:
    """Make an open collection hold what is wanted and nothing else; return how many rows go without a vector.

    At most so many rows are put in.
    """
    there = found.facts()
    found.remove(sorted(there.keys() - wanted.keys()))
    missing = [row for row in wanted.values() if there.get(row.id) != row.facts]
    some = missing[:most]
    left = len(missing) - len(some)
    for at in range(0, len(some), _AT_ONCE):
        if told:
            told(at, len(some))
        left += put(found, some[at : at + _AT_ONCE], source)
    return left


def put(found: Vectors, rows: Sequence[Row], source: Source) -> int:
    """Add rows to a collection; return how many go without a vector."""
    known = source.vectors(dict.fromkeys(text for row in rows for text in row.texts))
    whole = [row for row in rows if all(text in known for text in row.texts)]
    made = [(row.id, embedders.mean([known[text] for text in row.texts]), row.facts) for row in whole]
    found.put([one for one in made if any(one[1])])  # what has no direction is near to nothing
    return len(rows) - len(whole)


def build(
    workspace: Workspace,
    *,
    force: bool = False,
    environ: Mapping[str, str] = os.environ,
    embedder: Embedder | None = None,
    told: Told | None = None,
    wait: float = 10.0,
) -> Note | None:
    """Make the vectors those of the index and of the entries of today, and return what is noted about them.

    None where CONFIG.md wants none; the model may be downloaded. What an interrupted build made is there already;
    `force` fills Chroma anew; another process may have it for `wait` seconds. Raises EmbeddingError where vectors
    cannot be made, VectorsError where they cannot be kept, ClawgitError for a bad value in CONFIG.md.
    """
    choice = str(workspace.config.value("embedder"))
    if not (embedder or (choice and index.wants_vectors(workspace))):
        return None
    model = embedder or chosen_embedder(choice, environ, hurry=False, download=True)
    home = Home.of(workspace, environ)
    with index.current(workspace) as opened:
        chunks = {row.id: row for row in list_chunks(opened.store)}
        state = opened.store.state
    wanted = {"": chunks, ENTRIES: {row.id: row for row in list_entries(workspace)}}
    texts = [*dict.fromkeys(text for rows in wanted.values() for row in rows.values() for text in row.texts)]
    with closing(home.open_cache(model)) as cache:
        dimension, same = _probe(home, model, cache)
        source = Source(cache, model, dimension)
        source.vectors(texts, told)  # before Chroma is held: what is made stays made
        sample = source.vectors([chunks[name].texts[0] for name in sorted(chunks)[: vectors.SAMPLE]])  # by hashes
        strangers = source.vectors(vectors.STRANGE)
        scale = vectors.measure_scale(map(embedders.unit, strangers.values()), map(embedders.unit, sample.values()))
        write = partial(_write, home, wanted, source, force=force or not same, told=told, wait=wait)
        try:
            count = write()
        except DamagedError:  # what was damaged is gone now
            count = write()
        note = Note(FORM, name_embedder(model), dimension, home.where, state, count, scale)
        home.keep(note)
        cache.prune(map(embedders.hash_text, (*texts, embedders.PROBE, *vectors.STRANGE)))
        return note


def _probe(home: Home, model: Embedder, cache: VectorCache) -> tuple[int, bool]:
    """Return the dimension of a model, and whether it is the one that made the vectors before.

    What answers to a name may change: then those vectors are forgotten.
    """
    name = embedders.hash_text(embedders.PROBE)
    known = cache.get([name]).get(name)
    said = model.embed([embedders.PROBE])[0]
    if known and len(known) == len(said) and embedders.cosine(known, said) > _SAME:
        return len(said), True
    home.keep(None)  # first: from here on nobody takes the old vectors for those of this model
    if known:
        cache.forget()
    cache.put({name: said})
    return len(said), False


def _write(
    home: Home, wanted: Mapping[str, Mapping[str, Row]], source: Source, *, force: bool, told: Told | None, wait: float
) -> int:
    """Fill Chroma, with `force` anew; return how many texts of the index have a vector."""
    if force and not home.url:
        with vectors.held(home.chroma, wait):
            vectors.forget(home.chroma)
    counts = []
    for of, rows in wanted.items():
        with home.opened(wait=wait, building=True, of=of) as found:
            named = name_embedder(source.embedder), source.dimension
            if force or not found.open(*named):
                found.create(*named)
            fill(found, rows, source, told)
            found.near([1.0] * source.dimension, _TRIED)  # what nothing is written to was not read
            counts.append(found.count())
    return counts[0]


NEAREST = 200
"""Texts that a search by meaning looks at."""
_MADE = 64
"""Texts that a search embeds, for they are new: somebody waits."""
_PUT = 2000
"""Texts that a search puts into Chroma again."""
_ASK_WAIT = 1.0


class Like:
    """What a search takes to find texts that mean the like; `lacking` tells afterwards what had no vectors."""

    def __init__(self, home: Home, model: Embedder) -> None:
        self.home = home
        self.embedder = model
        self.lacking: str | None = None

    def __call__(self, store: Store, question: str) -> Mapping[str, float]:
        """Return how near texts of an index are, 0 to 1, by their hashes. Raises ClawgitError."""
        self.lacking = None
        plain = embedders.shorten(drop_speakers(question, store.voiced), self.embedder.limit)
        (asked,) = self.embedder.embed([plain])
        note = self.home.note()
        if note is None or note.dimension != len(asked):
            had = f"{note.dimension} numbers" if note else "none"
            raise VectorsError("vectors-outdated", f"vectors have {had}, not {len(asked)}; {BUILD} rebuilds them")
        if not any(asked):
            return {}
        with self.home.opened(wait=_ASK_WAIT) as found:
            there = found.open(note.embedder, note.dimension)
            if not there:
                found.create(note.embedder, note.dimension)
            if not there or store.state != note.state or found.count() != note.count:
                self._catch_up(found, store, note)
            cosines: dict[str, float] = {}
            for _, facts, cosine in found.near(asked, NEAREST):
                cosines.setdefault(str(facts["hash"]), note.scale.worth(cosine))
            return cosines

    def _catch_up(self, found: Vectors, store: Store, note: Note) -> None:
        """Bring the vectors up to the index, as far as that is quick."""
        live = {row.id: row for row in list_chunks(store)}
        try:
            held = vectors.held(self.home.chroma, 0) if self.home.url else contextlib.nullcontext()
            with held, closing(self.home.open_cache(self.embedder)) as cache:
                left = fill(found, live, Source(cache, self.embedder, note.dimension, _MADE), most=_PUT)
                why = ""
        except LockedError:
            self.lacking = "another process is filling the vectors"
            return
        except EmbeddingError as exc:
            left, why = len(live.keys() - found.facts().keys()), f" ({exc.message})"
        if left:
            self.lacking = f"{left:,} of {len(live):,} texts have no vectors yet{why}; {BUILD} makes them"
        else:
            self.home.keep(replace(note, state=store.state, count=found.count()))


def find_like(
    workspace: Workspace,
    tier: str | None = None,
    environ: Mapping[str, str] = os.environ,
    embedder: Embedder | None = None,
    told: Told | None = None,
) -> Like:
    """Return what finds texts that mean the like. Raises ClawgitError where that cannot be had."""
    choice = str(workspace.config.value("embedder"))
    model = embedder or warm.kept("embedder", choice, lambda: chosen_embedder(choice, environ, hurry=True))
    home = Home.of(workspace, environ)
    if tier == "enhanced" and home.find_lack(model):
        model.embed([embedders.PROBE])  # in a hurry, before the patience of a build begins
        build(workspace, environ=environ, embedder=embedder, told=told, wait=1)
    if reason := home.find_lack(model):
        raise VectorsError("vectors-unavailable", reason, fix=BUILD)
    return Like(home, model)


def find_lack(workspace: Workspace) -> str:
    """Return what a search by meaning lacks, where one is wanted: it makes one; "" for nothing."""
    if not index.wants_vectors(workspace):
        return ""
    like = find_like(workspace)
    with index.current(workspace) as opened:
        like(opened.store, "memory")
    return like.lacking or ""


class Near(Struct, frozen=True):
    """An entry that means the like of a text: its id, and their cosine."""

    id: str
    cosine: float


_MOST_NEAR, _HELD = 5, {"status": "live"}


def list_near_entries(
    workspace: Workspace,
    texts: Sequence[str],
    least: float,
    *,
    embedder: Embedder | None = None,
) -> dict[str, tuple[Near, ...]]:
    """Return for each text the entries that hold whose cosine with it is `least` or more, the nearest first.

    Nothing where CONFIG.md wants no vectors, or none are built. Raises ClawgitError where they cannot be read.
    """
    if not texts or not index.wants_vectors(workspace, chosen=embedder is not None):
        return {}
    model = embedder or chosen_embedder(str(workspace.config.value("embedder")), os.environ, hurry=True)
    home = Home.of(workspace, os.environ)
    note = home.note()
    if note is None or home.find_lack(model):
        return {}
    with closing(home.open_cache(model)) as cache:
        made = Source(cache, model, note.dimension).vectors(dict.fromkeys(texts))
    with home.opened(wait=_ASK_WAIT, of=ENTRIES) as found:
        if not found.open(note.embedder, note.dimension):
            return {}
        near = {text: found.near(vector, _MOST_NEAR, _HELD) for text, vector in made.items() if any(vector)}
    return {text: tuple(Near(name, far) for name, _, far in rows if far >= least) for text, rows in near.items()}
