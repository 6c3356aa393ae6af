"""Keeps facts in line with memory and their files."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace
from rapidfuzz import fuzz

from clawgit.agents.organizing.fact_classes import Classify, Statement
from clawgit.text import document
from clawgit.text.edit import append_block, bullet
from clawgit.text.entry import entries, entry_id, normalise
from clawgit.text.sameness.note_comparison import compare
from clawgit.text.sameness.note_reading import Known
from clawgit.workspace import fact_register
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.fact_register import CATEGORIES, Category, Fact

_ALIKE = 0.6
"""The share of words that two facts have in common from which on they may be one (seed 3)."""
_EDITED = 55.0
"""How alike, of 100, a line is to the fact that it was before somebody edited it."""
_TITLES: Mapping[Category, str] = {
    "personal": "About the operator",
    "tasks": "Tasks",
    "agents": "Agents",
    "system": "Machines and software",
}

Read = Callable[[str], str | None]


class Origin(Struct, frozen=True):
    """An entry that says a fact: `due` is a day to come that it names.

    `first` and `said` are the days on which it was first and last said, None where nothing tells.
    """

    id: str
    text: str
    tag: str
    first: date | None = None
    said: date | None = None
    due: date | None = None


def typed(facts: Iterable[Fact], read: Read, today: date) -> dict[str, Fact]:
    """Return the facts as their files have them: what somebody edited, moved, deleted or added by hand wins."""
    found = {fact.id: fact for fact in facts}
    left = {name: _bullets(read(fact_register.path(name)) or "") for name in CATEGORIES}
    lost: list[Fact] = []
    for one in sorted(found.values()):
        if one.state != "live":
            continue
        here = next((name for name in (one.category, *CATEGORIES) if normalise(one.text) in left[name]), None)
        if here is None:
            lost.append(one)
            continue
        del left[here][normalise(one.text)]
        if here != one.category:
            found[one.id] = replace(one, category=here, kept=True)
    for one in lost:
        rows = left[one.category]
        like = max(rows.values(), key=lambda text: fuzz.token_sort_ratio(text, one.text), default="")
        if like and fuzz.token_sort_ratio(like, one.text) >= _EDITED:
            del rows[normalise(like)]
            found[one.id] = replace(one, text=like, kept=True)
        else:
            found[one.id] = replace(one, state="dropped")
    for name, rows in left.items():
        for text in rows.values():
            before = next((one for one in found.values() if normalise(one.text) == normalise(text)), None)
            if before:  # it was over, or deleted, and somebody brought it back
                found[before.id] = replace(before, category=name, state="live", expires=None, kept=True)
            else:
                new = entry_id(fact_register.path(name), text)
                found[new] = Fact(new, name, text, first=today, kept=True)
    return found


def _bullets(text: str) -> dict[str, str]:
    found = (one_line(entry.text) for entry in entries(text) if entry.kind == "bullet")
    return {normalise(text): text for text in found}


def renewed(facts: Mapping[str, Fact], origins: Iterable[Origin], today: date) -> dict[str, Fact]:
    """Return the facts as their entries say them now: in their words, for as long. What no entry says is gone."""
    said = {origin.id: origin for origin in origins}
    found: dict[str, Fact] = {}
    for key, one in facts.items():
        some = [said[source] for source in sorted(one.sources) if source in said]
        if one.kept or some or not one.sources:
            found[key] = _as_said(one, some, today)
    return found


def organised(facts: Mapping[str, Fact], origins: Sequence[Origin], today: date, classify: Classify) -> dict[str, Fact]:
    """Return the facts that memory holds now, with those that are new.

    Each entry is a fact; entries that share most of their words and say the same are one. What an entry says anew holds
    for longer; what no entry says any more is gone; what was deleted by hand stays so.
    """
    found = renewed(facts, origins, today)
    known = {source for one in found.values() for source in one.sources}
    near = Known[str]()
    for fact in found.values():
        near.add(fact.id, fact.text)
    new = [origin for origin in origins if origin.id not in known]
    told = classify([Statement(one.text, one.tag, one.due) for one in new])
    for one, name in zip(new, told, strict=True):
        same = next((key for key in near.near(one.text) if _same(found[key].text, one.text)), None)
        if same:
            found[same] = replace(found[same], sources=found[same].sources | {one.id})
        else:
            found[one.id] = Fact(
                one.id, name, one_line(one.text), "expired", one.first or today, date.min, sources=frozenset({one.id})
            )
            near.add(one.id, one.text)
    return renewed(found, origins, today)


def _same(one: str, other: str) -> bool:
    mine, theirs = (set(normalise(text).split()) for text in (one, other))
    shared = len(mine & theirs) / max(1, min(len(mine), len(theirs)))
    return normalise(one) == normalise(other) or (shared > _ALIKE and compare(one, other).relation == "same")


def _as_said(one: Fact, some: Sequence[Origin], today: date) -> Fact:
    """Return a fact as its entries say it: their words, and their term. What was kept by hand stays."""
    if one.kept or not some or one.state == "dropped":
        return one
    first = next((origin for origin in some if origin.id == one.id), some[0])
    terms = [fact_register.term(one.category, origin.said or one.first, origin.due) for origin in some]
    expires = None if None in terms else max(filter(None, terms))
    new = replace(one, text=one_line(first.text), expires=expires, sources=frozenset(origin.id for origin in some))
    return replace(new, state="live") if new.state == "expired" and not new.over(today) else new


def written(text: str | None, name: Category, before: Iterable[Fact], after: Iterable[Fact]) -> str | None:
    """Return the file of a class with the facts that are live now, new ones last; every other line of it stays."""
    wanted = {one.id: one for one in sorted(after, key=lambda fact: fact.first) if one.state == "live"}
    wanted = {key: one for key, one in wanted.items() if one.category == name}
    if text is None:
        rows = [_row(one) for one in wanted.values()]
        return f"# {_TITLES[name]}\n\n" + "".join(f"{row}\n" for row in rows) if rows else None
    known = {normalise(one.text): one.id for one in before} | {normalise(one.text): key for key, one in wanted.items()}
    lines, stands = document.split(text), set[str]()
    for one in reversed(entries(text)):
        key = known.get(normalise(one_line(one.text))) if one.kind == "bullet" else None
        if key is None:
            continue
        if key not in wanted or key in stands:
            del lines[one.start - 1 : one.end]
            continue
        stands.add(key)
        if normalise(one_line(one.text)) != normalise(wanted[key].text):
            lines[one.start - 1 : one.end] = [f"{_row(wanted[key])}{document.eol(text)}"]
    whole = "".join(lines)
    fresh = "\n".join(_row(one) for key, one in wanted.items() if key not in stands)
    return _appended(whole, fresh) if fresh else whole


def _appended(text: str, rows: str) -> str:
    last = next((row for row in reversed(document.split(text)) if row.strip()), "")
    if not last.startswith("- "):
        return append_block(text, rows)
    ending = document.eol(text)
    return text.rstrip() + ending + ending.join(rows.split("\n")) + ending


def _row(one: Fact) -> str:
    return bullet(one.text)
