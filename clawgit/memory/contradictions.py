"""Finds entries that contradict each other."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from clawgit import file_roles
from clawgit.language import detect, values
from clawgit.language.values import content_words, equal, is_unit
from clawgit.memory.in_force import is_superseded, read_words
from clawgit.text.edit import is_link
from clawgit.text.similarity import NEGATIONS, Known, bag, leftovers, read
from clawgit.workspace.memory_lines import MemoryLine

_DENIALS = NEGATIONS | bag("不 没 沒 無 无 未 非 否 别 勿 안 못 않 아니다")
_SMALL = bag("do does did to be the now one anymore any 's of for at in on was have am im um bei zu =")
_KANA = re.compile("[\u3041-\u309f要是会能可以必须地하]+")
_SIGN = re.compile(r"^(?:u:|#|[DTM]-*(?=\d))")
_MIN_WORDS_OF_CLAUSE = 3


def judge(text: str, other: str) -> tuple[str, ...] | None:
    """Return the reason that two notes contradict each other, in words; None if they do not.

    With all else alike, one number, date or name differs, or one denies the other.
    """
    rest = leftovers(read(text), read(other))
    said, others = ([word for word in words if not _is_light(word)] for words in rest)
    denials = [word for words in rest for word in words if word in _DENIALS]
    if _denies(rest[0]) != _denies(rest[1]):
        claims = [" ".join(word for word in words if word not in _DENIALS) for words in (said, others)]
        is_same = not any(claims) if detect.eastern(text) else content_words(claims[0]) == content_words(claims[1])
        is_clash = is_same and not any(map(str.isdigit, "".join(claims)))
        rest = (denials, []) if denials else rest
    else:
        is_typed = max(sum(not is_unit(word) for word in words) for words in (said, others)) <= 1
        is_clash = _has_other_value(text, other, is_typed=is_typed)
        if not detect.eastern(text):  # days and weekdays as they were written
            rest = leftovers(*([word.strip(",.;:") for word in note.split()] for note in (text, other)))
    if not is_clash or not any(rest):
        return None
    sides = [" ".join(_SIGN.sub("", word) for word in words) for words in rest if words]
    return (" against ".join(sides) if len(sides) > 1 else f"only one says: {sides[0]}",)


def _denies(words: Iterable[str]) -> bool:
    word_set = set(words)
    return bool(_DENIALS & word_set) or word_set >= {"な", "い"}


def _is_light(word: str) -> bool:
    """Return whether a word says nothing by itself."""
    return word in _SMALL or bool(_KANA.fullmatch(word))


def _has_other_value(one: str, other: str, *, is_typed: bool) -> bool:
    """Return whether two notes differ in one value of a type (only where that `is_typed`), or one name, within them."""
    texts = [unicodedata.normalize("NFKC", text) for text in (one, other)]
    found = _list_others(*map(values.find, texts))
    if not any(found):
        found = _list_others(
            *([name for name in values.names(text) if not name.overlaps(values.find(text))] for text in texts)
        )
    if [len(some) for some in found] != [1, 1]:
        return False
    (mine,), (theirs,) = found
    kinds = {"number" if value.kind.startswith(("number", "year")) else value.kind for value in (mine, theirs)}
    is_name = kinds <= {"name", "path"}
    words, others = (content_words(text, (mine.text, theirs.text)) - values.units().keys() for text in texts)
    if len(kinds) > 1 or not (is_typed or is_name) or words != others or len(words) <= is_name:
        return False
    return _tells(texts[0], mine, is_name=is_name) and _tells(texts[1], theirs, is_name=is_name)


def _tells(text: str, value: values.Value, *, is_name: bool) -> bool:
    """Return whether a value says something of what stands before it: of several words, or of one.

    Of one it does at the end of the text, or in a clause: `The bus is at 9:15 on Mondays`, not `Bus at 9:15 to Porto`.
    What is counted, as in `12 chairs`, and a unit are part of it.
    """
    before = text[: value.start]
    count = len(content_words(before))
    if detect.eastern(text):
        return count > 0
    is_linked = before.rstrip(" *_").endswith(":") or not content_words(" ".join(before.split()[-1:]))
    counted = {value.kind.partition(" ")[2]} if value.kind.startswith("number ") else set()
    is_clause = not is_name and len(before.split()) >= _MIN_WORDS_OF_CLAUSE
    is_last = content_words(text[value.end :]) <= values.units().keys() | counted
    return count > 1 - (is_linked and (is_clause or is_last)) and (is_linked or not is_name)


def _list_others(
    some: Sequence[values.Value], others: Sequence[values.Value]
) -> tuple[list[values.Value], list[values.Value]]:
    """Return the values of each of two notes that the other has not."""
    is_same = [[one.kind == other.kind and equal(one, other) for other in others] for one in some]
    return (
        [one for one, row in zip(some, is_same, strict=True) if not any(row)],
        [other for number, other in enumerate(others) if not any(row[number] for row in is_same)],
    )


_MAX_NEAR, _MAX_VALUES, _MAX_PARTNERS = 20, 2, 5
_LABEL = re.compile(r"^([^\n:：|]{1,40})(?:: |：| \| )", re.MULTILINE)  # noqa: RUF001 - the colon of Chinese
_MARKS = re.compile(r"[*_\d]+")
_NO_CLAIM = re.compile(r"[:：][*_]*\s*$|^\[[^\]]*\]\(\S*\)$")  # noqa: RUF001 - the colon of Chinese
_DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")
_MIN_SHARED = 2
"""Labels or titles that make two sections or files of one form."""
_MIN_SHARE = 1 / 3
_MIN_SHARED_WORDS = 2
"""Of two fields on one subject: `**Path:** …` has one in common with the path of anything else."""


def list_pairs(
    lines: Sequence[MemoryLine], changed: Collection[str]
) -> Iterator[tuple[MemoryLine, MemoryLine, tuple[str, ...]]]:
    """Yield the pairs of entries in force that contradict each other, and why; one of each has its id in `changed`.

    Candidates share most of their words. Two bare lines of journals, or below dates, are none: a log has another number
    each day. Nor are lines with more than two other values, or denials, or five other lines, in their place: they are a
    series. Nor are lines of records of one form, such as the entries of a log or the reports on two things; nor those
    that only introduce or link something.
    """
    forms = _Forms(lines)
    pairs = [pair for pair in _list_clashes(lines, changed) if not forms.are_alike(pair[0], pair[1])]
    values_seen: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for line, other, reasons in pairs:
        values_seen[line.id].add(reasons)
        values_seen[other.id].add(reasons)
    partners = Counter(name for line, other, _ in pairs for name in (line.id, other.id))
    series = {name for name, found in values_seen.items() if len(found) > _MAX_VALUES or partners[name] > _MAX_PARTNERS}
    yield from (pair for pair in pairs if not {pair[0].id, pair[1].id} & series)


class _Forms:
    """The titles of files, and the labels of their sections: what stands before a colon, or in a table's first cell."""

    def __init__(self, lines: Iterable[MemoryLine]) -> None:
        self._titles: defaultdict[str, set[str]] = defaultdict(set)
        self._labels: defaultdict[tuple[str, tuple[str, ...]], Counter[str]] = defaultdict(Counter)
        for line in lines:
            self._titles[line.path].update(line.section)
            self._labels[line.path, line.section].update(_LABEL.findall(_MARKS.sub("", line.text)))

    def are_alike(self, line: MemoryLine, other: MemoryLine) -> bool:
        """Return whether two lines are of two topic files with two titles in common, or of two records of a file.

        Records have two labels, and a third of theirs, in common: two sections, or one that has them several times.
        """
        if line.path != other.path:
            shared = self._titles[line.path] & self._titles[other.path]
            return file_roles.MEMORY not in {line.path, other.path} and len(shared) >= _MIN_SHARED
        labels, other_labels = (self._labels[one.path, one.section] for one in (line, other))
        repeated = {label for label, count in labels.items() if count > (line.section == other.section)}
        count = len(repeated & other_labels.keys())
        return count >= _MIN_SHARED and _MIN_SHARE * max(len(labels), len(other_labels)) <= count


