"""What happened in a period, with its evidence."""

import contextlib
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from clawgit.digest import digest_text
from clawgit.digest.digest_text import Item, Part
from clawgit.errors import ClawgitError, quoted
from clawgit.git import history, repository
from clawgit.git.history import Commit, blame
from clawgit.text import document, entry
from clawgit.text import evidence_pointer as pointers
from clawgit.text.conflict import Conflict, conflicts
from clawgit.text.correction import STANDS, corrections
from clawgit.text.entry import Entry, digest
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import due_entries, entries, file_contents, file_roles, records
from clawgit.workspace.commit_message import list_names, one_line
from clawgit.workspace.due_entries import Due
from clawgit.workspace.entries import Row
from clawgit.workspace.migration import births
from clawgit.workspace.records import Cited, Record
from clawgit.workspace.workspace import Workspace

_MERGED = 2  # parents
_BEGINNING = datetime(1970, 1, 2, tzinfo=UTC)  # git knows nothing older


class Act(Struct, frozen=True, dict=True):
    """One commit and what it says; `quotable` tells whether its words may leave the machine."""

    commit: Commit
    record: Record

    @cached_property
    def quotable(self) -> bool:
        """Whether the words that came with it may be quoted."""
        return digest_text.quotable(self.commit, self.record)

    @property
    def parent(self) -> str | None:
        """The commit before it."""
        return self.commit.parents[0] if self.commit.parents else None

    @property
    def undo(self) -> str:
        """The command that takes it back."""
        return f"clawgit undo {self.record.change or self.commit.id[:10]}"


def way_back(act: Act, *paths: str) -> str:
    """Return the command that takes a change of some files back.

    Where other files that somebody else changed would go with it, it is one that shows the change.
    """
    others = {file for file in act.record.files if file_roles.captured(file, tracked=True)} - set(paths)
    if act.record.change or not others:
        return act.undo
    shown = " ".join(quoted(path) for path in paths if digest_text.plain(path))
    return f"git show {act.commit.id[:10]} -- {shown}" if shown else f"git show --stat {act.commit.id[:10]}"


class Happened(Struct, frozen=True):
    """The commits of a period, newest first, without merges and without those that were taken back within it."""

    workspace: Workspace
    acts: tuple[Act, ...]
    before: str | None

    def lines(self, path: str) -> dict[str, bool]:
        """Return the lines that came to a file, each with whether all who brought it may be quoted."""
        found: dict[str, bool] = {}
        for act in self.acts:
            if path in act.record.files:
                old, new = (self._counts(commit, path) for commit in (act.parent, act.commit.id))
                for line in new - old:
                    found[line] = found.get(line, True) and act.quotable
        return found

    def brought(self, path: str, *, quotable: bool) -> list[int]:
        """Return the numbers of the lines of a file that stand there: of who may be quoted, or of others."""
        new = self.lines(path)
        rows = enumerate(document.split(self.text(self.workspace.head, path)), 1)
        return [at for at, row in rows if row.strip() and new.get(document.content(row)) is quotable]

    def text(self, commit: str | None, path: str) -> str:
        """Return a file as a commit holds it, "" where it holds none."""
        return file_contents.text_of(repository.read(self.workspace.repo, commit, path)) or ""

    def _counts(self, commit: str | None, path: str) -> Counter[str]:
        return Counter(document.content(row) for row in document.split(self.text(commit, path)))

    def there(self, commit: str | None, path: str) -> bool:
        """Return whether a commit has a file."""
        return repository.blob_id(self.workspace.repo, commit, path) is not None

    def rows(self, commit: str | None) -> dict[str, Row]:
        """Return the sidecar as a commit holds it."""
        return entries.parse(self.text(commit, entries.PATH))

    def memories(self, commit: str | None, path: str) -> set[str]:
        """Return what stands in a file of memories or a journal, as the sidecar names it."""
        if not self.remembers(path):
            return set()
        return {digest(one.text) for one in entry.entries(self.text(commit, path)) if one.kind == "bullet"}

    def remembers(self, path: str) -> bool:
        """Return whether a file is one of memories or a journal."""
        return path in self.workspace.memory_files or file_roles.journal_day(path) is not None


