"""Answers by what is meant, beside the words."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.search import recall, warm
from clawgit.search.answer import Answer, Query
from clawgit.search.index import Sources
from clawgit.search.refresh import Told
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:  # what only vectors need is loaded where they are wanted
    from clawgit.search.embedding import Embedder
    from clawgit.search.home import Home
    from clawgit.search.like import Like


@dataclass(frozen=True, slots=True)
class State:
    """How the vectors stand: `tier` is what a search uses; `lacking` tells why it is not what is wanted."""

    tier: str
    embedder: str | None = None
    vectors: int = 0
    fresh: bool = False
    lacking: str | None = None


def search(
    workspace: Workspace,
    query: Query,
    tier: str | None = None,
    *,
    environ: Mapping[str, str] = os.environ,
    embedder: "Embedder | None" = None,
    told: Told | None = None,
    more: Sources | None = None,
) -> Answer:
    """Return what the files say to a question, by words and, as far as it can be had, by meaning.

    `tier` is `core` or `enhanced`, None leaves it to CONFIG.md. Asked for by name, vectors that are missing are built;
    nothing is downloaded. Whatever fails leaves Core's answer, with the reason in `degraded`.
    """
    try:
        like = chosen(workspace, tier, environ, embedder, told)
    except ClawgitError as exc:
        return recall.search(workspace, query, told=told, more=more, without=f"vectors: {exc.message}")
    answer = recall.search(workspace, query, like, told=told, more=more)
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
    from clawgit.search import building, embedding  # noqa: PLC0415 - see above
    from clawgit.search.home import Home  # noqa: PLC0415
    from clawgit.search.like import BUILD, Like  # noqa: PLC0415
    from clawgit.search.vectors import VectorsError  # noqa: PLC0415

    model = embedder or warm.kept("embedder", choice, lambda: embedding.embedder(choice, environ, hurry=True))
    home = Home.of(workspace, environ)
    if tier == "enhanced" and lacking(home, model):
        model.embed([embedding.PROBE])  # in a hurry, before the patience of a build begins
        building.build(workspace, environ=environ, embedder=embedder, told=told, wait=1)
    if reason := lacking(home, model):
        raise VectorsError(reason, fix=BUILD)
    return Like(home, model)


def lacking(home: "Home", model: "Embedder") -> str | None:
    """Return why there are no vectors to be asked."""
    from clawgit.search.building import named  # noqa: PLC0415 - see above
    from clawgit.search.like import BUILD  # noqa: PLC0415

    note = home.note()
    if note is None:
        return f"none are built yet; {BUILD} builds them"
    if note.fingerprint != model.fingerprint:
        return f"they were made by {note.embedder}, not by {named(model)}; {BUILD} makes them anew"
    if note.where != home.where:
        return f"they are kept elsewhere; {BUILD} builds them here"
    return None


def build(
    workspace: Workspace,
    *,
    force: bool = False,
    environ: Mapping[str, str] = os.environ,
    told: Told | None = None,
) -> None:
    """Build the vectors where CONFIG.md names an embedder; its model may be downloaded. Raises ClawgitError."""
    if workspace.config.value("embedder") and workspace.config.value("search_tier") != "core":
        from clawgit.search import building  # noqa: PLC0415 - see above

        building.build(workspace, force=force, download=True, environ=environ, told=told)


def state(workspace: Workspace, environ: Mapping[str, str] = os.environ) -> State:
    """Return how the vectors stand, as it is noted: neither Chroma nor the embedder is asked."""
    wanted, choice = str(workspace.config.value("search_tier")), str(workspace.config.value("embedder"))
    if wanted == "core" or (wanted == "auto" and not choice):
        return State("core", choice or None)
    from clawgit.search import embedding  # noqa: PLC0415 - see above
    from clawgit.search.home import Home  # noqa: PLC0415
    from clawgit.search.like import Like  # noqa: PLC0415

    try:
        model = embedding.embedder(choice, environ, hurry=True)
        home = Home.of(workspace, environ)
        reason, note = lacking(home, model), home.note()
    except ClawgitError as exc:
        return State("core", choice or None, lacking=f"vectors: {exc.message}")
    if reason or note is None:
        return State("core", choice, lacking=f"vectors: {reason}")
    return State("enhanced", choice, note.count, Like(home, model).fresh(note))
