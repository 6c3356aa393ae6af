"""Chroma's default embedder: MiniLM on this machine."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from clawgit.errors import quoted
from clawgit.search import embedding, vectors
from clawgit.search.embedding import DEFAULT, EmbeddingError, Vector

_BATCH = 32
_WHOSE = "the default embedder"
_FILES = (
    "config.json",
    "model.onnx",
    "special_tokens_map.json",
    "tokenizer_config.json",
    "tokenizer.json",
    "vocab.txt",
)


class MiniLM:
    """Chroma's all-MiniLM-L6-v2, loaded when first asked; fetched only where `download` allows it."""

    name = DEFAULT
    model = "all-MiniLM-L6-v2"
    limit = 256
    dimension = 384

    def __init__(self, *, download: bool = False) -> None:
        self._download = download

    @property
    def fingerprint(self) -> str:
        """What tells this model's vectors from another's."""
        return embedding.fingerprint(self.name, self.model)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text.

        Texts of like length go together, padded to the longest of them: Chroma pads each to 256 tokens, which takes
        ten times as long and changes nothing.
        """
        if not texts:
            return []
        run = self._loaded
        sizes = [len(one.ids) for one in run.tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(texts)), key=sizes.__getitem__)
        found: dict[int, object] = {}
        for at in range(0, len(order), _BATCH):
            some = order[at : at + _BATCH]
            run.tokenizer.enable_padding(pad_id=0, length=sizes[some[-1]])
            found |= zip(some, run([texts[one] for one in some]), strict=True)
            run.tokenizer.no_padding()
        return embedding.checked([found[at] for at in range(len(texts))], len(texts), self.dimension, _WHOSE)

    @cached_property
    def _loaded(self) -> Any:
        """The model with its tokenizer. Raises EmbeddingError where it is missing or broken."""
        run = vectors.minilm()
        folder = Path(run.DOWNLOAD_PATH) / run.EXTRACTED_FOLDER_NAME
        if not all((folder / name).is_file() for name in _FILES):
            self._fetch(run)
        try:
            run.tokenizer.no_padding()
            run.model  # noqa: B018 - loads it
        except Exception as exc:
            raise EmbeddingError(
                f"the model of {_WHOSE} in {folder} is damaged", fix=f"rm -r {quoted(folder)} && clawgit memory index"
            ) from exc
        return run

    def _fetch(self, run: Any) -> None:
        if not self._download:
            raise EmbeddingError(
                f"the model of {_WHOSE} is not on this machine; clawgit memory index downloads it",
                fix="clawgit memory index",
            )
        try:
            run._download_model_if_not_exists()  # noqa: SLF001 - the only way that there is
        except Exception as exc:
            raise EmbeddingError(
                f"the model of {_WHOSE} cannot be downloaded ({type(exc).__name__}): is there a network?",
                fix="clawgit memory index, once there is a network; or clawgit config set embedder openai:MODEL",
            ) from exc
