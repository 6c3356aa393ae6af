"""Answers a question from what is remembered."""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import lru_cache, partial
from itertools import groupby, islice
from typing import Any

from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.search import blocks, boilerplate, corpus, index, keyword_search, question_words, rank, refresh, warm
from clawgit.search.answer import Answer, Hit, Query
from clawgit.search.fact_classes import CATEGORIES, classify
from clawgit.search.keyword_search import Found
from clawgit.search.question_words import cues
from clawgit.search.rank import Ranked, Rules
from clawgit.search.store import Place, Store
from clawgit.store import index_file
from clawgit.text.entry import without_scores
from clawgit.workspace import enforcement, entries, file_contents, file_roles, served
from clawgit.workspace.workspace import Workspace

_ARCHIVES = "memory/archive/"
"""Where journals go as they were: what did not hold there holds no more here."""
Similar = Callable[[Store, str], Mapping[str, float]]
"""Returns cosines by the hash of a text, of the texts of an index that are nearest to a question."""
SNIPPET = 700
"""Letters of a snippet (spec: OpenClaw's own limit)."""
_LONGEST = 4000
_MOST_DATED, _FEW_TERMS = 200, 3
"""Texts of days that are asked for; turns only to a question of hardly any other words."""
_EACH, _FEWEST = 5, 40
"""Texts that are looked at for each that is wanted, and at the least."""
_CATEGORIES = {"lessons": "skill", "lesson": "skill", "preferences": "knowledge", "preference": "knowledge"}
_FORGED = "the index says what its files do not say, and cannot be made anew; that is left out"


def committed(repo: Repository, paths: Iterable[str]) -> tuple[Oid | None, Mapping[str, Oid]]:
    """Return HEAD, None before the first commit, and the blob of each of these files that it has.

    A command that has no other need of libgit2, which takes 50 ms to load, asks git instead: that takes 5.
    """
    wanted = [path for path in dict.fromkeys(paths) if "\n" not in path]
    if "raw" in vars(repo) or warm.lasting():  # it is loaded, or will be worth it
        head = repository.head(repo)
        return head, {path: blob for path in wanted if (blob := repository.blob_id(repo, head, path))}
    asked = "".join(f"{name}\n" for name in ("HEAD", *(f"HEAD:{path}" for path in wanted)))
    told = git(repo.root, "cat-file", "--batch-check=%(objectname)", stdin=asked.encode("utf-8", "surrogateescape"))
    first, *rest = told.decode("utf-8", "surrogateescape").split("\n")
    found = {path: blob for path, blob in zip(wanted, rest, strict=False) if not blob.endswith(" missing")}
    return None if first.endswith(" missing") else first, found


def without_unapproved(
    workspace: Workspace, hits: Iterable[Hit], commit: Oid | None = None, *, gone: bool = False
) -> tuple[Hit, ...]:
    """Return the hits that may be shown: under review and locked none in an identity file that is not as approved.

    `commit` says as of when they hold; `gone` that they are lines which stand nowhere any more.
    """
    found = tuple(hits)
    guarded = {one.path for one in found if file_roles.guarded(one.path)}
    if not guarded or not enforcement.serves_approved(workspace):
        return found
    barred = guarded if gone else {path for path in guarded if _differs(workspace, path, commit)}
    return tuple(one for one in found if one.path not in barred)


def without_refuted(workspace: Workspace, ranked: Iterable[Ranked]) -> Iterator[Ranked]:
    """Yield what was found, without what a correction quotes as wrong, and without entries that hold no more.

    These are known by their tag, or by the sidecar alone: a journal is not rewritten, nor a file that OpenClaw's agent
    alone may write, and there no line says it.
    """
    dead = _dead(file_contents.sidecar(workspace.repo))
    for one in ranked:
        path = _ARCHIVES if one.place.path.startswith(_ARCHIVES) else one.place.path
        if not boilerplate.is_record(one.place) and boilerplate.live(path, one.place.text, dead).strip():
            yield one


@lru_cache(maxsize=2)  # a server asks about the same sidecar again and again
def _dead(text: str) -> frozenset[tuple[str, str]]:
    """Return the entries that a sidecar knows to be superseded, those of journals in the archives, too."""
    dead = entries.list_dead(text)
    archived = {name for path, name in dead if file_roles.journal_day(path) or path.startswith(_ARCHIVES)}
    return frozenset(dead | {(_ARCHIVES, name) for name in archived})


def _differs(workspace: Workspace, path: str, commit: Oid | None) -> bool:
    try:
        return bool(served.read(workspace, path, commit)[1])
    except ClawgitError:
        return True


