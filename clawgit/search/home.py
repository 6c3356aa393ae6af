"""Where a workspace's vectors are: places, notes."""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path

from msgspec import Struct, to_builtins

from clawgit.search import embedding_cache, index, vectors
from clawgit.search.embedding import Embedder
from clawgit.search.embedding_cache import EmbeddingCache
from clawgit.search.meaning import FORM
from clawgit.search.vectors import Vectors, VectorsError
from clawgit.workspace.workspace import Workspace

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

    def opened(self, *, wait: float, building: bool = False) -> AbstractContextManager[Vectors]:
        """Open the vectors; others may keep them for `wait` seconds. Raises VectorsError."""
        if not self.url:
            return vectors.folder(self.chroma, self.name, wait=wait)
        return self._served(wait, building=building)

    @contextlib.contextmanager
    def _served(self, wait: float, *, building: bool) -> Iterator[Vectors]:
        """Talk to the server; one process of this machine at a time writes."""
        seconds = _BUILT if building else _ASKED
        with contextlib.ExitStack() as stack:
            if building:
                stack.enter_context(vectors.held(self.chroma, wait))
            yield stack.enter_context(vectors.server(self.url, self.name, seconds=seconds))

    @property
    def _note(self) -> Path:
        return self.folder / f"vectors{self.suffix}.json"

    def note(self) -> Note | None:
        """Return what is noted about the vectors; None where none were built to the end."""
        try:
            said = json.loads(self._note.read_bytes())
            return Note(**said["vectors"]) if said["form"] == FORM else None
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def keep(self, note: Note | None) -> None:
        """Note what was built; None that nothing is."""
        if note is None:
            self._note.unlink(missing_ok=True)
            return
        fresh = self._note.with_name(f"{self._note.name}.{os.getpid()}")
        try:
            fresh.write_text(json.dumps({"form": FORM, "vectors": to_builtins(note)}), "utf-8")
            fresh.replace(self._note)
        except OSError as exc:
            raise VectorsError(f"{self.folder} cannot be written to ({exc.strerror})") from exc


def _name(workspace: Workspace, suffix: str) -> str:
    """Return what a workspace is called on a server that others use too; a copy of it elsewhere is another one."""
    place = workspace.state / "vectors-id"
    known = ""
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            place.write_text(os.urandom(16).hex(), "ascii")
        known = place.read_text("utf-8", "replace")
    said = f"{known}\0{workspace.repo.commondir.resolve()}\0{suffix}"
    return f"clawgit-{sha256(os.fsencode(said)).hexdigest()[:32]}"
