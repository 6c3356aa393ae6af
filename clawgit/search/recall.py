"""Answers a question from the memory."""

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import date, timedelta
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.git.repository import Oid
from clawgit.language import lexicon
from clawgit.search import corpus, index, keyword_search, question_words, rank
from clawgit.search.answer import Answer, Hit, Query
from clawgit.search.keyword_search import WordMatches
from clawgit.search.question_words import find_cues
from clawgit.search.rank import Ranked, Rules
from clawgit.search.store import Place, Progress, Store, tier_of
from clawgit.store import entry_table
from clawgit.text.entry import remove_scores
from clawgit.workspace import file_contents, identity_policy, line_origins
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.search.meaning import Like


Category = Literal["personal", "tasks", "agents", "system"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
TERMS: Mapping[Category, int | None] = {"personal": None, "tasks": 7, "agents": 30, "system": None}
"""Days for which a fact of a class holds after it was last mentioned; None: for good (seed 3)."""
_TABLE = "facts"
_sign = partial(lexicon.pattern, Path(__file__).parent / "data/classes.toml", "signs")


def classify(text: str, *, is_event: bool = False) -> Category:
    """Return the class of a statement; an event is a task."""
    if is_event:
        return "tasks"
    languages = lexicon.candidates(text)
    for name in ("agents", "tasks", "system"):
        if _finder(languages, name).search(text):
            return name
    return "system" if _sign("system").search(text) else "personal"


def find_end(category: Category, last: date, due: date | None = None) -> date | None:
    """Return the last day of a fact that was last mentioned on a day, or is due on a later one; None for good."""
    days = TERMS[category]
    if days is None:
        return None
    end = last + timedelta(days=days)
    return max(end, due) if due else end


@cache
def _finder(languages: tuple[str, ...], name: str) -> "re.Pattern[str]":
    """Return a pattern of the phrases of a class; one that ends in `-` is the beginning of a word."""
    phrases = sorted({phrase for language in languages for phrase in lexicon.phrases(language, _TABLE, name)})
    ends = {phrase: "" if phrase.endswith("-") else r"\b" for phrase in phrases}
    words = {phrase: rf"\b{re.escape(phrase.removesuffix('-'))}{end}" for phrase, end in ends.items()}
    sources = (re.escape(phrase) if lexicon.eastern(phrase) else words[phrase] for phrase in phrases)
    return re.compile("|".join(sources) or "(?!)", re.IGNORECASE)


Similar = Callable[[Store, str], Mapping[str, float]]
"""Returns cosines by the hash of a text, of the texts of an index that are nearest to a question."""
SNIPPET = 700
"""Letters of a snippet (spec: OpenClaw's own limit)."""
_LONGEST = 4000
_MOST_DATED = 200
"""Texts of days that are asked for."""
_PER_HIT, _FEWEST = 5, 40
"""Texts that are looked at for each that is wanted, and at the least."""
_CATEGORIES = {"lessons": "skill", "lesson": "skill", "preferences": "knowledge", "preference": "knowledge"}


def omit_unapproved(
    workspace: Workspace, hits: Iterable[Hit], commit: Oid | None = None, *, gone: bool = False
) -> tuple[Hit, ...]:
    """Return the servable hits: under review and locked none in an identity file that is not as approved.

    `commit` is the version of the hits; `gone`: they are removed lines.
    """
    hit_list = tuple(hits)
    guarded = {item.path for item in hit_list if file_roles.is_identity(item.path)}
    if not guarded or not identity_policy.serves_approved(workspace):
        return hit_list
    for path in () if gone else tuple(guarded):
        with suppress(ClawgitError):
            if not line_origins.read_servable(workspace, path, commit)[1]:
                guarded.discard(path)
    return tuple(item for item in hit_list if item.path not in guarded)


def search_files(workspace: Workspace, query: Query, *, progress: Progress | None = None) -> Answer:
    """Return the answer of the files as they are on disk, by words and, if possible, by meaning.

    An empty one is an answer too. A failure leaves Core's answer, with the reason in `degraded`.
    """
    like, reasons = None, list[str | None]()
    try:
        if index.wants_vectors(workspace, query.tier):
            from clawgit.search import meaning  # noqa: PLC0415 - most have no vectors

            like = meaning.find_like(workspace)
    except ClawgitError as exc:
        reasons.append(f"vectors: {exc.message}")
    query = replace(query, most=count_wanted(workspace, query))
    try:
        ranking, search_result, failed, opening, notes = _search_index(workspace, query, like, progress)
    except sqlite3.DatabaseError:  # somebody harmed the index while we read it
        entry_table.forget_index(index.place(workspace))
        ranking, search_result, failed, opening, notes = _search_index(workspace, query, like, progress)
    head, refuted, hits = repository.head(workspace.repo), index.list_refuted(workspace), list[Hit]()
    own = {place.path: place for place in (candidate.place for candidate in ranking[: query.most])}
    is_committed = {path: _matches_head(workspace, head, place, refuted) for path, place in own.items()}
    for candidate in ranking[: query.most]:
        path = candidate.place.path
        commit = head if is_committed[path] else None
        is_in_head = is_committed[path] or _has_lines(workspace, head, candidate.place)
        found_hit = hit(candidate, commit, query, search_result)
        hits.append(replace(found_hit, committed=is_in_head, stale=path in opening.behind))
    answer = make_answer(
        omit_unapproved(workspace, hits), search_result, degraded=opening.degraded, commit=head, notes=notes
    )
    if like and not failed:
        answer = replace(answer, mode="enhanced", provider=like.embedder.name, model=like.embedder.model)
        failed = like.lacking
    for reason in (*reasons, failed):
        answer = degrade(answer, reason)
    return answer


def _search_index(
    workspace: Workspace, query: Query, like: "Like | None", progress: Progress | None
) -> tuple[list[Ranked], WordMatches, str | None, index.Index, tuple[str, ...]]:
    with index.current(workspace, progress=progress) as opening, opening.store.reading():
        notes = index.conflicts(workspace, opening.store)
        return *answers(opening.store, query, read_ranking_rules(workspace, query), like), opening, notes


def _matches_head(workspace: Workspace, head: Oid | None, place: Place, refuted: corpus.Refuted) -> bool:
    """Return whether the searched text of a file is that of the file in HEAD."""
    if place.path.startswith(("/", corpus.SESSIONS)):
        return False
    if repository.blob_id(workspace.repo, head, place.path) == place.blob:
        return True
    data = repository.read(workspace.repo, head, place.path)
    return data is not None and repository.hash_blob(refuted.remove_from(place.path, data)) == place.blob


def _has_lines(workspace: Workspace, head: Oid | None, place: Place) -> bool:
    """Return whether the file in HEAD has all lines of a place, perhaps elsewhere."""
    if place.path.startswith(("/", corpus.SESSIONS)):
        return False
    data = repository.read(workspace.repo, head, place.path)
    return file_contents.lines_of(place.text) <= file_contents.lines_of(file_contents.to_text(data))


def search_sources(workspace: Workspace, name: str, sources: index.Listing, query: Query) -> Answer:
    """Return the answer of some sources, from an index of that name with nothing else in it."""
    path = index.place(workspace).with_name(name)
    with index.open_fresh_index(path, sources) as opening:
        ranking, search_result, _ = answers(opening.store, query, read_ranking_rules(workspace, query, aging=False))
        hits = [hit(candidate, None, query, search_result) for candidate in ranking[: count_wanted(workspace, query)]]
        return make_answer(hits, search_result)


def degrade(answer: Answer, reason: str | None) -> Answer:
    """Return an answer with one more reason that it lacks something, if there is one."""
    return replace(answer, degraded="; ".join(filter(None, (answer.degraded, reason))) or None)


def make_answer(hits: Iterable[Hit], search_result: WordMatches, **fields: Any) -> Answer:
    """Return an answer with the words that were looked for, as other indexes can be asked for them."""
    terms = tuple(term for term in search_result.terms if term.weight)
    return Answer(tuple(hits), repaired=search_result.repaired, looked=terms, texts=search_result.texts, **fields)


def read_ranking_rules(workspace: Workspace, query: Query, *, aging: bool = True) -> Rules:
    """Return how this workspace wants answers to be ordered."""
    value = workspace.config.value
    return Rules(
        today=workspace.now().date(),
        half_life=float(value("half_life_days")) if aging and not query.since else 0,
        correction=float(value("correction_relevance_boost")),
        vectors=rank.parse_vector_share(str(value("search_weights"))),
        least=float(value("min_score") if query.least is None else query.least),
    )


def count_wanted(workspace: Workspace, query: Query) -> int:
    """Return how many results are wanted."""
    return int(workspace.config.value("max_results")) if query.most is None else query.most


def answers(
    store: Store, query: Query, weighting: Rules, similar: Similar | None = None, today: date | None = None
) -> tuple[list[Ranked], WordMatches, str | None]:
    """Return the ordered results of an index; the searched terms; the reason that `similar` gave nothing.

    `today` is the reference for `yesterday`, by default the day of the rules.
    """
    question = clean(query.text)
    if not question and query.category is not None:  # all texts of it, those with the latest day first
        fitting = [place for place in store.places(store.docs()) if _place_fits(place, query)]
        fitting.sort(key=lambda place: (-(place.day.toordinal() if place.day else 0), place.path, place.nth))
        return [Ranked(place, 1.0, 1.0) for place in fitting], WordMatches({}, ()), None
    now = today or weighting.today or date.today()  # noqa: DTZ011 - the caller's, wherever time counts
    hints = find_cues(question, now, store.voiced)
    of_days = [doc for span in hints.spans for doc in store.dated(span.first, span.last, _MOST_DATED)]
    dropped = hints.named if any(word not in hints.named for word in question_words.content(hints.rest)) else ()
    search_result = keyword_search.find_by_words(store, hints.rest, dropped, _count_looked_at(query), hints.days)
    cosines, failed = _find_similar(similar, store, question)
    docs = dict.fromkeys((*search_result.scores, *of_days, *store.by_hash(cosines)))
    places = [place for place in store.places(list(docs)) if _place_fits(place, query)]
    if hints.spans:
        # For a question about a day, the age of that day does not count.
        weighting = replace(weighting, half_life=0)
    ranking = rank.rank(places, search_result.scores, search_result.terms, hints, weighting, cosines)
    return ranking, search_result, failed


def clean(question: str) -> str:
    """Return a question in a searchable form: of limited length, without characters that are no text."""
    return " ".join(question.encode("utf-8", "replace").decode().replace("\0", " ")[:_LONGEST].split())


def _count_looked_at(query: Query) -> int:
    """Return the number of texts to look at: more if many are wanted, or most are left out."""
    if query.since or query.until or query.category is not None or query.project is not None:
        return keyword_search.WIDE
    return keyword_search.MOST if query.most is None else min(max(_PER_HIT * query.most, _FEWEST), keyword_search.WIDE)


def _find_similar(similar: Similar | None, store: Store, question: str) -> tuple[Mapping[str, float], str | None]:
    """Return similar texts; a failure there leaves the words, and a reason."""
    if similar is None or not question:
        return {}, None
    try:
        return similar(store, question), None
    except Exception as exc:  # noqa: BLE001 - of a database or endpoint: its words are told, the search goes on
        return {}, f"vectors: {exc}"


def _place_fits(place: Place, query: Query) -> bool:
    if query.since and not (place.day and place.day >= query.since):
        return False
    if query.until and not (place.day and place.day <= query.until):
        return False
    # The last parts of a name are enough: `dash` or `acme/dash` for `github.com/acme/dash`.
    if query.project is not None and not f"/{place.project}".casefold().endswith(
        f"/{query.project.strip()}".casefold()
    ):
        return False
    if place.path.startswith(file_roles.STRUCTURED):
        return False  # its facts are in memories, too
    return query.category is None or in_category(place, query.category)


def in_category(place: Place, category: str) -> bool:
    """Return whether a text is of this class of facts, has this tag, or is below such a heading or in such a file."""
    name = category.strip().lstrip("#").casefold()
    tags = {name, _CATEGORIES.get(name, name)}
    tags_found = {tag.casefold() for tag in re.findall(r"(?<!\w)#([\w-]+)", place.text)}
    if name in CATEGORIES and not place.chat:
        rows = filter(str.strip, place.text.splitlines())
        return any(classify(row, is_event="#event" in row.casefold()) == name for row in rows)
    return bool(tags & tags_found) or any(
        tag in f"{place.trail} {place.path}".casefold() for tag in {name, name.rstrip("s")}
    )


def hit(candidate: Ranked, commit: str | None, query: Query, search_result: WordMatches | None = None) -> Hit:
    """Return the hit for a found place; `search_result` has the scores of its words."""
    place, explain = candidate.place, dict[str, object]()
    if query.explain:
        repeats = [f"{other.path}#L{other.start}" for other in candidate.repeats]
        parts = {name: round(value, 3) for name, value in candidate.parts.items()}
        relevance = round(candidate.relevance, 4)
        explain = {"relevance": relevance, **parts, "heading": place.trail, "repeats": repeats}
    return Hit(
        place.path,
        place.start,
        place.end,
        round(candidate.score, 4),
        snippet(remove_scores(place.text)),
        tier_of(place.path),
        "sessions" if place.path.startswith(corpus.SESSIONS) else "memory",
        commit=commit,
        day=place.day,
        heading=place.trail,
        text=remove_scores(place.text),
        bm25=search_result.scores.get(place.doc, 0.0) if search_result else 0.0,
        explain=explain,
    )


def snippet(text: str) -> str:
    """Return the beginning of a text, at most as long as OpenClaw shows."""
    return text if len(text) <= SNIPPET else text[: SNIPPET - 1].rstrip() + "…"
