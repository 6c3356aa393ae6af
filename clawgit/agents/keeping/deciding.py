"""Makes of a lesson one small edit."""

from collections.abc import Iterator

from msgspec import Struct

from clawgit.agents.book import LESSONS
from clawgit.agents.keeping import SPOKEN, editing, quoting, room, standing
from clawgit.agents.keeping.signal import INFERRED, REASONS
from clawgit.agents.keeping.standing import Line
from clawgit.agents.keeping.weighing import Lesson
from clawgit.agents.keeping.wording import principle, specific, tidied
from clawgit.agents.placing import Placed, place
from clawgit.agents.proposal import Act, Learnt, Proposal
from clawgit.agents.view import View
from clawgit.errors import ClawgitError
from clawgit.language.detect import language
from clawgit.safety import injection
from clawgit.text import confidence
from clawgit.text.bullet import bullet
from clawgit.text.entry import entries
from clawgit.text.identity import digest
from clawgit.text.sameness.relation import compare
from clawgit.text.tokens import count
from clawgit.workspace import guard, message, scope
from clawgit.workspace.change import Change, Edit, Origin
from clawgit.workspace.entries import Row

_SUBJECT = 60


class Ground(Struct, frozen=True):
    """The soul that is kept, the file for lessons ("": none), the agent's name and the cap in tokens."""

    path: str
    lessons: str
    agent: str
    cap: int


def proposals(view: View, ground: Ground, lesson: Lesson) -> Iterator[Proposal]:
    """Yield what a lesson comes to: mostly one change, or the reason why there is none."""
    if lesson.kind == "operation":
        yield _of_work(view, ground, lesson)
        return
    soul = view.read(ground.path) or ""
    there = standing.lines(soul)
    text = _text(lesson, soul, there)
    foe = standing.against(there, text, lesson.aim)
    if reason := _needless(view, ground, lesson, text, there, foe):
        yield _left(reason)
        return
    after = _after(soul, text, lesson, foe)
    if _over(after, soul, ground.cap):
        yield from _room(view, ground, there, lesson)
        soul = view.read(ground.path) or ""
        after = _after(soul, text, lesson, standing.against(standing.lines(soul), text, lesson.aim))
        if _over(after, soul, ground.cap):
            yield _left("no room")
            return
    yield _change(view, ground, lesson, text, Edit(ground.path, soul, after), foe)


def _text(lesson: Lesson, soul: str, there: tuple[Line, ...]) -> str:
    lang = language(soul, SPOKEN)
    if lesson.newest.form:
        said = quoting.left(there, lesson.newest.words) if lesson.kind == "lapse" else ""
        return quoting.quoted(lesson.newest, soul, lang, said)
    if lesson.kind == "capability":
        return quoting.PROVEN[lang].format(lesson.newest.words)
    return principle(lesson.aim, lesson.newest.words, lesson.newest.lang, soul, lang)


def _needless(view: View, ground: Ground, lesson: Lesson, text: str, there: tuple[Line, ...], foe: Line | None) -> str:
    """Return why a lesson changes nothing, "" for one that does."""
    if not text:
        return "no words for it"
    if reason := _unfit(text):
        return reason
    if standing.said(there, text, lesson.aim, more=specific(lesson.newest.words) and lesson.kind == "wish"):
        return "known"
    if foe and lesson.kind in INFERRED:
        return "against the soul"
    return "gave way to a newer wish" if foe and _newer(view, ground.path, foe, lesson) else ""


def _unfit(text: str) -> str:
    """Return why words may not stand in a file that every session reads."""
    if injection.scan(f"- {text}"):
        return "order"
    try:
        guard.check("", "", f"- {text}\n")
    except ClawgitError:
        return "refused"
    return ""


def _newer(view: View, path: str, foe: Line, lesson: Lesson) -> bool:
    """Tell whether what a line was learnt from was said after the lesson."""
    learnt = [row for row in view.rows().values() if row.file == path and row.hash == digest(foe.entry.text)]
    last = max((mention for row in learnt for mention in row.mentions), default="")
    return last >= lesson.newest.mention


