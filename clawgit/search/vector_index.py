"""The vectors of a workspace."""

import contextlib
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import regular_file
from clawgit.search import embedding, embedding_cache, index, vectors
from clawgit.search.embedder_choice import chosen_embedder
from clawgit.search.embedding import Embedder, Scale, Vector
from clawgit.search.embedding_cache import EmbeddingCache, text_hash
from clawgit.search.refresh import Told
from clawgit.search.store import HASH, Store
from clawgit.search.vectors import DamagedError, Kept, Vectors, VectorsError
from clawgit.text import tokens
from clawgit.workspace.workspace import Workspace

FORM = "3"
"""Grows when texts are put together otherwise: vectors of another form are no longer looked at."""

_AROUND = 2
_WORD = re.compile(r"([^\W\d_]+)(?:['\u2019]s)?\b")
_ROWS = "SELECT c.file, d.key, d.trail, d.text, d.chat FROM chunks c JOIN docs d ON d.id = c.doc ORDER BY c.file, c.nth"


class Meaning(Struct, frozen=True):
    """A text of the index, by its hash, and what is embedded of it; the vector lies in the middle."""

    hash: str
    texts: tuple[str, ...]

    @property
    def id(self) -> str:
        """What names the vector."""
        said = "\0".join((FORM, self.hash, *self.texts))
        return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def meanings(store: Store) -> Iterator[Meaning]:
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
                yield Meaning(key[:HASH].hex(), (alone, around) if chat and around != alone else (alone,))


def unnamed(question: str, store: Store) -> str:
    """Return a question without the names of who speaks in conversations, where anything is left of it.

    Half of the lines have the name, and its vector is near to theirs whatever they say: on conversations without it
    vectors alone found .78 of the evidence, with it .71.
    """
    left = _WORD.sub(lambda word: "" if store.voiced([word[1].lower()]) else word[0], question)
    return " ".join(left.split()) if _WORD.search(left) else question


def state_of(store: Store) -> str:
    """Return what tells one state of the index from every other: the files, their bytes, and how they are cut."""
    known = sha256(f"{FORM}\0{store.get('sizes') or ''}".encode())
    for path, blob in store.raw.execute("SELECT path, blob FROM files ORDER BY path"):
        known.update(f"{path}\0{blob}\0".encode())
    return known.hexdigest()[:32]


_ASKED = 3.0
_BUILT = 120.0


class Note(Struct, frozen=True):
    """What was built last: by whom, where to, from which state of the index, how much, and what a cosine is worth."""

    embedder: str
    fingerprint: str
    dimension: int
    where: str
    state: str
    count: int
    middle: float
    bar: float


class _Noted(Struct, frozen=True):
    form: str
    vectors: Note


class Home(Struct, frozen=True):
    """The places of a workspace's vectors; `url` is that of a Chroma server, "" for a folder."""

    folder: Path
    suffix: str
    name: str
    url: str

    @classmethod
    def of(cls, workspace: Workspace, environ: Mapping[str, str]) -> "Home":
        """Return where the vectors of a workspace are; a linked working tree has its own, as it has an index."""
        place = index.place(workspace)
        suffix = place.stem.removeprefix("index")
        url = environ.get(vectors.URL, "").strip()
        name = _name(workspace, suffix) if url else "live"
        return cls(place.parent, suffix, name, url)

    @property
    def index(self) -> Path:
        """Core's index, which tells what is live."""
        return self.folder / f"index{self.suffix}.db"

    @property
    def chroma(self) -> Path:
        """The folder that is Chroma's."""
        return self.folder / f"chroma{self.suffix}"

    @property
    def where(self) -> str:
        """What tells one server from another, and from a folder, without naming it."""
        return sha256(self.url.encode()).hexdigest()[:12] if self.url else ""

    def cache(self, of: Embedder) -> EmbeddingCache:
        """Return the vectors that this embedder has made before."""
        return EmbeddingCache(self.folder / embedding_cache.NAME, of.name, of.model)

    @contextlib.contextmanager
    def opened(self, *, wait: float, building: bool = False, of: str = "") -> Iterator[Vectors]:
        """Open the vectors, or a collection `of` others; others may keep them for `wait` seconds. Raises VectorsError.

        A folder that Chroma cannot use is thrown away: words answer alone until the next build.
        """
        name = f"{self.name}-{of}" if of else self.name
        here = vectors.folder(self.chroma, name, wait=wait)
        try:
            with self._served(name, wait, building=building) if self.url else here as found:
                yield found
        except DamagedError:  # which no server raises
            with vectors.held(self.chroma, wait):
                vectors.forget(self.chroma)
            self.keep(None)
            raise

    @contextlib.contextmanager
    def _served(self, name: str, wait: float, *, building: bool) -> Iterator[Vectors]:
        """Talk to the server; one process of this machine at a time writes."""
        seconds = _BUILT if building else _ASKED
        with contextlib.ExitStack() as stack:
            if building:
                stack.enter_context(vectors.held(self.chroma, wait))
            yield stack.enter_context(vectors.server(self.url, name, seconds=seconds))

    @property
    def _note(self) -> Path:
        return self.folder / f"vectors{self.suffix}.json"

    def note(self) -> Note | None:
        """Return what is noted about the vectors; None where none were built to the end."""
        known = regular_file.parse_state(self._note, _Noted)
        return known.vectors if known and known.form == FORM else None

    def keep(self, note: Note | None) -> None:
        """Note what was built; None that nothing is."""
        if note is None:
            self._note.unlink(missing_ok=True)
            return
        try:
            regular_file.save_state(self._note, _Noted(FORM, note))
        except OSError as exc:
            raise VectorsError("file-unwritable", f"{self.folder} cannot be written to ({exc.strerror})") from exc