def happened(workspace: Workspace, since: datetime, after: str | None = None) -> Happened:
    """Return what was committed since a moment, or what HEAD holds beyond the commit `after`.

    What was committed before clawgit came is not told.
    """
    repo, since = workspace.repo, max(since, _BEGINNING)
    if after and workspace.head and repository.reaches(repo, workspace.head, after):
        before, found = after, history.log(repo, start=f"{after}..HEAD")
    else:
        before = history.at(repo, since - timedelta(seconds=1)) or ""
        dated = history.log(repo, since=f"@{int(since.timestamp())} +0000")
        found = (one for one in dated if one.date >= since)  # what was written anew keeps the day of its author
    began = {birth.id for birth in births(repo)}
    managed = takewhile(lambda one: one.id not in began, found)
    acts = [Act(one, records.record(one)) for one in managed if len(one.parents) < _MERGED]
    return Happened(workspace, tuple(_lasting(acts)), before or None)


def _lasting(acts: list[Act]) -> Iterator[Act]:
    """Yield what was not taken back again, newest first; an undo of something older stays."""
    made = {name for act in acts for name in (act.record.change, act.commit.id) if name}
    undone: set[str] = set()
    for act in acts:
        if {act.record.change, act.commit.id} & undone:
            continue
        back = act.record.undoes
        if back:
            undone.add(back)
        if back not in made:
            yield act


def told(happened: Happened, act: Act, cited: Cited) -> str:
    """Return a piece of evidence: where it stands, and its words where all who wrote these lines may be quoted."""
    try:
        pointer = pointers.parse(cited.pointer)
    except ClawgitError:
        return "one that cannot be read"
    where = _place(pointer)
    words = (cited.quote or "").removesuffix("…")
    return f"{where} “{digest_text.quote(words)}”" if words and _sure(happened, act, pointer, words) else where


def _place(pointer: Pointer) -> str:
    match pointer.kind:
        case "session":
            return f"session {_short(pointer.id)}, event {_short(pointer.event)}"
        case "correction":
            return f"correction {pointer.id}"
        case "lines":
            span = f"L{pointer.start}" + (f"-L{pointer.end}" if pointer.end > pointer.start else "")
            return f"{digest_text.named(pointer.path)}#{span}"


def _short(name: str) -> str:
    return name if digest_text.plain(name) else "with an odd name"


def _sure(happened: Happened, act: Act, pointer: Pointer, words: str) -> bool:
    """Return whether a quote stands in the lines that it cites, and these came with words that may be quoted."""
    repo = happened.workspace.repo
    start = repository.resolve(repo, pointer.rev or act.commit.id) if pointer.kind == "lines" else None
    if start is None:
        return False
    try:
        blamed = blame(repo, pointer.path, start, (pointer.start, pointer.end))
        commits = history.several(repo, [one.commit for one in blamed if one.commit])
    except ClawgitError:
        return False
    stands = words in one_line(" ".join(one.text for one in blamed))
    return stands and all(digest_text.quotable(commit, records.record(commit)) for commit in commits.values())


def part(happened: Happened) -> Part:
    """Return the changes of identity files; one whose words cannot be quoted is told without them."""
    acts = [(act, [path for path in act.record.files if file_roles.guarded(path)]) for act in happened.acts]
    items = tuple(_item(happened, act, paths) for act, paths in acts if paths)
    return Part("identity", items, look="clawgit log")


def _item(happened: Happened, act: Act, paths: list[str]) -> Item:
    when = f"{act.record.date:%Y-%m-%d %H:%M}"
    if not act.quotable:
        own = replace(happened, acts=(act,))
        alone = len(paths) == 1
        files = list_names(
            _named(path, own.brought(path, quotable=False)) if alone else digest_text.named(path) for path in paths
        )
        gone = not any(happened.there(act.commit.id, path) for path in paths)
        words = f"{files} {'was deleted' if gone and len(paths) == 1 else 'changed'}: {_how(act)}"
        return Item(words, (f"{when}, {_size(happened, act, paths)}",), way_back(act, *paths))
    files = list_names(map(digest_text.named, paths))
    subject = act.record.subject.partition(": ")[2] or act.record.subject
    said = digest_text.quote(subject)
    return Item(f"{said} ({files}, {when})", tuple(_details(happened, act)), _undo(act, paths))


