"""Makes of a lesson one small edit."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.entry_placement import Placed, place
from clawgit.agents.explicit_requests import LONGEST_QUOTE
from clawgit.agents.keeping import drift
from clawgit.agents.keeping.drift import Line
from clawgit.agents.known_memories import LESSONS
from clawgit.agents.messages_to_read import Heard
from clawgit.agents.running import Act, Learnt, Proposal, View
from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.language import standing_rules
from clawgit.safety import injection, secrets
from clawgit.text import confidence, evidence_pointer, line_edits
from clawgit.text.document import sections
from clawgit.text.edit import bullet
from clawgit.text.entry import digest, entries, named, normalise
from clawgit.text.evidence_pointer import Pointer
from clawgit.text.sameness.note_comparison import compare
from clawgit.text.tokens import count
from clawgit.workspace import commit_message, file_roles, write_guard
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.entries import Row
from clawgit.workspace.unkept_requests import message_of_mention

_ADDRESS = re.compile(r"\S@\S|://|\bwww\.", re.IGNORECASE)
_BY_OPERATOR = "Operator: "
UNPROVEN = "nobody can tell from here that these are the operator's own words"


class Lesson(Struct, frozen=True):
    """A rule in the words in which it was said; with a `doubt` it waits for the operator.

    `work` tells that it is about how work is done, which is nothing of the identity. `pointer` cites it, `mention`
    names its message, `time` counts seconds since 1970.
    """

    words: str
    doubt: str
    work: bool
    pointer: str
    mention: str
    time: float

    @property
    def day(self) -> date:
        """The day on which it was said, in UTC."""
        return datetime.fromtimestamp(self.time, UTC).date()

    @property
    def id(self) -> str:
        """What it is known by once something was made of it: its message and its words."""
        return named("\0".join(("soul", message_of_mention(self.mention), normalise(self.words))))


class Remarks(Struct, frozen=True):
    """What a message tells, and for each other sentence that orders something for always why it does not."""

    lessons: tuple[Lesson, ...] = ()
    refused: tuple[str, ...] = ()


def hear(heard: Heard) -> Remarks:
    """Return the standing rules that a message of the operator gives (spec P2).

    What others wrote, what is quoted or pasted, tasks and questions give nothing.
    """
    text = heard.text
    if heard.origin != "operator" or heard.time is None:
        return Remarks()
    found = list(standing_rules.rules(text))
    if not found or secrets.scan(text):
        return Remarks()
    lessons, refused = list[Lesson](), list[str]()
    for one in found:
        said = text[one.start : one.end]
        pointer = heard.pointer(said[:LONGEST_QUOTE].strip())
        if _ADDRESS.search(said) or injection.scan(f"- {one_line(said)}"):
            refused.append("order")
        elif pointer is None:
            refused.append("cannot be cited")
        else:
            lessons.append(Lesson(one_line(said), one.doubt, one.work, pointer, heard.mention, heard.time))
    return Remarks(tuple(lessons), tuple(refused))


def remembered(view: View, start: float, heard: Collection[str]) -> Iterator[Lesson]:
    """Yield the rules that memories of the operator state, from `start` on (seconds since 1970).

    Those of messages in `heard` are left out: they are heard where they were said. Nobody can tell who wrote the
    others' rows of the sidecar, so that they wait.
    """
    rows = [one for one in view.rows().values() if one.origin == "operator" and one.status == "live"]
    for path in sorted({one.file for one in rows if _holds(one.file)}):
        known = {one.hash: one for one in rows if one.file == path}
        yield from _lines(view, path, known, start, heard)


def _holds(path: str) -> bool:
    return file_roles.memory(path) and path not in (file_roles.CORRECTIONS, file_roles.CONFLICTS, file_roles.CONFIG)


def _lines(view: View, path: str, known: Mapping[str, Row], start: float, heard: Collection[str]) -> Iterator[Lesson]:
    committed = repository.read(view.workspace.repo, view.workspace.head, path) or b""  # what is cited must be there
    for one in entries(committed.decode("utf-8", "replace")):
        row = known.get(digest(one.text))
        if row is None or row.first is None or any(message_of_mention(mention) in heard for mention in row.mentions):
            continue
        noon = datetime.combine(row.first, time(12), UTC).timestamp()
        if noon < start:
            continue
        for lesson in hear(Heard(one.text.removeprefix(_BY_OPERATOR), "operator", noon, "memory", "line")).lessons:
            quote = evidence_pointer.parse(lesson.pointer).quote
            where = Pointer("lines", path, one.start, one.end, (view.workspace.head or "")[:10], quote)
            yield replace(lesson, pointer=evidence_pointer.format(where), doubt=lesson.doubt or UNPROVEN)


_SUBJECT = 60
_WAITING = 10
"""Doubtful lessons that wait at a time; what is heard beyond waits for its turn, and is heard again."""


class Ground(Struct, frozen=True):
    """The soul that is kept, the file for lessons ("": none), the agent's name and the cap in tokens."""

    path: str
    lessons: str
    agent: str
    cap: int


def proposals(view: View, ground: Ground, lesson: Lesson) -> Iterator[Proposal]:
    """Yield what a lesson comes to: mostly one change, or the reason why there is none."""
    if lesson.id in view.rows():
        yield _left("learnt before")
        return
    if lesson.doubt and _crowded(view, ground):
        yield _left("others wait already")
        return
    if lesson.work:
        yield _of_work(view, ground, lesson)
        return
    soul = view.read(ground.path) or ""
    there = drift.lines(soul)
    foe = against(there, lesson.words)
    if reason := _needless(view, ground, lesson, there, foe):
        yield _left(reason)
        return
    after = _after(soul, lesson.words, foe)
    if _over(after, soul, ground.cap):
        yield from _room(view, ground, there, lesson)
        soul = view.read(ground.path) or ""
        after = _after(soul, lesson.words, against(drift.lines(soul), lesson.words))
        if _over(after, soul, ground.cap):
            yield _left("no room")
            return
    yield _change(view, ground, lesson, Edit(ground.path, soul, after), foe)


