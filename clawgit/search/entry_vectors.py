"""The vectors of entries, with what is known of each."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date, timedelta

from msgspec import Struct

from clawgit.language.iso_dates import parse_date
from clawgit.safety.redaction import redacted
from clawgit.search.embedder_choice import chosen_embedder
from clawgit.search.embedding import Embedder
from clawgit.search.embedding_cache import text_hash
from clawgit.search.similar_texts import lacking
from clawgit.search.vector_index import Home, Source
from clawgit.search.vectors import Fact, Kept, Vectors
from clawgit.text.correction import Correction
from clawgit.workspace import correction_records
from clawgit.workspace.memory import memories
from clawgit.workspace.workspace import Workspace

NAME = "entries"
SILENT = 60
"""Days without a mention after which an entry that was mentioned once is flagged (spec §5.5, 2 and 3)."""
_SURE = 1.0
"""Of a correction, always (spec §5.3)."""
_WAIT = 1.0
_MOST = 5


class EntryText(Struct, frozen=True):
    """What is embedded under an id, and what Chroma is told of it: never the text."""

    id: str
    text: str
    facts: Mapping[str, Fact]


def wanted(workspace: Workspace) -> Iterator[EntryText]:
    """Yield what the collection is to hold today, by the files and the sidecar alone (spec §5.3, §5.5).

    Entries of the memory files and what corrections say; what these say was wrong, as `status: corrected`, for
    `corrected_embedding_grace_days`. An entry that was mentioned once, and not for sixty days, is `flagged`, and gone
    after the same days of grace: from this collection, not from its file. Raises ClawgitError for a bad value.
    """
    today, grace = workspace.now().date(), timedelta(int(workspace.config.value("corrected_embedding_grace_days")))
    records = [one.record for one in correction_records.list_records(workspace) if one.record.id]
    made = {one.id: _day(one.at) for one in records}
    rows = workspace.rows()
    for one in memories(workspace):
        text, by = redacted(one.text), rows[one.id].by if one.id in rows else ""
        refuted = one.status == "superseded" and by in made
        day = made[by] if refuted else None
        leaves = _leaves(one.last, one.mentions, grace) if one.confidence < _SURE else None
        if not (_over(day, grace, today) or (leaves and today > leaves)):
            status = "corrected" if refuted else "superseded" if one.status == "superseded" else "live"
            yield EntryText(
                one.id,
                text,
                _facts(
                    text,
                    tag=one.tag or "",
                    correction=by in made and not refuted,
                    status=status,
                    confidence=round(one.confidence, 4),
                    last=one.last,
                    mentions=one.mentions,
                    file=one.path,
                    corrected=day,
                    by=by,
                    leaves=leaves if leaves and today > leaves - grace else None,
                ),
            )
    for record in records:
        yield from _both_sides(record, made[record.id], grace, today)


def _both_sides(record: Correction, day: date | None, grace: timedelta, today: date) -> Iterator[EntryText]:
    """Yield what a correction says is so, and for the days of grace what it says was wrong."""
    where, right, wrong = "CORRECTIONS.md", redacted(record.true), redacted(record.said)
    if right:
        yield EntryText(
            record.id,
            right,
            _facts(right, tag="correction", correction=True, status="live", confidence=_SURE, last=day, file=where),
        )
    if wrong and not _over(day, grace, today):
        yield EntryText(
            f"{record.id}-was",
            wrong,
            _facts(wrong, status="corrected", last=day, file=where, corrected=day, by=record.id),
        )


def _day(said: str) -> date | None:
    found = parse_date(said[:10])
    return date(found.year, found.month, found.day) if found else None


def _over(day: date | None, grace: timedelta, today: date) -> bool:
    """Return whether what was corrected on a day has been kept for long enough; of no known day it is kept."""
    return day is not None and today - day > grace


def _leaves(last: date | None, mentions: int, grace: timedelta) -> date | None:
    """Return the last day of an entry that was mentioned once at most; None of one whose days nobody knows."""
    return last + timedelta(SILENT) + grace if last and mentions <= 1 else None


def _facts(
    text: str,
    *,
    tag: str = "",
    correction: bool = False,
    status: str,
    confidence: float = 0.0,
    last: date | None = None,
    mentions: int = 1,
    file: str,
    corrected: date | None = None,
    by: str = "",
    leaves: date | None = None,
) -> Mapping[str, Fact]:
    """Return what Chroma is told: all keys always, for it keeps those that an update leaves out; days also as numbers.

    Chroma compares numbers alone: `{"last_seen_day": {"$lt": 20260601}}`.
    """
    return {
        "hash": text_hash(text).hex(),
        "tag": tag,
        "correction": correction,
        "status": status,
        "confidence": confidence,
        "last_seen": last.isoformat() if last else "",
        "last_seen_day": int(f"{last:%Y%m%d}") if last else 0,
        "mention_count": mentions,
        "file": file,
        "corrected_on": corrected.isoformat() if corrected else "",
        "corrected_by": by,
        "flagged": leaves is not None,
        "leaves_after": leaves.isoformat() if leaves else "",
    }


def build(workspace: Workspace, model: Embedder, *, environ: Mapping[str, str] = os.environ, wait: float = 10.0) -> int:
    """Make the collection hold what is wanted today and nothing else; return how many entries it has.

    What differs is written, and nothing embedded twice. Raises EmbeddingError and VectorsError.
    """
    home, live = Home.of(workspace, environ), tuple(wanted(workspace))
    note = home.note()
    if note is None or lacking(home, model):  # of another model, or built meanwhile by nobody
        return 0
    with closing(home.cache(model)) as cache, home.opened(wait=wait, building=True, of=NAME) as mine:
        if not mine.open(note.fingerprint, note.dimension):
            mine.create(note.embedder, note.fingerprint, note.dimension)
        there = mine.facts()
        new = [one for one in live if there.get(one.id) != one.facts]
        known = Source(cache, model, note.dimension).vectors(dict.fromkeys(one.text for one in new))
        made = [Kept(one.id, str(one.facts["hash"]), known[one.text], one.facts) for one in new]
        mine.put([one for one in made if any(one.vector)])  # what has no direction is near to nothing
        mine.remove(sorted(there.keys() - {one.id for one in live}))
        return mine.count()


class Near(Struct, frozen=True):
    """An entry that means the like of a text: its id, and their cosine."""

    id: str
    cosine: float


def near(
    workspace: Workspace,
    texts: Sequence[str],
    least: float,
    *,
    environ: Mapping[str, str] = os.environ,
    embedder: Embedder | None = None,
) -> dict[str, tuple[Near, ...]]:
    """Return for each text the entries that hold whose cosine with it is `least` or more, the nearest first.

    Nothing where CONFIG.md wants no vectors, or none are built. Raises ClawgitError where they cannot be read.
    """
    choice, tier = str(workspace.config.value("embedder")), str(workspace.config.value("search_tier"))
    if not texts or tier == "core" or not (choice or embedder):
        return {}
    model = embedder or chosen_embedder(choice, environ, hurry=True)
    home = Home.of(workspace, environ)
    note = home.note()
    if note is None or lacking(home, model):
        return {}
    with closing(home.cache(model)) as cache:
        made = Source(cache, model, note.dimension).vectors(dict.fromkeys(texts))
    with home.opened(wait=_WAIT, of=NAME) as mine:
        if not mine.open(note.fingerprint, note.dimension):
            return {}
        return {text: _held(mine, vector, least) for text, vector in made.items() if any(vector)}


def _held(mine: Vectors, vector: Sequence[float], least: float) -> tuple[Near, ...]:
    cosines = mine.nearest(vector, _MOST, where={"status": "live"})
    return tuple(Near(name, cosine) for name, cosine in cosines.items() if cosine >= least)
