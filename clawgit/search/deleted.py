"""Answers from lines that are gone."""

from collections.abc import Iterable

from msgspec.structs import replace

from clawgit.search import changes, corpus, index, past, recall
from clawgit.search.answer import Answer, Hit, Query
from clawgit.search.blocks import unmarked
from clawgit.search.rank import Ranked
from clawgit.search.refresh import Told
from clawgit.search.withheld import without_unapproved
from clawgit.text.promoted import without_scores
from clawgit.workspace.workspace import Workspace


def search(workspace: Workspace, query: Query, told: Told | None = None) -> Answer:
    """Return lines that commits took away and that stand nowhere any more, neither in HEAD nor on disk.

    `commit` of a hit is the last one that had them: `clawgit restore PATH --as-of COMMIT` brings the file back.
    """
    rules = recall.rules(workspace, query, aging=False)
    most = recall.most(workspace, query)
    with changes.of(workspace, "taken", told) as (store, degraded):
        ranked, found, _ = recall.answers(store, query, rules, today=workspace.now().date())
    standing = _standing(workspace) if ranked else frozenset()
    hits: list[Hit] = []
    for one in ranked:
        hit = _hit(one, standing, query)
        if hit and len(hits) < most:
            hits.append(hit)
    shown = without_unapproved(workspace, hits, gone=True)
    return Answer(shown, degraded=degraded, commit=workspace.head, repaired=found.repaired, stems=found.stems)


def _standing(workspace: Workspace) -> frozenset[str]:
    """Return all lines in scope that stand in HEAD or on disk, without their markers."""
    more = index.memory_files(workspace)
    now = [*corpus.sources(workspace.root, more)]
    committed = past.sources(workspace.repo, workspace.head, more) if workspace.head else ()
    texts = (corpus.text(found[0]) for source in (*now, *committed) if (found := source.read()))
    return frozenset(said for text in texts for line in text.split("\n") if (said := _said(line)))


def _said(line: str) -> str:
    return " ".join(unmarked(line.rstrip("\r")).split())


def _hit(one: Ranked, standing: Iterable[str], query: Query) -> Hit | None:
    """Return the first lines of a place that are gone; None when all of them stand somewhere."""
    where = changes.moment(one.place.path)
    lines = one.place.text.split("\n")
    gone = [bool(said) and said not in standing for said in map(_said, lines)]
    if True not in gone:
        return None
    first = gone.index(True)
    last = next((at for at in range(first, len(lines)) if not gone[at]), len(lines))
    text = "\n".join(lines[first:last])
    start = where.line + one.place.start - 1
    whole = one.place.end - one.place.start + 1 == len(lines)
    span = (start + first, start + last - 1) if whole else (start, where.line + one.place.end - 1)
    found = recall.hit(one, where.holder, query)
    return replace(
        found,
        path=where.path,
        start=span[0],
        end=span[1],
        snippet=recall.snippet(without_scores(text)),
        text=text,
        gone=True,
    )