def _name(workspace: Workspace, suffix: str) -> str:
    """Return what a workspace is called on a server that others use too; a copy of it elsewhere is another one."""
    known = workspace.store.read_document("vectors-id", str) or ""
    if not known:
        with contextlib.suppress(ClawgitError):
            workspace.store.save_document("vectors-id", known := os.urandom(16).hex())
    said = f"{known}\0{workspace.repo.commondir.resolve()}\0{suffix}"
    return f"clawgit-{sha256(os.fsencode(said)).hexdigest()[:32]}"


_AT_ONCE = 256
_ROOM = 0.9
"""Of what an embedder takes: tokens are estimated."""


class Source(Struct, frozen=True):
    """Where vectors come from: made before, or made now."""

    cache: EmbeddingCache
    embedder: Embedder
    dimension: int

    def vectors(self, texts: Collection[str], most: int | None = None) -> Mapping[str, Vector]:
        """Return vectors by text; at most so many are made. Raises EmbeddingError with those before it kept."""
        names = {text: text_hash(text) for text in texts}
        known = self.cache.get(names.values(), self.dimension)
        missing = [text for text, name in names.items() if name not in known]
        wanted = missing[:most]
        for at in range(0, len(wanted), _AT_ONCE):
            some = wanted[at : at + _AT_ONCE]
            made = dict(zip((names[text] for text in some), self._made(some), strict=True))
            self.cache.put(made)
            known |= made
        return {text: known[name] for text, name in names.items() if name in known}

    def _made(self, texts: Sequence[str]) -> list[Vector]:
        pieces = [embedding.cut(text, int(self.embedder.limit * _ROOM), tokens.count) for text in texts]
        made = iter(self.embedder.embed([piece for some in pieces for piece in some]))
        return [embedding.mean(list(islice(made, len(some)))) for some in pieces]


def embed(live: Mapping[str, Meaning], source: Source, told: Told | None = None) -> None:
    """Make every vector that is missing, and keep it: what is made stays made when this is interrupted."""
    texts = list(dict.fromkeys(text for one in live.values() for text in one.texts))
    for at in range(0, len(texts), _AT_ONCE):
        if told:
            told(at, len(texts))
        source.vectors(texts[at : at + _AT_ONCE])


def fill(found: Vectors, live: Mapping[str, Meaning], source: Source, told: Told | None = None) -> None:
    """Make an open collection hold what is live and nothing else."""
    missing = without_vectors(found, live)
    for at in range(0, len(missing), _AT_ONCE):
        if told:
            told(at, len(missing))
        put(found, missing[at : at + _AT_ONCE], source)


def without_vectors(found: Vectors, live: Mapping[str, Meaning]) -> list[Meaning]:
    """Take out of a collection what is no longer live, and return what it lacks."""
    there = found.ids()
    found.remove(sorted(there - live.keys()))
    return [one for name, one in live.items() if name not in there]