def _named(path: str, lines: list[int]) -> str:
    """Return a file with the few places that are meant, else alone: how much changed is told of all files together."""
    return digest_text.named(path) if digest_text.scattered(lines) else digest_text.place(path, lines)


def _size(happened: Happened, act: Act, paths: list[str]) -> str:
    """Return how many lines a change put in and took out: `+3 -1`."""
    texts = (tuple(happened.text(commit, path) for commit in (act.parent, act.commit.id)) for path in paths)
    counts = [tuple(Counter(filter(str.strip, document.split(text))) for text in pair) for pair in texts]
    put = sum((after - before).total() for before, after in counts)
    return f"+{put} -{sum((before - after).total() for before, after in counts)}"


def _how(act: Act) -> str:
    """Return how a change came whose words are not quoted."""
    if act.record.undoes:
        return f"an earlier change, {act.record.undoes[:10]}, was taken back"
    if act.commit.ours and digest_text.again(act.record):
        return "put back as it was before"
    if act.record.origin is None:
        return "committed by another program or a person"
    known = {"untrusted": "from untrusted text", "unknown": "found on disk"}
    return known.get(act.record.origin, "its words are not quoted here")


def _details(happened: Happened, act: Act) -> Iterator[str]:
    if act.record.why:
        yield digest_text.quote(act.record.why)
    for cited in act.record.evidence:
        yield f"evidence: {told(happened, act, cited)}"
    level, _, reasons = (act.record.risk or "").partition(" (")
    if level == "high":
        yield f"high risk: {digest_text.counted(reasons.count('; ') + 1, 'reason')}, which clawgit log shows"


def _undo(act: Act, paths: list[str]) -> str:
    if act.record.change and act.record.files == (file_roles.SOUL,) == tuple(paths):
        return f"clawgit soul revert {act.record.change}"
    return act.undo


def added(happened: Happened) -> dict[str, list[Item | Entry]]:
    """Return what was added to each file of memories and still stands there; what is not quoted as its entry."""
    return {path: list(_added(happened, path)) for path in happened.workspace.memory_files}


def notes(happened: Happened) -> Iterator[Item]:
    """Yield where notes that may be quoted came to journals: each day's place, without their words."""
    for path in sorted({path for act in happened.acts for path in act.record.files if file_roles.journal_day(path)}):
        if lines := happened.brought(path, quotable=True):
            yield Item(f"notes: {digest_text.place(path, lines)}", command=f"clawgit log {quoted(path)}")


def _added(happened: Happened, path: str) -> Iterator[Item | Entry]:
    """Yield what was added to one file and still stands there: an item for what is quoted, else its entry."""
    new = happened.lines(path)
    if not new:
        return
    workspace, text = happened.workspace, happened.text(happened.workspace.head, path)
    rows = {row.hash: row for row in happened.rows(workspace.head).values() if row.file == path}
    before = happened.rows(happened.before)
    stood = happened.memories(happened.before, path)
    written = [document.content(row) for row in document.split(text)]
    for one in entry.entries(text):
        span, row = written[one.start - 1 : one.end], rows.get(digest(one.text))
        if one.kind != "bullet" or span[0] not in new or digest(one.text) in stood or (row and row.id in before):
            continue
        sure = row is not None and row.status == "live" and digest_text.known(row.origin)
        if row and sure and all(new.get(line, False) for line in span):
            yield Item(f"{digest_text.quote(one.text)} ({one.tag or row.tag or 'memory'}, {row.id})")
        elif row is None or row.status == "live":
            yield one


