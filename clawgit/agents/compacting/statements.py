"""What a journal states, in its own words."""
# ruff: noqa: RUF001 -- the marks of many scripts

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import dedent
from typing import NamedTuple

from msgspec.structs import replace

from clawgit.agents.mining.signs import signs, tongue, words
from clawgit.agents.mining.weights import HINT
from clawgit.errors import ClawgitError
from clawgit.language.sentences import sentences
from clawgit.text.bullet import bullet
from clawgit.text.correction import one_line
from clawgit.text.document import parse
from clawgit.text.entry import Entry, entries
from clawgit.workspace.guard import cleaned

DECISIONS, NOTES = "Decisions", "Notes"
_TIME = re.compile(
    r"^\W*(?:\d{4}-\d{2}-\d{2})?[T ,]*(?:\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?: ?[ap]m)?)?[\s:\])–—-]*", re.IGNORECASE
)
_DAY_TITLE = re.compile(
    r"^[\W\d]*(?:\d{4}-\d{2}-\d{2}|[a-z]*day|daily (?:log|notes?)|journal|log|notes?|session)[\W\d]*(?:UTC)?$",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"^\W*(?:key )?decisions?\b|^\W*entscheidung|^\W*d[ée]cisions?\b|^\W*decisiones?\b|^\W*decis[õã]|决定|決定|결정",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"^\W*(?:\[[^\]\n]{1,40}\]\s*)?[\w .-]{1,24}:\s+")
