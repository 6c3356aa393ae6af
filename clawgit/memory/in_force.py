"""Corrections in force, and entries against them."""
# ruff: noqa: RUF001 -- punctuation of several scripts

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from datetime import date
from functools import cache, lru_cache
from itertools import chain
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, correction_contradicted
from clawgit.git import history, repository
from clawgit.language import values
from clawgit.language.values import content_words, find_value_places, is_alike, names, remove_glosses
from clawgit.memory.corrected_values import has_claim, is_copy, is_narrowed, is_past, read_own_words
from clawgit.memory.value_exchange import replace_value
from clawgit.text import document
from clawgit.text.conflict import Correction
from clawgit.text.entry import QUOTE, entries, mark_other_line, normalise, remove_clock
from clawgit.text.similarity import NEGATIONS, is_same_note, read_note_words
from clawgit.workspace import entries as sidecar
from clawgit.workspace.correction_records import list_records
from clawgit.workspace.memory_lines import MEMORY_ROLES, MemoryLine, list_lines
from clawgit.workspace.workspace import Workspace

_MIN_COVERED, _MIN_OWN = 2 / 3, 1 / 2
"""The shares of a rule's subject that a text names, and of its own words that are of that subject."""
ONLY_ANSWER = "--only "
"""Begins the answer to an item of which the operator chose some entries; their numbers follow."""
_MAX_TEXT_CHARS = 2_000
_EDGE = re.compile(
    r"[,;:，、；：—–(](?!\d)\s*|[.!?。]\s|\s-\s|\s(?:and|but|so|because|und|aber|weil|denn|y|pero|porque|et|mais|car)\s",
    re.IGNORECASE,
)

Relation = Literal["same", "about", ""]
"""A text says the wrong side of a rule and nothing else, or says it of the same subject; "": neither."""