def _crowded(view: View, ground: Ground) -> bool:
    return sum(item.agent == ground.agent for item in view.workspace.store.read_items("open", edits=False)) >= _WAITING


def against(there: Sequence[Line], text: str) -> Line | None:
    """Return the line that cannot be followed together with a new one."""
    new = drift.form(text)
    for one in there:
        old = drift.form(one.text)
        turned = new and old and new.name == old.name and new.wanted != old.wanted
        if turned or compare(one.text, text).relation == "conflict":
            return one
    return None


def _needless(view: View, ground: Ground, lesson: Lesson, there: Sequence[Line], foe: Line | None) -> str:
    """Return why a lesson changes nothing, "" for one that does."""
    if reason := _unfit(lesson.words):
        return reason
    form = drift.form(lesson.words)
    formed = form is not None and any(drift.form(one.text) == form for one in there)
    if formed or any(compare(one.text, lesson.words).relation == "same" for one in there):
        return "known"
    return "gave way to a newer wish" if foe and _last(view, ground.path, foe) >= lesson.mention else ""


def _unfit(text: str) -> str:
    """Return why words may not stand in a file that every session reads."""
    try:
        write_guard.check_write("", "", f"- {text}\n")
    except ClawgitError:
        return "refused"
    return ""


def _last(view: View, path: str, line: Line) -> str:
    """Return the newest mention that a line was learnt from, "" for none."""
    learnt = [row for row in view.rows().values() if row.file == path and row.hash == digest(line.entry.text)]
    return max((mention for row in learnt for mention in row.mentions), default="")


def _after(soul: str, text: str, foe: Line | None) -> str:
    return line_edits.replaced(soul, foe.entry, text) if foe else line_edits.added(soul, _section(soul), text)


def _section(soul: str) -> str:
    """Return the title of the section that is about how to talk, "" where there is none."""
    named = standing_rules.finder("sections", standing_rules.languages(soul))
    return next((one.title for one in sections(soul) if one.level > 1 and named.search(one.title)), "")


def _over(after: str, before: str, cap: int) -> bool:
    return count(after) > cap and count(after) > count(before)


def _room(view: View, ground: Ground, there: Sequence[Line], lesson: Lesson) -> Iterator[Proposal]:
    """Yield the change that makes room: two same lines become one; the weakest one is offered to the operator."""
    soul = view.read(ground.path) or ""
    found = drift.way(there, view.workspace.trust.protected(ground.path), view.rows(), ground.path)
    if found is None:
        return
    change = Change(
        f"{file_roles.room(ground.path)}: drop: {commit_message.shorten(found.line.text, _SUBJECT)}",
        f"{ground.path} would grow past its cap of {ground.cap} tokens. {found.why}",
        (Edit(ground.path, soul, line_edits.without(soul, [found.line.entry])),),
        (lesson.pointer,),
        "agent",
        ground.agent,
    )
    yield Proposal(change, wait=None if found.twin else True)


def _change(view: View, ground: Ground, lesson: Lesson, edit: Edit, foe: Line | None) -> Proposal:
    change = Change(
        f"{file_roles.room(edit.path)}: {commit_message.shorten(lesson.words, _SUBJECT)}",
        _why(lesson, foe),
        (edit,),
        (lesson.pointer,),
        "operator",
        ground.agent,
        rows=(_row(lesson, edit.path),),
    )
    act: Act = "lesson" if lesson.work else "add"
    learnt = Learnt(lesson.words, edit.path, "", act, evidence=lesson.pointer)
    others = foe is not None and (
        drift.is_protected(foe, view.workspace.trust.protected(edit.path)) or not _last(view, edit.path, foe)
    )
    return Proposal(change, (learnt,), wait=True if lesson.doubt or lesson.work or others else None)


def _why(lesson: Lesson, foe: Line | None) -> str:
    told = ["The operator asked for it." if not lesson.work else "The operator asked for it; it is about work."]
    told += [f"It waits: {lesson.doubt}."] if lesson.doubt else []
    told += [f'In place of "{commit_message.shorten(foe.text, 120)}", which it contradicts.'] if foe else []
    return "\n".join(told)


def _row(lesson: Lesson, path: str) -> Row:
    """Return the row by which a run knows that something was made of a lesson, also when that is undone."""
    mentions, sure = frozenset({lesson.mention}), confidence.base("operator")
    return Row(lesson.id, path, digest(lesson.words), "skill", "operator", sure, lesson.day, lesson.day, mentions)


def _of_work(view: View, ground: Ground, lesson: Lesson) -> Proposal:
    """Return the change that lists a lesson on how work is done, which is nothing of the identity."""
    if not ground.lessons:
        return _left("about work, and lessons_file is not set")
    before = view.read(ground.lessons)
    if any(compare(one.text, lesson.words).relation == "same" for one in entries(before or "")):
        return _left("known")
    if reason := _unfit(lesson.words):
        return _left(reason)
    whole = before if before is not None else f"# {ground.lessons.removesuffix('.md')}\n"
    after = place(whole, [Placed(LESSONS, ("", lesson.words), bullet(lesson.words))], {}, (LESSONS,))
    return _change(view, ground, lesson, Edit(ground.lessons, before, after), None)


def _left(reason: str) -> Proposal:
    return Proposal(skipped={reason: 1})