def _list_clashes(
    lines: Sequence[MemoryLine], changed: Collection[str]
) -> Iterator[tuple[MemoryLine, MemoryLine, tuple[str, ...]]]:
    claims = (line for line in lines if not (is_superseded(line) or is_link(line.text) or _NO_CLAIM.search(line.text)))
    by_id = {line.id: line for line in claims}
    index = Known[str]()
    for name, line in by_id.items():
        index.add(name, read_words(line))
    pairs: set[frozenset[str]] = set()
    for name in (name for name in by_id if name in changed):
        line = by_id[name]
        for other in (by_id[key] for key in index.near(read_words(line), _MAX_NEAR) if key != name):
            pair = frozenset((name, other.id))
            if pair in pairs or (_is_of_a_day(line) and _is_of_a_day(other) and not (line.tag and other.tag)):
                continue
            pairs.add(pair)
            is_field = ":" in line.text and ":" in other.text
            if is_field and len(content_words(line.text) & content_words(other.text)) < _MIN_SHARED_WORDS:
                continue
            if (reasons := _judge_lines(line, other)) is not None:
                yield line, other, reasons


def _is_of_a_day(line: MemoryLine) -> bool:
    return line.role == "journal" or any(_DAY.search(title) for title in line.section)


def _judge_lines(line: MemoryLine, other: MemoryLine) -> tuple[str, ...] | None:
    """Return the reason that two entries contradict each other; None if they do not.

    A label, such as `Bed at 20:00`, is about the title above it. So may be the entry with fewer words.
    """
    texts, titles = [read_words(line), read_words(other)], [" ".join(item.section[-1:]) for item in (line, other)]
    pairs = zip(texts, _list_others(*map(values.find, texts)), strict=True)
    counts = [len(content_words(text, [value.text for value in other])) for text, other in pairs]
    if titles[0] == titles[1]:
        return judge(*texts)
    titled = [f"{title}: {text}" if title else text for title, text in zip(titles, texts, strict=True)]
    labelled = [titled[number] if counts[number] <= 1 else texts[number] for number in (0, 1)]
    shorter = counts.index(min(counts))
    return judge(*labelled) or (judge(titled[shorter], texts[1 - shorter]) if counts[1 - shorter] > 1 else None)