def put(found: Vectors, some: Sequence[Meaning], source: Source, most: int | None = None) -> int:
    """Add vectors, of which at most so many are made now; return how many texts go without."""
    known = source.vectors(dict.fromkeys(text for one in some for text in one.texts), most)
    whole = [one for one in some if all(text in known for text in one.texts)]
    made = [Kept(one.id, one.hash, embedding.mean([known[text] for text in one.texts])) for one in whole]
    found.put([one for one in made if any(one.vector)])  # what has no direction is near to nothing
    return len(some) - len(whole)


_WAIT = 10.0
_SAME = 0.99
_TRIED = 200


def build(
    workspace: Workspace,
    *,
    force: bool = False,
    download: bool = False,
    environ: Mapping[str, str] = os.environ,
    embedder: Embedder | None = None,
    told: Told | None = None,
    wait: float = _WAIT,
) -> Note | None:
    """Make the vectors be those of the live index, and return what is noted about them; None without an embedder.

    What an interrupted build made is there already; `force` fills Chroma anew; another process may have it for `wait`
    seconds. Raises EmbeddingError when they cannot
    be made, VectorsError when they cannot be kept.
    """
    choice = str(workspace.config.value("embedder"))
    if embedder is None and not choice:
        return None
    model = embedder or chosen_embedder(choice, environ, hurry=False, download=download)
    home = Home.of(workspace, environ)
    with index.current(workspace) as opened:
        live = {meaning.id: meaning for meaning in meanings(opened.store)}
        state = state_of(opened.store)
    with closing(home.cache(model)) as cache:
        dimension, same = _probed(home, model, cache)
        source = Source(cache, model, dimension)
        embed(live, source, told)
        return _kept(home, model, live, source, state, force=force or not same, told=told, wait=wait)


def _probed(home: Home, model: Embedder, cache: EmbeddingCache) -> tuple[int, bool]:
    """Return the dimension of a model, and whether it is the one that made the vectors before.

    What answers to a name may change: then those vectors are forgotten.
    """
    name = text_hash(embedding.PROBE)
    known = cache.get([name]).get(name)
    said = model.embed([embedding.PROBE])[0]
    if known and len(known) == len(said) and embedding.cosine(known, said) > _SAME:
        return len(said), True
    home.keep(None)  # first: from here on nobody takes the old vectors for those of this model
    if known:
        cache.forget()
    cache.put({name: said})
    return len(said), False


def _kept(
    home: Home,
    model: Embedder,
    live: Mapping[str, Meaning],
    source: Source,
    state: str,
    *,
    force: bool,
    told: Told | None,
    wait: float,
) -> Note:
    """Fill Chroma; a folder that it cannot use is thrown away."""
    if force and not home.url:
        with vectors.held(home.chroma, wait):
            vectors.forget(home.chroma)
    for last in (False, True):
        try:
            with home.opened(wait=wait, building=True) as found:
                _made(found, model, source.dimension, anew=force)
                fill(found, live, source, told)
                count = found.count()
                found.near([1.0] * source.dimension, _TRIED)  # what nothing is written to was not read
        except DamagedError:
            if last:
                raise
        else:
            known = scale(live, source)
            note = Note(
                embedding.named(model),
                model.fingerprint,
                source.dimension,
                home.where,
                state,
                count,
                known.middle,
                known.bar,
            )
            home.keep(note)
            texts = (*(text for one in live.values() for text in one.texts), embedding.PROBE, *embedding.STRANGE)
            source.cache.prune(map(text_hash, texts))
            return note
    raise AssertionError  # the second round returned or raised


def scale(live: Mapping[str, Meaning], source: Source) -> Scale:
    """Return what a cosine of this model is worth among these texts; their names are hashes, so some are a sample."""
    sample = [live[name].texts[0] for name in sorted(live)[: embedding.SAMPLE]]
    strangers, texts = source.vectors(embedding.STRANGE), source.vectors(sample)
    return embedding.scale(list(strangers.values()), texts.values())


def _made(found: Vectors, model: Embedder, dimension: int, *, anew: bool) -> None:
    """Open the collection of this model; one of another is taken away."""
    if anew or not found.open(model.fingerprint, dimension):
        found.create(embedding.named(model), model.fingerprint, dimension)