def search(
    workspace: Workspace,
    query: Query,
    similar: Similar | None = None,
    *,
    told: "refresh.Told | None" = None,
    sessions: index.Sources | None = None,
    without: str | None = None,
) -> Answer:
    """Return what the files as they are on disk say to a question; nothing is an answer too.

    `similar` adds texts that mean the like, `without` says why it is missing where it was asked for. `sessions` yields
    the conversations that the index was brought up to: what it holds of them is held against them. Without them it
    counts as it is.
    """
    ask = partial(_search, workspace, query, similar, told, without, sessions)
    for _ in range(2):  # a file that was written to between the two looks is in the index at the next one
        with suppress(sqlite3.DatabaseError):  # somebody harmed the index while we read it
            answer, is_true = ask()
            if is_true:
                return answer
    index_file.forget_index(index.place(workspace))
    return ask(more=sessions)[0]  # by then there may be none in the index


def _search(
    workspace: Workspace,
    query: Query,
    similar: Similar | None,
    told: "refresh.Told | None",
    without: str | None,
    sessions: index.Sources | None,
    more: index.Sources | None = None,
) -> tuple[Answer, bool]:
    """Return an answer without hits that their files do not say, and whether the index had none of these."""
    query = replace(query, most=most(workspace, query))
    with index.current(workspace, told=told, more=more) as opened, opened.store.reading():
        ranked, found, failed = answers(opened.store, query, rules(workspace, query), similar)
        notes = index.conflicts(workspace, opened.store)
    shown = list(islice(without_refuted(workspace, ranked), query.most))
    # Not of files that the index could not follow.
    places = [one.place for one in shown if one.place.path not in opened.behind]
    if sessions is None:
        places = [place for place in places if not place.path.startswith(corpus.SESSIONS)]
    untrue = find_untrue_places(places, index.reader(workspace, sessions))
    shown = [one for one in shown if one.place not in untrue]
    own = (one.place.path for one in shown if not one.place.path.startswith(("/", corpus.SESSIONS)))
    head, blobs = committed(workspace.repo, own)
    hits = (
        replace(
            hit(one, head if blobs.get(one.place.path) == one.place.blob else None, query, found),
            stale=one.place.path in opened.behind,
        )
        for one in shown
    )
    answer = make_answer(
        without_unapproved(workspace, hits),
        found,
        mode="enhanced" if similar and not failed else "core",
        degraded="; ".join(filter(None, (opened.degraded, without, failed, _FORGED if untrue else None))) or None,
        commit=head,
        notes=notes,
    )
    return answer, not untrue


def search_sources(workspace: Workspace, name: str, sources: index.Sources, query: Query) -> Answer:
    """Return what some sources say to a question, from an index of that name that holds nothing else."""
    where = index.place(workspace).with_name(name)
    with index.fresh(where, sources) as opened:
        ranked, found, _ = answers(opened.store, query, rules(workspace, query, aging=False))
        shown = islice(without_refuted(workspace, ranked), most(workspace, query))
        return make_answer([hit(one, None, query, found) for one in shown], found)


def make_answer(hits: Iterable[Hit], found: Found, **more: Any) -> Answer:
    """Return an answer with the words that were looked for, as other indexes can be asked for them."""
    looked = tuple(term for term in found.terms if term.weight)
    return Answer(tuple(hits), repaired=found.repaired, looked=looked, texts=found.texts, **more)


def rules(workspace: Workspace, query: Query, *, aging: bool = True) -> Rules:
    """Return how this workspace wants answers to be ordered."""
    value = workspace.config.value
    half_life = float(value("half_life_days"))
    aging = aging and half_life > 0 and not query.since
    return Rules(
        today=workspace.now().date() if aging else None,
        half_life=half_life,
        correction=float(value("correction_relevance_boost")),
        vectors=rank.share(str(value("search_weights"))),
        least=float(value("min_score") if query.least is None else query.least),
    )


def most(workspace: Workspace, query: Query) -> int:
    """Return how many results are wanted."""
    return int(workspace.config.value("max_results")) if query.most is None else query.most


def answers(
    store: Store, query: Query, by: Rules, similar: Similar | None = None, today: date | None = None
) -> tuple[list[Ranked], Found, str | None]:
    """Return what an index has to a question, ordered; what was looked for; why `similar` gave nothing.

    `today` is what `yesterday` is seen from, by default the day of the rules.
    """
    question = clean(query.text)
    if not question and query.category is not None:
        return _listed(store, query), Found({}, ()), None
    now = today or by.today or date.today()  # noqa: DTZ011 - the caller's, wherever time counts
    told = cues(question, now, store.voiced)
    of_days = [doc for span in told.spans for doc in store.dated(span.first, span.last, _MOST_DATED)]
    words = told.rest if of_days else told.unmet
    dropped = told.named if any(word not in told.named for word in question_words.content(words)) else ()
    found = keyword_search.find(store, words, dropped, _looked_at(query), told.days)
    near, failed = _near(similar, store, question)
    docs = dict.fromkeys((*found.scores, *of_days, *store.by_hash(near)))
    few = len(found.terms) <= _FEW_TERMS
    places = [
        place
        for place in store.places(list(docs))
        if _fits(place, query) and (few or not place.chat or place.doc in found.scores or place.hash in near)
    ]
    if told.spans:
        by = replace(by, today=None)
    ranked = rank.rank(places, found.scores, found.terms, told, by, near)
    return ranked, found, failed


