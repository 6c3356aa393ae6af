"""Finds entries that contradict each other."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from clawgit.language import detect, lexicon
from clawgit.language.values import content_words, is_unit, unit_words
from clawgit.memory.in_force import is_superseded, read_words
from clawgit.text.edit import is_link
from clawgit.text.similarity import NEGATIONS, QUANTIFIERS, Known, Reading, bag, compare, is_time, leftovers, read
from clawgit.workspace.memory_lines import MemoryLine

_DENIALS = NEGATIONS | bag("不 没 沒 無 无 未 非 否 别 勿 안 못 않 아니다")
_SMALL = bag("do does did to be the now one anymore any 's of for at in on was have am im um bei zu =")
_KANA = re.compile("[\u3041-\u309f要是会能可以必须地하]+")
_CALENDAR = "DMY"


def judge(one: str, other: str) -> tuple[str, ...] | None:
    """Return why two notes contradict each other, in words; None where they do not.

    All else being said alike, one number, date or name is another, or one denies the other.
    """
    verdict = compare(one, other)
    return verdict.reasons if verdict.relation == "conflict" and _clash(one, other) else None


def _clash(one: str, other: str) -> bool:
    here, there = read(one), read(other)
    left, right = leftovers(here.words, there.words)
    if _denies(left) != _denies(right):
        return all(_light(word) or word in _DENIALS for word in (*left, *right))
    isos = detect.candidates(f"{one}\n{other}")
    left, right = ([word for word in words if not _light(word)] for words in (left, right))
    kinds = {_kind(word, here) for word in left}, {_kind(word, there) for word in right}
    if not left or not right or kinds[0] != kinds[1] or "" in kinds[0] or len(kinds[0] - {"unit"}) > 1:
        return False
    rows = _row(here), _row(there)
    named = kinds[0] == {"name"}
    return all(_said_of_one(row, own, isos, named=named) for row, own in zip(rows, (left, right), strict=True))


def _row(note: Reading) -> list[str]:
    return [word for word in note.marked if word != "and"]


def _denies(words: Iterable[str]) -> bool:
    some = set(words)
    return bool(_DENIALS & some) or some >= {"な", "い"}


def _light(word: str) -> bool:
    """Return whether a word says nothing by itself."""
    return word in _SMALL or bool(_KANA.fullmatch(word))


def _kind(word: str, note: Reading) -> str:
    """Return what kind of value a word is, "" for none."""
    if (word[0] == "#" and len(word) > 1) or (word[0] == "o" and word[1:].isdigit()) or word in QUANTIFIERS - {"都"}:
        return "number"
    if is_time(word):
        return "calendar" if word[0] in _CALENDAR else "time"
    if word.startswith("u:"):
        return "unit"
    return "name" if word in note.names or re.search(r"[\d@/]", word) else ""


def _said_of_one(row: Sequence[str], own: Sequence[str], isos: tuple[str, ...], *, named: bool) -> bool:
    """Return whether words that are a note's own stand in one place, and say something of what stands before it."""
    at = sorted(max((n for n, word in enumerate(row) if word == wanted), default=-1) for wanted in own)
    if at[0] < 1 or any(not _light(row[n]) and row[n] not in own for n in range(at[0], at[-1])):
        return False
    before, behind = ([word for word in some if not _light(word)] for some in (row[: at[0]], row[at[-1] + 1 :]))
    linked = _light(row[at[0] - 1]) or any(row[at[0] - 1] in lexicon.words(iso, "search", "small") for iso in isos)
    if detect.eastern("".join(row)):
        return bool(before)
    alone = linked and all(is_unit(word) or is_time(word) or word in unit_words() for word in behind)
    return (len(before) > 1 or (bool(before) and alone)) and (linked or not named)


_MAX_NEAR = 20
_MIN_SHARED_WORDS = 2
"""Of two fields on one subject: `**Path:** …` has one in common with the path of anything else."""


def list_pairs(
    lines: Sequence[MemoryLine], changed: Collection[str]
) -> Iterator[tuple[MemoryLine, MemoryLine, tuple[str, ...]]]:
    """Yield the pairs of entries in force that contradict each other, and why; one of each has its id in `changed`.

    Candidates share most of their words. Two bare lines of journals are none: a log has another number each day.
    """
    known = {line.id: line for line in lines if not is_superseded(line) and not is_link(line.text)}
    near = Known[str]()
    for name, line in known.items():
        near.add(name, read_words(line))
    seen: set[frozenset[str]] = set()
    for name in (name for name in known if name in changed):
        line = known[name]
        for other in (known[key] for key in near.near(read_words(line), _MAX_NEAR) if key != name):
            pair = frozenset((name, other.id))
            if pair in seen or (line.role == other.role == "journal" and not (line.tag and other.tag)):
                continue
            seen.add(pair)
            is_field = ":" in line.text and ":" in other.text
            if is_field and len(content_words(line.text) & content_words(other.text)) < _MIN_SHARED_WORDS:
                continue
            if (reasons := judge(read_words(line), read_words(other))) is not None:
                yield line, other, reasons
