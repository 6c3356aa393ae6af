"""Answers by what is meant, beside the words."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.search import recall, warm
from clawgit.search.answer import Answer, Query
from clawgit.search.embedder_choice import chosen_embedder
from clawgit.search.index import Sources
from clawgit.search.refresh import Told
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.search.embedding import Embedder
    from clawgit.search.similar_texts import Like


def search(
    workspace: Workspace,
    query: Query,
    tier: str | None = None,
    *,
    environ: Mapping[str, str] = os.environ,
    embedder: "Embedder | None" = None,
    told: Told | None = None,
    sessions: Sources | None = None,
) -> Answer:
    """Return what the files say to a question, by words and, as far as it can be had, by meaning.

    `tier` is `core` or `enhanced`, None leaves it to CONFIG.md. Asked for by name, vectors that are missing are built;
    nothing is downloaded. Whatever fails leaves Core's answer, with the reason in `degraded`. `sessions` are as in
    `recall.search`.
    """
    try:
        like = chosen(workspace, tier, environ, embedder, told)
    except ClawgitError as exc:
        return recall.search(workspace, query, told=told, sessions=sessions, without=f"vectors: {exc.message}")
    answer = recall.search(workspace, query, like, told=told, sessions=sessions)
    if like is None or answer.mode != "enhanced":
        return answer
    degraded = "; ".join(filter(None, (answer.degraded, like.lacking))) or None
    return replace(answer, provider=like.embedder.name, model=like.embedder.model, degraded=degraded)


def chosen(
    workspace: Workspace,
    tier: str | None = None,
    environ: Mapping[str, str] = os.environ,
    embedder: "Embedder | None" = None,
    told: Told | None = None,
) -> "Like | None":
    """Return what finds texts that mean the like; None where words alone are wanted.

    Raises ClawgitError where vectors are wanted and cannot be had.
    """
    choice = str(workspace.config.value("embedder"))
    wanted = tier or str(workspace.config.value("search_tier"))
    if wanted == "core" or (wanted == "auto" and not choice and embedder is None):
        return None
    from clawgit.search import embedding, vector_index  # noqa: PLC0415 - see above
    from clawgit.search.similar_texts import BUILD, Like, lacking  # noqa: PLC0415
    from clawgit.search.vector_index import Home  # noqa: PLC0415
    from clawgit.search.vectors import VectorsError  # noqa: PLC0415

    model = embedder or warm.kept("embedder", choice, lambda: chosen_embedder(choice, environ, hurry=True))
    home = Home.of(workspace, environ)
    if tier == "enhanced" and lacking(home, model):
        model.embed([embedding.PROBE])  # in a hurry, before the patience of a build begins
        vector_index.build(workspace, environ=environ, embedder=embedder, told=told, wait=1)
    if reason := lacking(home, model):
        raise VectorsError("vectors-unavailable", reason, fix=BUILD)
    return Like(home, model)


def build(
    workspace: Workspace,
    *,
    force: bool = False,
    environ: Mapping[str, str] = os.environ,
    told: Told | None = None,
) -> None:
    """Build the vectors where CONFIG.md names an embedder; its model may be downloaded. Raises ClawgitError."""
    if workspace.config.value("embedder") and workspace.config.value("search_tier") != "core":
        from clawgit.search import entry_vectors, vector_index  # noqa: PLC0415 - see above

        model = chosen_embedder(str(workspace.config.value("embedder")), environ, hurry=False, download=True)
        vector_index.build(workspace, force=force, environ=environ, embedder=model, told=told)
        entry_vectors.build(workspace, model, environ=environ)


def find_lack(workspace: Workspace, environ: Mapping[str, str] = os.environ) -> str:
    """Return what a search by meaning lacks, where one is wanted: it makes one; "" for nothing."""
    if like := chosen(workspace, environ=environ):
        like("memory", recall.NEAREST)
        return str(like.lacking or "")
    return ""
