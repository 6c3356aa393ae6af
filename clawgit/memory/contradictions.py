"""Finds entries that contradict each other."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from clawgit import file_roles
from clawgit.language import lexicon, values
from clawgit.language.values import Value, content_words, equal, is_unit
from clawgit.memory.in_force import is_superseded, read_words
from clawgit.text.edit import is_link
from clawgit.text.similarity import NEGATIONS, NoteIndex, find_leftovers, make_word_bag, read_note_words
from clawgit.workspace.memory_lines import MemoryLine

_DENIALS = NEGATIONS | make_word_bag("不 没 沒 無 无 未 非 否 别 勿 안 못 않 아니다")
_SMALL = make_word_bag("do does did to be the now one anymore any 's of for at in on was have am im um bei zu =")
_KANA = re.compile("[\u3041-\u309f要是会能可以必须地하]+")
_SIGN = re.compile(r"^(?:u:|#|[DTM]-*(?=\d))")
_MIN_WORDS_OF_CLAUSE = 3
_MAX_MORE_WORDS = 1  # in one note, behind equal words and the value: `on Thursdays only`


def find_contradiction(text: str, other: str) -> str:
    """Return the reason that two notes contradict each other, in words; "" if they do not.

    With all else alike, one number, date or name differs, or one denies the other.
    """
    rest = find_leftovers(read_note_words(text), read_note_words(other))
    denials = [[word for word in words if word in _DENIALS] for words in rest]
    is_eastern = lexicon.eastern(text)
    if _denies(rest[0]) != _denies(rest[1]):
        claims = [
            " ".join(word for word in words if not (word in _DENIALS or word in _SMALL or _KANA.fullmatch(word)))
            for words in rest
        ]
        is_same = not any(claims) if is_eastern else content_words(claims[0]) == content_words(claims[1])
        is_clash = is_same and not any(map(str.isdigit, "".join(claims)))
        rest = ([*denials[0], *denials[1]], []) if any(denials) else rest
    else:
        counts = [
            sum(not (word in _SMALL or _KANA.fullmatch(word) or is_unit(word)) for word in words) for words in rest
        ]
        plain = [unicodedata.normalize("NFKC", note) for note in (text, other)]
        is_clash = _has_other_value(*plain, counts=counts)
        if not is_eastern:  # days and weekdays as they were written
            rest = find_leftovers(*([word.strip(",.;:") for word in note.split()] for note in (text, other)))
    if not is_clash or not any(rest):
        return ""
    sides = [" ".join(_SIGN.sub("", word) for word in words) for words in rest if words]
    return " against ".join(sides) if len(sides) > 1 else f"only one says: {sides[0]}"


def _denies(words: Iterable[str]) -> bool:
    word_set = set(words)
    return bool(_DENIALS & word_set) or word_set >= {"な", "い"}


def _has_other_value(text: str, other: str, *, counts: Sequence[int]) -> bool:
    """Return whether two notes differ in one value of a type and their words in nothing else, or in one name.

    `counts` are those of the words that only one of them has. One may have a further word behind its value.
    """
    mine, theirs = _list_others(values.find_values(text), values.find_values(other))
    if not (mine or theirs):
        all_names = (
            [n for n in values.names(item) if not n.overlaps(values.find_values(item))] for item in (text, other)
        )
        mine, theirs = _list_others(*all_names)
    if not len(mine) == len(theirs) == 1:
        return False
    pair = mine[0], theirs[0]
    kinds = {"number" if value.kind.startswith(("number", "year")) else value.kind for value in pair}
    words, others = (
        content_words(item, [value.text for value in pair]) - values.units().keys() for item in (text, other)
    )
    is_name = kinds <= {"name", "path"}
    firsts = {content_words(item[: value.start]) for item, value in zip((text, other), pair, strict=True)}
    more = words ^ others
    limit = _MAX_MORE_WORDS if len(firsts) == 1 else 0
    is_typed = min(counts) <= 1 and len(more) == max(0, max(counts) - 1) <= limit
    is_same = not more if is_name else is_typed
    if len(kinds) > 1 or not is_same or len(words) <= is_name:
        return False
    return all(_is_told(item, value, is_name=is_name) for item, value in zip((text, other), pair, strict=True))


def _is_told(text: str, value: values.Value, *, is_name: bool) -> bool:
    """Return whether a value says something of the words before it: of several, or of one.

    Of one it does at the end of the text, or in a clause: `The bus is at 9:15 on Mondays`, not `Bus at 9:15 to Porto`.
    What is counted, as in `12 chairs`, and a unit are part of it.
    """
    before = text[: value.start]
    count = len(content_words(before))
    if lexicon.eastern(text):
        return count > 0
    is_linked = before.rstrip(" *_").endswith(":") or not content_words(" ".join(before.split()[-1:]))
    counted = {value.kind.partition(" ")[2]} if value.kind.startswith("number ") else set()
    is_clause = not is_name and len(before.split()) >= _MIN_WORDS_OF_CLAUSE
    is_last = content_words(text[value.end :]) <= values.units().keys() | counted
    return count > 1 - (is_linked and (is_clause or is_last)) and (is_linked or not is_name)


def _list_others(some: Iterable[Value], others: Iterable[Value]) -> tuple[list[Value], list[Value]]:
    """Return the values of each of two notes that the other has not."""
    mine, theirs = list(some), list(others)

    def is_in(value: Value, other_values: Iterable[Value]) -> bool:
        return any(value.kind == item.kind and equal(value, item) for item in other_values)

    return [item for item in mine if not is_in(item, theirs)], [item for item in theirs if not is_in(item, mine)]


# ---- many entries

_MAX_NEAR, _MAX_VALUES, _MAX_PARTNERS = 20, 2, 5
_LABEL = re.compile(r"^([^\n:：|]{1,40})(?:: |：| \| )", re.MULTILINE)  # noqa: RUF001 - the colon of Chinese
_MARKS = re.compile(r"[*_\d]+")
_NO_CLAIM = re.compile(r"[:：][*_]*\s*$|^\[[^\]]*\]\(\S*\)$")  # noqa: RUF001 - the colon of Chinese
_DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")
_MIN_SHARED = 2
"""Labels or titles that make two sections or files of one form."""
_MIN_SHARE = 1 / 3


def list_pairs(lines: Sequence[MemoryLine], changed: Collection[str]) -> Iterator[tuple[MemoryLine, MemoryLine, str]]:
    """Yield the pairs of entries in force that contradict each other, and why; one of each has its id in `changed`.

    Candidates share most of their words. Two bare lines of journals, or below dates, are none: a log has another number
    each day. Nor are lines with more than two other values, or five other lines, in their place: they are a series. Nor
    are lines of records of one form, such as the entries of a log or the reports on two things.
    """
    are_alike = _compare_forms(lines)
    pairs = [pair for pair in _list_clashes(lines, changed) if not are_alike(pair[0], pair[1])]
    values_seen: defaultdict[str, set[str]] = defaultdict(set)
    for line, other, reason in pairs:
        values_seen[line.id].add(reason)
        values_seen[other.id].add(reason)
    partners = Counter(name for line, other, _ in pairs for name in (line.id, other.id))
    series = {
        name
        for name, value_set in values_seen.items()
        if len(value_set) > _MAX_VALUES or partners[name] > _MAX_PARTNERS
    }
    yield from (pair for pair in pairs if not {pair[0].id, pair[1].id} & series)


def _compare_forms(lines: Iterable[MemoryLine]) -> Callable[[MemoryLine, MemoryLine], bool]:
    """Return the test whether two lines are of two topic files with two titles in common, or of two records of a file.

    Records have two labels, and a third of theirs, in common: two sections, or one that has them several times. A label
    is in front of a colon, or in a table's first cell.
    """
    titles: defaultdict[str, set[str]] = defaultdict(set)
    labels: defaultdict[tuple[str, tuple[str, ...]], Counter[str]] = defaultdict(Counter)
    for line in lines:
        titles[line.path].update(line.section)
        labels[line.path, line.section].update(_LABEL.findall(_MARKS.sub("", line.text)))

    def are_alike(line: MemoryLine, other: MemoryLine) -> bool:
        if line.path != other.path:
            shared = titles[line.path] & titles[other.path]
            return file_roles.MEMORY not in {line.path, other.path} and len(shared) >= _MIN_SHARED
        mine, theirs = (labels[item.path, item.section] for item in (line, other))
        count = len({label for label, n in mine.items() if n > (line.section == other.section)} & theirs.keys())
        return count >= _MIN_SHARED and _MIN_SHARE * max(len(mine), len(theirs)) <= count

    return are_alike


def _list_clashes(
    lines: Sequence[MemoryLine], changed: Collection[str]
) -> Iterator[tuple[MemoryLine, MemoryLine, str]]:
    claims = (line for line in lines if not (is_superseded(line) or is_link(line.text) or _NO_CLAIM.search(line.text)))
    by_id, index = {line.id: line for line in claims}, NoteIndex[str]()
    for name, line in by_id.items():
        index.add(name, read_words(line))
    pairs: set[frozenset[str]] = set()
    for line in (line for name, line in by_id.items() if name in changed):
        for other in (by_id[key] for key in index.near(read_words(line), _MAX_NEAR) if key != line.id):
            pair = frozenset((line.id, other.id))
            are_of_days = _is_of_day(line) and _is_of_day(other) and not (line.tag and other.tag)
            # `**Path:** …` has one word in common with the path of anything else.
            are_fields = ":" in line.text and ":" in other.text
            shared = content_words(line.text) & content_words(other.text)
            if pair not in pairs and not are_of_days and not (are_fields and len(shared) < _MIN_SHARED):
                pairs.add(pair)
                if reason := explain_contradiction(line, other):
                    yield line, other, reason


def _is_of_day(line: MemoryLine) -> bool:
    return line.role == "journal" or any(_DAY.search(title) for title in line.section)


def explain_contradiction(line: MemoryLine, other: MemoryLine) -> str:
    """Return the reason that two entries contradict each other; "" if they do not.

    A label, such as `Bed at 20:00`, is about the title above it. So may be the entry with fewer words.
    """
    texts, titles = [read_words(line), read_words(other)], [" ".join(item.section[-1:]) for item in (line, other)]
    if titles[0] == titles[1]:
        return find_contradiction(*texts)
    counts = [len(content_words(text, [value.text for value in values.find_values(text)])) for text in texts]
    titled = [f"{title}: {text}" for title, text in zip(titles, texts, strict=True)]
    shorter = counts.index(min(counts))
    if counts[1 - shorter] <= 1:
        return find_contradiction(*titled)
    return find_contradiction(*texts) * (counts[shorter] > 1) or find_contradiction(titled[shorter], texts[1 - shorter])