def _after(soul: str, text: str, lesson: Lesson, foe: Line | None) -> str:
    if foe:
        return editing.replaced(soul, foe.entry, text)
    return editing.added(soul, text, lesson.kind, lesson.aim)


def _over(after: str, before: str, cap: int) -> bool:
    return count(after) > cap and count(after) > count(before)


def _room(view: View, ground: Ground, there: tuple[Line, ...], lesson: Lesson) -> Iterator[Proposal]:
    """Yield the change that makes room: two same lines become one; the weakest one is offered to the operator."""
    soul = view.read(ground.path) or ""
    found = room.way(there, view.workspace.trust.protected(ground.path), view.rows(), ground.path)
    if found is None:
        return
    change = Change(
        f"{scope.room(ground.path)}: drop: {message.shorten(found.line.text, _SUBJECT)}",
        f"{ground.path} would grow past its cap of {ground.cap} tokens. {found.why}",
        (Edit(ground.path, soul, editing.removed(soul, found.line.entry)),),
        lesson.cited,
        "agent",
        ground.agent,
    )
    yield Proposal(change, wait=None if found.twin else True)


def _change(view: View, ground: Ground, lesson: Lesson, text: str, edit: Edit, foe: Line | None) -> Proposal:
    origin: Origin = "agent" if lesson.kind in INFERRED else "operator"
    subject = f"{scope.room(edit.path)}: {message.shorten(text, _SUBJECT)}"
    change = Change(
        subject,
        _why(lesson, foe),
        (edit,),
        lesson.cited,
        origin,
        ground.agent,
        rows=tuple(_rows(lesson, edit.path, text, origin, view)),
    )
    act: Act = "lesson" if lesson.kind == "operation" else "add"
    learnt = Learnt(text, edit.path, "", act, evidence=lesson.cited[-1])
    approved = foe is not None and room.is_protected(foe, view.workspace.trust.protected(edit.path))
    return Proposal(change, (learnt,), wait=True if approved or lesson.guessed or not lesson.proven else None)


def _why(lesson: Lesson, foe: Line | None) -> str:
    often = f", on {lesson.occasions} occasions" if lesson.occasions > 1 else ""
    told = [f"{REASONS[lesson.kind]}{often}."]
    if not lesson.proven:
        told.append("Nobody can tell from here that these are the operator's own words: so it waits.")
    elif lesson.guessed:
        told.append("It is read out of one remark: so it waits.")
    if foe:
        told.append(f'In place of "{message.shorten(foe.text, 120)}", which it contradicts.')
    return "\n".join(told)


def _rows(lesson: Lesson, path: str, text: str, origin: Origin, view: View) -> Iterator[Row]:
    """Yield a row for each remark: by its id a run knows that something was made of it, also when that is undone."""
    for one in lesson.signals:
        if one.id not in view.rows():
            sure, mentions = confidence.base(origin), frozenset({one.mention})
            yield Row(one.id, path, digest(text), "skill", origin, sure, one.day, one.day, mentions)


def _of_work(view: View, ground: Ground, lesson: Lesson) -> Proposal:
    """Return the change that lists a lesson on how work is done, which is nothing of the identity."""
    text = tidied(lesson.newest.words)
    if not ground.lessons:
        return _left("about work, and lessons_file is not set")
    before = view.read(ground.lessons)
    if any(compare(one.text, text).relation == "same" for one in entries(before or "")):
        return _left("known")
    if reason := _unfit(text):
        return _left(reason)
    whole = before if before is not None else f"# {ground.lessons.removesuffix('.md')}\n"
    after = place(whole, [Placed(LESSONS, ("", text), bullet(text))], {}, (LESSONS,))
    return _change(view, ground, lesson, text, Edit(ground.lessons, before, after), None)


def _left(reason: str) -> Proposal:
    return Proposal(skipped={reason: 1})