def due(workspace: Workspace, now: datetime) -> Part:
    """Return what is due on the day of `now` and in the week that begins with it, with its day."""
    today, rows = now.astimezone(workspace.now().tzinfo).date(), workspace.rows()
    found: list[tuple[date, Due]] = []
    for path in entries.files_of_plans(workspace.memory_files, rows):
        with contextlib.suppress(ClawgitError):  # a file that cannot be read is told among the alarms
            found += due_entries.coming(due_entries.due(path, workspace.read(path) or "", rows.values(), today), today)
    known = [
        pair
        for pair in sorted(found, key=lambda pair: pair[0])
        if pair[1].row and digest_text.known(pair[1].row.origin)
    ]
    items = tuple(Item(f"{_when(day, today)}: {digest_text.quote(one.entry.text)}") for day, one in known)
    return Part("due", items, len(found) - len(known), "clawgit memory list --tag event")


def _when(day: date, today: date) -> str:
    return "today" if day == today else f"{day:%A} {day}"


_CLOSED = "closed: a side is gone or was reworded"


def corrected(happened: Happened) -> Part:
    """Return what was corrected; a record that others wrote is counted."""
    new = happened.lines(file_roles.CORRECTIONS)
    text = happened.text(happened.workspace.head, file_roles.CORRECTIONS) if new else ""
    rows = text.splitlines()
    items: list[Item] = []
    unquoted = 0
    for one in corrections(text):
        if rows[one.line - 1] not in new:
            continue
        if one.id and _whole(rows[one.line - 1 : one.end], new):
            said, true = (digest_text.quote(side) for side in one.values)
            words = f"not “{said}” but “{true}”" if said else f"“{true}” is so"
            about = digest_text.quote(one.fields.get("answers", ""))
            what = (f"in answer to “{about}”",) if about and about != said else ()
            stands = digest_text.quote(one.fields.get(STANDS.casefold(), ""))
            what = what or ((f"so that it says “{stands}”",) if stands and stands != true else ())
            items.append(Item(words, what, f"clawgit corrections show {one.id}"))
        else:
            unquoted += 1
    return Part("corrections", tuple(items), unquoted, "clawgit corrections list")


def contradicted(happened: Happened) -> Part:
    """Return the conflicts that were found or decided; what others wrote is counted."""
    new = happened.lines(file_roles.CONFLICTS)
    text = happened.text(happened.workspace.head, file_roles.CONFLICTS) if new else ""
    rows = [document.content(row) for row in document.split(text)]
    found = [
        (conflict, item)
        for conflict in conflicts(text)
        for item in _conflict(conflict, rows[conflict.start - 1 : conflict.end], new)
    ]
    closed = [item for one, item in found if item and rows[one.start - 1] not in new and _state(one) == _CLOSED]
    items = [item for _, item in found if item and (item not in closed or len(closed) == 1)]
    if len(closed) > 1:
        items.append(Item(f"{len(closed)} are {_CLOSED}", command="clawgit log CONFLICTS.md"))
    unquoted = sum(item is None for _, item in found)
    return Part("conflicts", tuple(items), unquoted, "clawgit log CONFLICTS.md")


def _conflict(one: Conflict, rows: list[str], new: dict[str, bool]) -> Iterator[Item | None]:
    """Yield what became of one conflict, None where it is not quoted."""
    state = _state(one)
    if rows[:1] and rows[0] in new:
        sure = _whole(rows, new) and all(digest_text.known(side.origin) for side in (one.a, one.b))
        words = f"“{digest_text.quote(one.a.text)}” against “{digest_text.quote(one.b.text)}” ({state})"
        yield Item(words, command=f"clawgit show {one.id}") if sure else None
    elif any(row.lstrip("-*+ ").startswith("Resolved") and row in new for row in rows):
        yield Item(f"{one.id} is {state}", command=f"clawgit show {one.id}")


def _state(one: Conflict) -> str:
    if one.open:
        return "open"
    words = {"a": "the first holds", "b": "the second holds", "both": "both hold", "merged": "a new text holds"}
    holds = words.get(one.winner)
    return f"resolved: {holds}" if holds else _CLOSED


def _whole(rows: list[str], new: dict[str, bool]) -> bool:
    """Return whether every line of a record came in this period, from somebody who may be quoted."""
    return all(new.get(row, False) for row in rows if row.strip())