def _listed(store: Store, query: Query) -> list[Ranked]:
    """Return all that stands in a category, where nothing is asked: what carries the latest day first."""
    fitting = [place for place in store.places(store.docs()) if _fits(place, query)]
    fitting.sort(key=lambda place: (-(place.day.toordinal() if place.day else 0), place.path, place.nth))
    return [Ranked(place, 1.0, 1.0) for place in fitting]


def clean(question: str) -> str:
    """Return a question as it can be searched for: of bearable length, without what is no text."""
    return " ".join(question.encode("utf-8", "replace").decode().replace("\0", " ")[:_LONGEST].split())


def _looked_at(query: Query) -> int:
    """Return how many texts to look at: more where many are wanted, or most are left out."""
    if query.since or query.until or query.category is not None or query.project is not None:
        return keyword_search.WIDE
    return keyword_search.MOST if query.most is None else min(max(_EACH * query.most, _FEWEST), keyword_search.WIDE)


def _near(similar: Similar | None, store: Store, question: str) -> tuple[Mapping[str, float], str | None]:
    """Return what means the like; what fails there leaves the words, and a reason."""
    if similar is None or not question:
        return {}, None
    try:
        return similar(store, question), None
    except Exception as exc:  # noqa: BLE001 - of a database or endpoint: its words are told, the search goes on
        return {}, f"vectors: {exc}"


def _fits(place: Place, query: Query) -> bool:
    if query.since and not (place.day and place.day >= query.since):
        return False
    if query.until and not (place.day and place.day <= query.until):
        return False
    if query.project is not None and place.project.casefold() != query.project.strip().casefold():
        return False
    if place.path.startswith(file_roles.STRUCTURED):
        return False  # its facts are in memories, too
    return query.category is None or in_category(place, query.category)


def in_category(place: Place, category: str) -> bool:
    """Return whether a text is of this class of facts, has this tag, or is below such a heading or in such a file."""
    name = category.strip().lstrip("#").casefold()
    tags = {name, _CATEGORIES.get(name, name)}
    said = {tag.casefold() for tag in re.findall(r"(?<!\w)#([\w-]+)", place.text)}
    if name in CATEGORIES and not place.chat:
        return classify(place.text, is_event="event" in said) == name
    return bool(tags & said) or any(tag in f"{place.trail} {place.path}".casefold() for tag in {name, name.rstrip("s")})


def hit(one: Ranked, commit: str | None, query: Query, found: Found | None = None) -> Hit:
    """Return what is told of a place that was found; `found` has the scores of its words."""
    place = one.place
    return Hit(
        place.path,
        place.start,
        place.end,
        round(one.score, 4),
        snippet(without_scores(place.text)),
        refresh.tier_of(place.path),
        "sessions" if place.path.startswith(corpus.SESSIONS) else "memory",
        commit=commit,
        day=place.day,
        heading=place.trail,
        text=without_scores(place.text),
        bm25=found.scores.get(place.doc, 0.0) if found else 0.0,
        explain=_explained(one) if query.explain else {},
    )


def _explained(one: Ranked) -> dict[str, object]:
    repeats = [f"{place.path}#L{place.start}" for place in one.repeats]
    parts = {name: round(much, 3) for name, much in one.parts.items()}
    return {"relevance": round(one.relevance, 4), **parts, "heading": one.place.trail, "repeats": repeats}


def snippet(text: str) -> str:
    """Return the beginning of a text, at most as long as OpenClaw shows."""
    return text if len(text) <= SNIPPET else text[: SNIPPET - 1].rstrip() + "…"


def find_untrue_places(places: Iterable[Place], read: Callable[[str], bytes | None]) -> list[Place]:
    """Return those of the places at which their files say something else; each file is read once.

    The index is a cache that any program can write to.
    """
    found = []
    for path, some in groupby(sorted(places, key=lambda one: one.path), key=lambda one: one.path):
        data, doubted = read(path) or b"", list(some)
        for as_text in (corpus.plain, corpus.text):  # as it stands, and then with its secrets named only
            lines = blocks.shown(boilerplate.without(path, as_text(data))) if doubted else []
            whole = question_words.plain("\n".join(lines))
            doubted = [one for one in doubted if not _is_there(one, lines, whole)]
        found += doubted
    return found


def _is_there(one: Place, lines: Sequence[str], whole: str) -> bool:
    """Return whether the words of a place are those of its lines, below headings and a day that its file has."""
    said = question_words.plain(one.text).strip()
    if said not in question_words.plain("\n".join(lines[one.start - 1 : one.end])):
        return False
    days = blocks.DAY.findall(one.trail)
    right = one.day.isoformat() in days if days and one.day else not days and one.day == refresh.day_of(one.path)
    return right and all(question_words.plain(part).strip() in whole for part in one.trail.split(blocks.BETWEEN))
