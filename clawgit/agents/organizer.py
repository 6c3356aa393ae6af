"""The organizer: sorts memories by class, and keeps the index."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime

from clawgit.agents.organizing import fact_classes, fact_files, memory_index, trigger_phrases
from clawgit.agents.organizing.fact_classes import ByVoice
from clawgit.agents.organizing.fact_files import Origin
from clawgit.agents.organizing.memory_index import Topic
from clawgit.agents.protocol.line_claims import AskedOnce
from clawgit.agents.running import Learnt, Proposal, View
from clawgit.errors import ClawgitError
from clawgit.language import due_dates
from clawgit.llm.model import ModelError
from clawgit.safety import secrets
from clawgit.text import document
from clawgit.text.edit import bullet
from clawgit.text.front_matter import read_field
from clawgit.workspace import fact_register, file_roles, manifest, memory
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.entries import PLANS
from clawgit.workspace.fact_register import CATEGORIES, Fact
from clawgit.workspace.memory import Memory
from clawgit.workspace.workspace import Workspace

NAME = "organizer"
_STAND = ("live", "corrected")

_WHY = "Each entry of memory is a fact; its class says how long it holds."
Facts = Mapping[str, Fact]


class Organizer:
    """Keeps `memory/structured/`, the index and the register in line with memory (seed 3). `say` tells classes."""

    name = NAME

    def __init__(self, say: AskedOnce | None = None, told: str = "") -> None:
        self._say, self._told = say, told
        self._notes: list[str] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what a voice could not be asked."""
        return tuple(self._notes)

    @property
    def usage(self) -> Mapping[str, float]:
        """What a voice was asked, empty without one."""
        return self._say.usage if self._say else {}

    def propose(self, view: View, now: datetime) -> Iterator[Proposal]:
        """Yield one proposal, where anything has changed."""
        today = now.date()
        before = registered(view)
        voice = ByVoice(self._say, self._told) if self._say else None
        typed = fact_files.typed(before.values(), view.read, today)
        some = origins(view, today)
        after = fact_files.organised(typed, some, today, voice or fact_classes.by_rules)
        self._notes = list(dict.fromkeys(voice.notes)) if voice else []
        change = changed(view, before, after, today, agent=NAME)
        new = [one for key, one in after.items() if one.state == "live" and key not in before]
        learnt = tuple(Learnt(one.text, one.path, "", "note", one.id) for one in new)
        yield Proposal(change, learnt, read=len(some))
        if self._say and (more := self._triggers(view, self._say)):
            yield Proposal(more)

    def _triggers(self, view: View, say: AskedOnce) -> Change | None:
        """Return the change that says by which words entries are wanted that were often looked up."""
        path = view.workspace.memory_file
        if view.workspace.theirs(path):
            return None
        try:
            return trigger_phrases.change(view, _standing(view.workspace), say, NAME)
        except ModelError as exc:
            self._notes.append(f"nobody said by which words memories are wanted: {exc.message}")
            return None


def registered(view: View) -> dict[str, Fact]:
    """Return the register."""
    return fact_register.parse(view.read(fact_register.PATH) or "")


def origins(view: View, today: date) -> list[Origin]:
    """Return what memory says: each entry that stands and could stand as a fact, without secrets."""
    return [found for one in _standing(view.workspace) if (found := _origin(one, today))]


def _standing(workspace: Workspace) -> list[Memory]:
    return [one for one in memory.memories(workspace) if one.status in _STAND and one.origin != "untrusted"]


def _origin(one: Memory, today: date) -> Origin | None:
    text = one_line(one.text)
    try:
        bullet(text)
    except ClawgitError:
        return None
    if secrets.scan(text):
        return None
    days = due_dates.days(text, one.first or today) if (one.tag or "") in PLANS else ()
    return Origin(one.id, text, one.tag or "", one.first, one.last or one.first, max(days, default=None))


def changed(
    view: View,
    before: Facts,
    after: Facts,
    today: date,
    *,
    agent: str | None,
    more: tuple[Edit, ...] = (),
    why: str = "",
) -> Change | None:
    """Return the change that brings register, files and index to what `after` says; None where they are."""
    register = fact_register.render(after.values())
    texts: dict[str, str | None] = {} if not after and not before else {fact_register.PATH: register}
    for name in CATEGORIES:
        path = fact_register.path(name)
        texts[path] = fact_files.written(view.read(path), name, before.values(), after.values())
    if after or view.read(file_roles.INDEX) is not None:
        texts[file_roles.INDEX] = _index(view, after, today)
    edits = tuple(Edit(path, view.read(path), text) for path, text in texts.items() if text != view.read(path))
    if not edits and not more:
        return None
    new = sum(one.state == "live" and key not in before for key, one in after.items())
    gone = sum(one.state == "live" and (key not in after or after[key].state != "live") for key, one in before.items())
    said = " and ".join(f"{many} {word}" for many, word in ((new, "new"), (gone, "over or gone")) if many)
    subject = f"memory: facts sorted{f', {said}' if said else ''}"
    return Change(subject, why or _WHY, (*more, *edits), (), "agent" if agent else "operator", agent)


def _index(view: View, facts: Facts, today: date) -> str:
    some = _standing(view.workspace)
    worth = sorted(some, key=lambda one: (-one.confidence * max(1, one.mentions), one.id))
    return memory_index.rendered(
        view.read(file_roles.INDEX), facts, origins(view, today), _topics(view), [one.id for one in worth]
    )


def _topics(view: View) -> Iterator[Topic]:
    """Yield the files of memory about one thing, and those in their homes."""
    root = view.workspace.root
    found = (*root.glob("memory/*.md"), *(file for home in memory.HOMES for file in root.glob(f"memory/{home}/*.md")))
    last: dict[str, str] = {}
    for row in view.rows().values():
        if row.last:
            last[row.file] = max(last.get(row.file, ""), row.last.isoformat())
    for file in sorted(found):
        path = file.relative_to(root).as_posix()
        if manifest.kind(path) == "memory" and path not in view.workspace.memory_files and file.is_file():
            yield Topic(path, _title(view.read(path) or "") or file.stem, last.get(path, ""))


def _title(text: str) -> str:
    """Return what a file is called: by its front matter, else by its first heading."""
    return read_field(text, "title") or next(filter(None, map(one_line, document.section_titles(text))), "")