_CONCRETE = re.compile(r"\d|https?:|#\w|[`@/]|(?<=\S )[^\W\d_a-z]|[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]{6}")
_TALK = re.compile(
    r"(?:(?:ok(?:ay)?|fine|great|nice|cool|good|perfect|thanks?|thank you|thx|sure|yes|yep|no|nope|hi|hello|hey|bye"
    r"|lol|haha|sounds good|got it|will do|all good|well done|you're welcome|no problem|anytime|so much|a lot|there"
    r"|everyone|all|then|and|good morning|good night|see you|danke|gern|merci|gracias)[\s,.!]*)+"
)
_LEAD = re.compile(r"[^\d\n]{2,60}[:：]\**|\*\*[^\d\n*]{2,60}\*\*")
_QUOTED = re.compile(r"^[ \t]*>+[ \t]?", re.MULTILINE)
_MARKER = re.compile(r"\A[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_BRIEF = 60
_NAME = 3
_LONGEST_TITLE = 80


class Statement(NamedTuple):
    """One bullet as it will stand in a chronicle, and what it is about; `said` are its words alone."""

    subject: str
    said: str
    bullet: str


def statements(text: str) -> list[Statement]:
    """Return what a journal states, in its order: its bullets, rows, paragraphs and quotes, without the small talk."""
    plain = cleaned(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    rows, found = parse(plain).lines, list[Statement]()
    for group in _led(list(_grouped(entries(plain)))):
        found += _stated(group, rows)
    for one in parse(plain).blocks:
        if one.kind == "quote":
            words = _QUOTED.sub("", "".join(rows[one.start - 1 : one.end])).strip()
            found += _bullet(NOTES, words, None)
    return found


def _grouped(some: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Yield entries, each bullet together with those that are nested in it: they mean nothing without it."""
    group: list[Entry] = []
    for one in some:
        if group and not (group[0].depth and (one.depth > group[0].depth)):
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def _led(groups: Sequence[list[Entry]]) -> Iterator[list[Entry]]:
    """Yield groups of entries; a line that only leads a list becomes the title of what it leads."""
    lead: Entry | None = None
    for group, after in zip(groups, [*groups[1:], None], strict=False):
        first = group[0]
        if first.kind == "paragraph" and _LEAD.fullmatch(first.text) and after and _leads(first, after[0]):
            lead = first
        elif lead and _leads(lead, first):
            title = lead.text.strip("*_:： ")
            yield [replace(first, section=(*first.section, title)), *group[1:]]
        else:
            lead = None
            yield group


def _leads(lead: Entry, one: Entry) -> bool:
    return one.kind == "bullet" and one.section == lead.section


def _stated(group: Sequence[Entry], rows: Sequence[str]) -> Iterator[Statement]:
    entry = group[0]
    if group[1:]:
        said = "\n".join(one.text for one in group)
        subject = _subject_of(entry, said)
        whole = dedent("".join(rows[entry.start - 1 : group[-1].end])).rstrip("\n")
        raw = _MARKER.sub("- ", whole, count=1)
        if _stands(raw):
            yield Statement(subject, said, raw)
        else:
            yield from _bullet(subject, one_line(said), entry)
        return
    for said in _kept(entry):
        yield from _bullet(_subject_of(entry, said), said, entry)


def _stands(raw: str) -> bool:
    """Tell whether lines are one list, after which others can stand."""
    kinds = [one.kind for one in parse(f"{raw}\n\n# end\n").blocks if one.kind != "blank"]
    return kinds[-1:] == ["heading"] and set(kinds[:-1]) <= {"bullet", "continuation"}


def _bullet(subject: str, said: str, entry: Entry | None) -> Iterator[Statement]:
    tag, status = (entry.tag, entry.status) if entry else (None, ())
    for plain in (said, one_line(said), _bare(said)):
        try:
            written = bullet(plain, tag, status)
        except ClawgitError:
            continue
        if entry and entry.checked is not None:
            written = f"- [{'x' if entry.checked else ' '}] {written[2:]}"
        yield Statement(subject, plain, written)
        return
    if bare := _bare(said):
        yield Statement(subject, bare, f"- {bare}")


def _bare(said: str) -> str:
    """Return words without what Markdown could take for more than words."""
    return " ".join(re.sub(r"[<>#`*_\[\]]", " ", said).split()).lstrip("-+=~|:. ")


def _kept(entry: Entry) -> Iterator[str]:
    """Yield the words of an entry without the small talk; of a chat each turn by itself."""
    if entry.kind != "paragraph":
        if entry.tag or entry.kind == "row" or not idle(entry.text):
            yield entry.text
        return
    turns = entry.text.split("\n")
    if sum(bool(_SPEAKER.match(one)) for one in turns) * 2 >= len(turns) > 1:
        yield from (one for one in turns if not idle(one))
        return
    spans = [entry.text[one.start : one.end] for one in sentences(entry.text)]
    said = [one for one in spans if not idle(one)]
    if len(said) == len(spans):
        yield entry.text
    elif said:
        yield " ".join(said)


def idle(said: str) -> bool:
    """Tell whether words are small talk: a greeting, thanks, or a question, and name nothing."""
    own = _SPEAKER.sub("", said).strip()
    if not own or len(own) > _BRIEF or _CONCRETE.search(own):
        return not own
    known = tongue(own)
    lower = own.lower().strip(" .!~,*_")
    return bool(own.endswith(("?", "？")) or _TALK.fullmatch(lower) or known.idle.search(lower))


def _subject_of(entry: Entry, said: str) -> str:
    return DECISIONS if _decides(entry, said) else _subject(entry.section)


def _decides(entry: Entry, said: str) -> bool:
    if entry.tag == "decision" or any(_DECIDED.search(title) for title in entry.section):
        return True
    if entry.tag:
        return False
    own = _SPEAKER.sub("", said)
    lower, told = own.lower(), words(own)
    known = tongue(own)
    return bool(signs(own, told, known) & HINT["decision"] and known.decision.search(lower)) and "?" not in own


def _subject(section: tuple[str, ...]) -> str:
    """Return what the innermost title is about, without its time; "Notes" where no title says."""
    for title in reversed(section):
        plain = " ".join(_TIME.sub("", title, count=1).split()).strip("#*_ ")
        if len(plain) >= _NAME and not _DAY_TITLE.match(title) and any(map(str.isalpha, plain)):
            return plain[:_LONGEST_TITLE]
    return NOTES
