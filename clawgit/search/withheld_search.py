"""Searches withheld lines, in an index of their own.

So nothing that they say changes what is found of the rest, or how it ranks.
"""

from collections.abc import Mapping
from functools import partial
from itertools import islice

from msgspec.structs import replace

from clawgit.search import corpus, recall, withheld_lines
from clawgit.search.answer import Answer, Query
from clawgit.search.corpus import Source, Stamp
from clawgit.search.index import fresh, place, sizes
from clawgit.workspace import untrusted_sessions
from clawgit.workspace.untrusted_sessions import Copy
from clawgit.workspace.workspace import Workspace

MAX_HITS = 5


def beside(workspace: Workspace, answer: Answer, query: Query) -> Answer:
    """Return an answer with withheld lines that answer, too, behind all others and marked as not trusted."""
    withheld = untrusted_sessions.list_withheld(workspace)
    if not withheld:
        return answer
    sources = [Source(path, None, partial(_read_withheld, workspace, path, withheld)) for path in sorted(withheld)]
    with fresh(place(workspace).with_name("withheld.db"), lambda: sources, sizes=sizes(workspace)) as index:
        ranked, found, _ = recall.answers(index.store, query, recall.rules(workspace, query, aging=False))
        shown = islice(recall.without_refuted(workspace, ranked), MAX_HITS)
        hits = tuple(replace(recall.hit(one, None, query, found), trusted=False) for one in shown)
    return replace(answer, results=(*answer.results, *hits))


def _read_withheld(
    workspace: Workspace, path: str, withheld: Mapping[str, frozenset[Copy]]
) -> "tuple[bytes, Stamp | None] | None":
    found = corpus.read(f"{workspace.root}/{path}")
    return found and (withheld_lines.blank(found[0], withheld[path], withheld=True), None)
