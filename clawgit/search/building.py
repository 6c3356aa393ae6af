"""Builds the vectors of a workspace."""

import os
from collections.abc import Mapping
from contextlib import closing

from clawgit.search import calibration, embedding, filling, index, meaning, vectors
from clawgit.search.calibration import Scale
from clawgit.search.embedding import Embedder
from clawgit.search.embedding_cache import EmbeddingCache, text_hash
from clawgit.search.filling import Source
from clawgit.search.home import Home, Note
from clawgit.search.meaning import Meaning
from clawgit.search.refresh import Told
from clawgit.search.vectors import DamagedError, Vectors
from clawgit.workspace.workspace import Workspace

_WAIT = 10.0
_SAME = 0.99


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
    model = embedder or embedding.embedder(choice, environ, hurry=False, download=download)
    home = Home.of(workspace, environ)
    with index.current(workspace) as opened:
        live = {one.id: one for one in meaning.meanings(opened.store)}
        state = meaning.state(opened.store)
    with closing(home.cache(model)) as cache:
        dimension, same = _probed(home, model, cache)
        source = Source(cache, model, dimension)
        filling.embed(live, source, told)
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
                filling.fill(found, live, source, told)
                count = found.count()
        except DamagedError:
            if last or home.url:
                raise
            with vectors.held(home.chroma, wait):
                vectors.forget(home.chroma)
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
            texts = (*(text for one in live.values() for text in one.texts), embedding.PROBE, *calibration.STRANGE)
            source.cache.prune(map(text_hash, texts))
            return note
    raise AssertionError  # the second round returned or raised


def scale(live: Mapping[str, Meaning], source: Source) -> Scale:
    """Return what a cosine of this model is worth among these texts; their names are hashes, so some are a sample."""
    sample = [live[name].texts[0] for name in sorted(live)[: calibration.SAMPLE]]
    strangers, texts = source.vectors(calibration.STRANGE), source.vectors(sample)
    return calibration.scale(list(strangers.values()), texts.values())


def _made(found: Vectors, model: Embedder, dimension: int, *, anew: bool) -> None:
    """Open the collection of this model; one of another is taken away."""
    if anew or not found.open(model.fingerprint, dimension):
        found.create(embedding.named(model), model.fingerprint, dimension)