class Rule(Struct, frozen=True):
    """A correction in force: in its `subject`, a whole sentence with `wrong` in it, `right` is true.

    `true` is the whole true sentence instead, "" if nobody wrote one.
    """

    id: str
    subject: str
    wrong: str
    right: str
    true: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether the whole sentence is wrong."""
        return self.wrong == self.subject


def list_rules(record: Correction) -> Iterator[Rule]:
    """Yield the rule of a record, and those of its further entries; none if it lacks a side."""
    wrong, right = record.values
    subject = record.subject or (wrong if len(content_words(wrong)) > 1 else "")
    if wrong and right and not find_value_places(subject, wrong):  # nobody said the whole of what is wrong
        spots = find_value_places(record.true, right) if record.true != right else []
        subject = replace_value(record.true, *spots[0], wrong) if len(spots) == 1 else subject
    if not right or not subject:
        return
    if not wrong or normalise(wrong) == normalise(subject):
        wrong = subject
    yield Rule(record.id, subject, wrong, right, record.true if record.true != right or wrong == subject else "")
    yield from (Rule(record.id, before, *record.values, after) for before, after in record.others)


def read_rules(records: Iterable[Correction]) -> tuple[Rule, ...]:
    """Return the rules of records, the oldest first.

    Of two corrections of one value the last one is in force: the first one's is wrong then, too.
    """
    rules: list[Rule] = []
    by_subject: dict[frozenset[str], list[Rule]] = {}
    for rule in chain.from_iterable(map(list_rules, records)):
        same_wrong = (item for item in by_subject.get(read_subject(rule), ()) if is_equal(item.wrong, rule.wrong))
        earlier = [item for item in same_wrong if not is_equal(item.right, rule.right)]
        added = [rule, *(Rule(rule.id, _write_true(item), item.right, rule.right, rule.true) for item in earlier)]
        rules += added
        for item in added:
            by_subject.setdefault(read_subject(item), []).append(item)
    return tuple(rules)


def is_continuation(rule: Rule, record: Correction) -> bool:
    """Return whether the wrong side of a rule is the true one of an older record on the same subject."""
    return any(
        is_equal(older.right, rule.wrong) and read_subject(older) == read_subject(rule) for older in list_rules(record)
    )


def rules_of(workspace: Workspace) -> tuple[Rule, ...]:
    """Return the rules in force in a workspace, the oldest first."""
    return read_rules(record.record for record in list_records(workspace))


def _write_true(rule: Rule) -> str:
    """Return the subject of a rule with what is right in it."""
    spots = find_value_places(rule.subject, rule.wrong)
    return rule.true or (replace_value(rule.subject, *spots[0], rule.right) if spots else rule.right)


def is_equal(text: str, other: str) -> bool:
    """Return whether two values are the same, perhaps in other writing."""
    return normalise(text) == normalise(other) or bool(
        find_value_places(text, other) and find_value_places(other, text)
    )


@lru_cache(maxsize=1024)
def read_subject(rule: Rule) -> frozenset[str]:
    """Return the subject of a rule: the content words, without its values unless all of it is wrong."""
    return content_words(rule.subject, () if rule.is_whole else (rule.wrong, rule.right))


def relate(text: str, rule: Rule) -> Relation:
    """Return how a text relates to the sentence that a rule calls wrong.

    A look-alike is none: of somebody else, of an earlier time, denied, quoted, with a value of another type.
    """
    if rule.is_whole:
        return "same" if is_same_note(text, rule.subject) else ""
    plain = text if len(text) <= _MAX_TEXT_CHARS else ""
    spots = _find_value(plain, rule.wrong, rule.right)
    is_right = rule.right != rule.wrong and _find_value(plain, rule.right, rule.wrong)
    if not spots or is_right or not _find_value(read_own_words(plain), rule.wrong, rule.right):
        return ""
    if _is_other(plain, rule) or not any(_is_of_type(plain, spot, rule) for spot in spots):
        return ""
    ignored, subject = (rule.wrong, rule.right), read_subject(rule)
    if len(spots) == 1 and is_copy(plain, rule.subject, ignored):
        return "same"
    for start, end in spots:
        clause = _read_clause(plain, start, end, ignored)
        shared = len(clause & subject)
        if subject and shared >= _MIN_COVERED * len(subject) and shared >= _MIN_OWN * len(clause):
            return "about"
    return ""


def _find_value(text: str, value: str, other: str) -> list[tuple[int, int]]:
    """Return the places of a value in a text that is no part of another one."""
    longer = find_value_places(text, other) if len(other) > len(value) else []
    return [
        spot
        for spot in find_value_places(text, value)
        if not any(begin <= spot[0] and spot[1] <= b for begin, b in longer)
    ]


def _is_of_type(text: str, spot: tuple[int, int], rule: Rule) -> bool:
    """Return whether a value of a text may be the wrong one of a rule: the 8 of a room is no hour, as in `8:00`."""
    spans = (text, spot), *((rule.subject, place) for place in find_value_places(rule.subject, rule.wrong)[:1])
    values_here, *values_there = (
        [v for v in values.find_values(item) if v.start < end and start < v.end] for item, (start, end) in spans
    )
    pairs = [(value, other) for value in values_here for others in values_there for other in others]
    return not pairs or any(is_alike(value, other) for value, other in pairs)


def _is_other(text: str, rule: Rule) -> bool:
    """Return whether a text is about somebody else than a rule, about an earlier time, or denies it."""
    mine, theirs = (_list_names(item, rule) for item in (text, rule.subject))
    words, subject_words = (frozenset(re.findall(r"[^\W_]+", item.casefold())) for item in (text, rule.subject))
    if mine and theirs and mine.isdisjoint(subject_words) and theirs.isdisjoint(words):
        return True
    is_marked = has_claim("narrows", text) and not has_claim("narrows", rule.subject)
    is_narrower = is_marked or is_narrowed(text, read_subject(rule), (rule.wrong, rule.right))
    is_denied = bool(
        NEGATIONS & words.union(read_note_words(text)) - subject_words.union(read_note_words(rule.subject))
    )
    return is_narrower or is_denied or (is_past(text) and not is_past(rule.subject))


def _list_names(text: str, rule: Rule) -> frozenset[str]:
    """Return the words of the names of a text, without the values of a rule."""
    all_names = " ".join(name.text for name in names(text)).casefold()
    values_of_rule = f"{rule.wrong} {rule.right}".casefold()
    return frozenset(re.findall(r"[^\W_]+", all_names)).difference(re.findall(r"\w+", values_of_rule))


def _read_clause(text: str, start: int, end: int, without: Iterable[str]) -> frozenset[str]:
    """Return the subject of the clause with characters `start` to `end`; if it names nothing, with those before."""
    edges = [match.span() for match in _EDGE.finditer(text)]
    last = min((begin for begin, _ in edges if begin >= end), default=len(text))
    starts = (0, *(stop for _, stop in edges if stop <= start))
    clauses = (content_words(text[first:last], without) for first in reversed(starts))
    return next(filter(None, clauses), frozenset())


def find_rule(text: str, rules: Iterable[Rule], *relations: Relation) -> Rule | None:
    """Return the newest rule that a text contradicts, None if there is none or one confirms it."""
    kinds, rule_list = relations or ("same", "about"), tuple(rules)
    for plain in dict.fromkeys((text, remove_glosses(text))):
        for rule in reversed(rule_list):
            if relate(plain, rule) in kinds:
                return rule
            is_said = not rule.is_whole and relate(plain, replace(rule, wrong=rule.right, right=rule.wrong))
            if is_said in ("same", "about"):
                break
    return None


def require_none(text: str, rules: Iterable[Rule]) -> None:
    """Raise ClawgitError that names the correction if a text contradicts one."""
    if rule := find_rule(text, rules):
        raise correction_contradicted(
            f"the operator corrected that: not {rule.wrong!r} but {rule.right!r}",
            fix=Command("clawgit show {}", rule.id) if rule.id else Command("clawgit corrections"),
        )


def read_words(line: MemoryLine) -> str:
    """Return the words of an entry; of a journal without the time of day in front."""
    return remove_clock(line.path, line.text)


def is_superseded(line: MemoryLine) -> bool:
    """Return whether an entry is out of force."""
    return line.status == "superseded" or re.search(r"#superseded\b", line.text) is not None


def list_against(
    workspace: Workspace, rules: Iterable[Rule], since: date | None = None
) -> list[tuple[MemoryLine, Rule]]:
    """Return the entries that go against a rule in its own words, each with the rule, those of journals last.

    Of journals only those from the day `since` on are looked at.
    """
    values = [((rule.wrong.casefold(), rule.right.casefold()), rule) for rule in rules]
    paths: tuple[str, ...] = ()
    if since and values:
        with workspace.open_table() as table:
            all_paths = table.list_paths(MEMORY_ROLES)
        paths = tuple(path for path in all_paths if (file_roles.journal_day(path) or since) >= since)
        paths = paths or workspace.memory_files
    result = []
    for line in list_lines(workspace, *MEMORY_ROLES, paths=paths) if values else ():
        text = line.text.casefold()
        # A newer rule may confirm what an older one calls wrong.
        matches = [rule for (wrong, right), rule in values if wrong in text or right in text]
        if matches and (rule := find_rule(read_words(line), matches)):
            result.append((line, rule))
    return sorted(result, key=lambda pair: pair[0].role == "journal")


def list_other_lines(workspace: Workspace, rules: Collection[Rule]) -> Iterator[tuple[str, int, str]]:
    """Yield the path, the number and the text of each heading and line of quotations and code against a rule."""
    head = repository.head(workspace.repo) if rules else None
    for path in repository.files(workspace.repo, head) if head else ():
        if path.startswith("agents/") or not workspace.find_role(path):
            continue
        text = workspace.read_loosely(path)
        matches = {n: row for n, row in enumerate(document.split(text), 1) if _goes_against(row, rules)}
        spans = [(entry.start, entry.end) for entry in entries(text)] if matches else []
        for number, row in matches.items():
            if row.lstrip().startswith(QUOTE) or not any(start <= number <= end for start, end in spans):
                yield path, number, row


def _goes_against(row: str, rules: Iterable[Rule]) -> bool:
    words = mark_other_line(row).lstrip("> ")
    return any(rule.wrong.casefold() in words.casefold() and relate(words, rule) for rule in rules)


def list_arrivals(workspace: Workspace, since: date) -> list[tuple[MemoryLine, Rule]]:
    """Return the entries in force that others wrote against a correction: any of memory, of journals those since a day.

    Left out are the operator's own statements, entries that he declined to correct or that an item asks about, and
    those that an undo put in force again; of memory files everything against a record that did not come through
    clawgit.
    """
    against = list_against(workspace, rules_of(workspace), since)
    pairs = [
        pair for pair in against if not (is_superseded(pair[0]) or (pair[0].origin == "operator" and pair[0].mentions))
    ]
    exempt_ids = _list_restored(workspace) | _list_asked(workspace) if pairs else frozenset()

    @cache
    def is_ours(name: str) -> bool:  # one that is just in the file may be anybody's
        log = history.walk_log(
            workspace.repo, file_roles.CORRECTIONS, containing=f"Clawgit-Change: {name}", named=False
        )
        return any(commit.ours for commit in log)

    return [
        (line, rule)
        for line, rule in pairs
        if line.id not in exempt_ids and (line.role == "journal" or (rule.id and is_ours(rule.id)))
    ]


def _list_asked(workspace: Workspace) -> frozenset[str]:
    """Return the ids of the entries that the operator rejected, or did not choose, in an item, or that one asks about.

    An open item asks about them if a correction left them open.
    """
    ids = set[str]()
    for item in workspace.store.read_items("open", "rejected", "accepted", kind="correction", edits=False):
        numbers = item.answer.removeprefix(ONLY_ANSWER).split(",") if item.answer.startswith(ONLY_ANSWER) else []
        if numbers or item.state == "rejected" or (item.state == "open" and "record" in item.details):
            choices = enumerate(item.details.get("choices", ()), 1)
            ids.update(name for number, name in choices if str(number) not in numbers)
    return frozenset(ids)


def _list_restored(workspace: Workspace) -> frozenset[str]:
    """Return the ids of the entries that went out of force, and that an undo put in force again."""
    ids = set[str]()
    for undo in history.walk_log(workspace.repo, sidecar.PATH, containing="Clawgit-Undoes: ", named=False):
        if not undo.as_ours:
            continue
        with suppress(ClawgitError):
            texts = (repository.read(workspace.repo, commit, sidecar.PATH) for commit in (*undo.parents[:1], undo.id))
            states = [sidecar.parse((text or b"").decode("utf-8", "replace")) for text in texts]
            old, new = ({name for name, row in rows.items() if row.status == "superseded"} for rows in states)
            ids |= old - new
    return frozenset(ids)
