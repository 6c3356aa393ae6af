"""Makes of a lesson one small edit."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from clawgit.agents.entry_placement import Placed, place
from clawgit.agents.keeping import drift, soul_room
from clawgit.agents.keeping.lessons import Lesson
from clawgit.agents.keeping.soul_room import Line
from clawgit.agents.known_memories import LESSONS
from clawgit.agents.running import Act, Learnt, Proposal, View
from clawgit.errors import ClawgitError
from clawgit.language import standing_rules
from clawgit.text import confidence, line_edits
from clawgit.text.document import sections
from clawgit.text.edit import bullet
from clawgit.text.entry import digest, entries
from clawgit.text.sameness.relation import compare
from clawgit.text.tokens import count
from clawgit.workspace import commit_message, file_roles, write_guard
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.desk import proposal
from clawgit.workspace.entries import Row

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
    there = soul_room.lines(soul)
    foe = against(there, lesson.words)
    if reason := _needless(view, ground, lesson, there, foe):
        yield _left(reason)
        return
    after = _after(soul, lesson.words, foe)
    if _over(after, soul, ground.cap):
        yield from _room(view, ground, there, lesson)
        soul = view.read(ground.path) or ""
        after = _after(soul, lesson.words, against(soul_room.lines(soul), lesson.words))
        if _over(after, soul, ground.cap):
            yield _left("no room")
            return
    yield _change(view, ground, lesson, Edit(ground.path, soul, after), foe)


def _crowded(view: View, ground: Ground) -> bool:
    return sum(one.agent == ground.agent for one in proposal.waiting_proposals(view.workspace.repo)) >= _WAITING


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
    found = soul_room.way(there, view.workspace.trust.protected(ground.path), view.rows(), ground.path)
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
        soul_room.is_protected(foe, view.workspace.trust.protected(edit.path)) or not _last(view, edit.path, foe)
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
