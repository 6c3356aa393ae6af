"""Which embedder turns texts into vectors."""

from collections.abc import Mapping

from clawgit.errors import Command
from clawgit.search.embedding import DEFAULT, OPENAI, Embedder, EmbeddingError, MiniLM


def chosen_embedder(choice: str, environ: Mapping[str, str], *, hurry: bool, download: bool = False) -> Embedder:
    """Return the embedder that CONFIG.md names; `hurry` gives up early, `download` may fetch a model.

    Raises EmbeddingError when there is none, or what it needs is missing.
    """
    name, _, model = choice.partition(":")
    if name not in (DEFAULT, OPENAI):
        raise EmbeddingError("embedder-missing", "no embedder", fix=Command("clawgit config set embedder {}", DEFAULT))
    if name == DEFAULT:
        return MiniLM(download=download)
    from clawgit.search.embedding_endpoint import HASTY, PATIENT, Endpoint  # noqa: PLC0415 - loads httpx2

    return Endpoint.of(model, environ, HASTY if hurry else PATIENT)
