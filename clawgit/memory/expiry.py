"""Lines that leave the memory file."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import takewhile
from pathlib import PurePosixPath
from textwrap import dedent
from urllib.parse import unquote

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command, id_ambiguous, path_role
from clawgit.git import history, repository
from clawgit.language import due_dates
from clawgit.memory.view import View
from clawgit.safety import secrets
from clawgit.safety.redaction import redacted
from clawgit.text import correction, document
from clawgit.text.edit import append_under, topic_link
from clawgit.text.entry import Entry, digest, entries, is_id
from clawgit.text.similarity import compare, sense
from clawgit.workspace import due_entries, manifest, memory_length, openclaw_limits, records
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.entries import Row
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.memory import topic_places
from clawgit.workspace.memory_lines import MEMORY_ROLES, MemoryLine, find_line, find_words, list_lines
from clawgit.workspace.uncommitted import uncommitted
from clawgit.workspace.workspace import Workspace

COMPACTOR, DECAY_ENGINE = "memory-compactor", "decay-engine"
_AGENTS = (COMPACTOR, DECAY_ENGINE, "organizer")
FADED = 0.3
"""Below this confidence a line may leave (spec 5.5, 2)."""
SILENT_DAYS = 60
"""Days without a mention after which it may (spec 5.5, 2)."""
FOLDER = "memory/archive/memories"
MAX_MOVED = 200
MAX_PROPOSED, _PERIOD = 5, timedelta(days=7)
"""Lines of others that are proposed in a week."""
_ROOM = 0.9
"""The share of the limits to which a memory file is shortened."""
_LONG_WORDS = 8
"""Words from which on a line says the same in every section."""
_MAX_QUOTE_CHARS, _MAX_SUBJECT_CHARS = 160, 60
_ARCHIVE_TITLE = "# Memories that left their files\n"
_MAX_NOTES = 5
_SOURCE = re.compile(r"<!-- from (\S+) ([0-9a-f]{10}) -->")


class Skipped(Struct):
    """What a run leaves alone: counts by reason, and sentences on what the operator should see to."""

    reasons: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def add(self, reason: str, note: str = "") -> None:
        """Count one."""
        self.reasons[reason] += 1
        if note and len(self.notes) < _MAX_NOTES and note not in self.notes:
            self.notes.append(note)

    def take_reasons(self) -> dict[str, int]:
        """Return the counts since the last call."""
        counts, self.reasons = dict(self.reasons), Counter()
        return counts


class Removals(Struct):
    """What earlier runs removed: texts of journals by path, counts of entries left by digest, ids of corrections.

    `sources` are the journals that went into archives: the archive, the path, the version.
    """

    journals: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    entries: dict[str, int] = field(default_factory=dict)
    corrections: set[str] = field(default_factory=set)
    sources: set[tuple[str, str, str]] = field(default_factory=set)

    def has_journal(self, path: str, text: str) -> bool:
        """Return whether a journal was removed, and somebody brought it back."""
        before = (removed.strip() for removed in self.journals.get(path, ()))
        return any(removed in text if removed else not text.strip() for removed in before)

    def list_returned(self, text: str) -> frozenset[str]:
        """Return the digests of the entries of which `text` has more than a run left."""
        counts = Counter(digest(entry.text) for entry in entries(text))
        return frozenset(key for key, left in self.entries.items() if counts[key] > left)


def read_removals(workspace: Workspace) -> Removals:
    """Return what the commits of earlier runs removed; whoever brought it back wants it where it is."""
    removals = Removals()
    for agent in _AGENTS:
        for commit in history.log(workspace.repo, containing=f"Clawgit-Agent: {agent}"):
            parent = commit.parents[0] if commit.parents else None
            for path in commit.paths:
                kind = manifest.kind(path, workspace.memory_file)
                if kind not in ("journal", "memory", "corrections", "archive"):
                    continue
                before, after = (repository.read(workspace.repo, oid, path) for oid in (parent, commit.id))
                if kind == "journal" and before is not None and after is None:
                    removals.journals[path].append(loosely(before))
                else:
                    _note_removed(removals, kind, path, loosely(before), loosely(after))
    return removals


def _note_removed(removals: Removals, kind: str, path: str, before: str, after: str) -> None:
    if kind == "archive":
        removals.sources |= {(path, *source) for source in list_sources(after) - list_sources(before)}
    if kind == "corrections":
        ids = [{record.id for record in correction.corrections(text)} for text in (before, after)]
        removals.corrections |= ids[0] - ids[1]
    if kind != "memory":
        return
    old, new = (Counter(digest(entry.text) for entry in entries(text)) for text in (before, after))
    for key in old - new:
        removals.entries[key] = min(new[key], removals.entries.get(key, new[key]))


def list_sources(text: str) -> set[tuple[str, str]]:
    """Return path and version of each journal in an archive."""
    return {(unquote(match[1]), match[2]) for match in _SOURCE.finditer(text)}


def is_writable(view: View, path: str, skipped: Skipped) -> bool:
    """Return whether a file can be changed now; the reason why not goes into `skipped`."""
    try:
        view.read(path)
    except ClawgitError as exc:
        skipped.add("not fit to be read", f"{exc.message}; it stays")
        return False
    if path in list_staged(view):
        skipped.add("staged by hand", f"{path} has changes staged by hand; it stays")
        return False
    return True


def list_staged(view: View) -> set[str]:
    """Return the files of which somebody prepares a commit."""
    return {change.path for change in uncommitted(view.workspace.repo) if change.staged or change.unmerged}


class Held(Struct, frozen=True):
    """A bullet of the memory file with nothing below it; `is_own` if clawgit wrote it and nobody reworded it."""

    entry: Entry
    line: MemoryLine
    is_own: bool


def list_held(view: View, removals: Removals, skipped: Skipped) -> list[Held]:
    """Return the bullets that may leave the memory file, in their order.

    No corrections, conflicts, tasks, comments or lines with a secret, and nothing that somebody brought back.
    """
    path = view.workspace.memory_file
    text = view.read(path) or ""
    lines: dict[str, MemoryLine] = {}
    for line in list_lines(view.workspace, paths=(path,)):
        lines.setdefault(digest(line.text), line)
    own = _list_own_commits(view.workspace, lines.values())
    rows, every, returned = document.split(text), entries(text), removals.list_returned(text)
    held: list[Held] = []
    for number, entry in enumerate(every):
        after = every[number + 1] if number + 1 < len(every) else None
        found = lines.get(digest(entry.text))
        is_parent = after is not None and after.depth > entry.depth
        if secrets.scan(entry.text):
            skipped.add("holds a secret")
            continue
        if found is None or entry.kind != "bullet" or is_parent or entry.status or entry.checked is not None:
            continue
        if "<!--" in "".join(rows[entry.start - 1 : entry.end]) or found.status == "corrected":
            continue
        if digest(entry.text) in returned:
            skipped.add("brought back")
        else:
            held.append(Held(entry, found, found.changed is not None and found.changed.commit in own))
    return held


def _list_own_commits(workspace: Workspace, lines: Iterable[MemoryLine]) -> frozenset[str]:
    """Return the commits of clawgit's own agents among those that gave lines their words."""
    commits = history.several(workspace.repo, {line.changed.commit for line in lines if line.changed})
    found = ((oid, records.record(commit)) for oid, commit in commits.items())
    return frozenset(oid for oid, record in found if record.agent in manifest.WRITERS and not record.claimed)


class Leaving(Struct, frozen=True):
    """A line that leaves for the file `place`, and why."""

    held: Held
    place: str
    reason: str


def find_leaving(view: View, held: Sequence[Held], today: date) -> list[Leaving]:
    """Return the lines that may leave now, each once: what is over, faded or said twice, then what is too much."""
    place = place_archive(today)
    twins = (Leaving(pair.goes, place, f"says what entry {pair.stays.line.id} says") for pair in find_twins(held))
    some = (*find_expired(view, held, today), *find_faded(held, today), *twins)
    leaving = {one.held.entry.start: one for one in reversed(some)}
    rest = [one for one in held if one.entry.start not in leaving]
    return [*leaving.values(), *find_excess(view, rest, list(leaving.values()))]


def find_expired(view: View, held: Sequence[Held], today: date) -> Iterator[Leaving]:
    """Yield events of which the last day has passed, as seen from the birth of the line."""
    rows = [
        Row(
            one.line.id,
            one.line.path,
            digest(one.line.text),
            one.line.tag or _guess_tag(one.line),
            first=one.line.first,
        )
        for one in held
    ]
    path = view.workspace.memory_file
    dated = due_entries.due(path, view.read(path) or "", rows, today)
    over = {due.entry.start: due for due in dated if due.over(today)}
    for one in held:
        if due := over.get(one.entry.start):
            yield Leaving(one, place_archive(today), f"was due {due.days[-1]}")


def _guess_tag(line: MemoryLine) -> str:
    """Return "event" for a line without a tag that names a day after its birth."""
    days = due_dates.days(line.text, line.first) if line.first else ()
    return due_entries.LEAVES if days and line.first and min(days) >= line.first else ""


def find_faded(held: Iterable[Held], today: date) -> Iterator[Leaving]:
    """Yield lines of which nobody is sure any more and that nobody mentioned for long; both, not one."""
    for one in held:
        silent = (today - one.line.last).days if one.line.last else 0
        if one.line.confidence < FADED and silent >= SILENT_DAYS:
            reason = f"confidence {one.line.confidence:g}, silent for {silent} days"
            yield Leaving(one, place_archive(today), reason)


def find_excess(view: View, held: Sequence[Held], leaving: Sequence[Leaving] = ()) -> Iterator[Leaving]:
    """Yield the least certain lines of a memory file that is too long without those that leave, for files by topic."""
    workspace = view.workspace
    text = view.read(workspace.memory_file) or ""
    gone = [one.held.entry for one in leaving if one.held.is_own]
    count = len(document.split(text)) - sum(entry.end - entry.start + 1 for entry in gone)
    size = openclaw_limits.length(text) - sum(openclaw_limits.length(entry.text) for entry in gone)
    cap = workspace.host.caps(workspace.root).limits.of(workspace.memory_file)
    if count < memory_length.MOST_LINES and size <= cap:
        return
    place = topic_places(workspace.root)
    reason = f"the file has {count} lines and {size:,} characters"
    for one in sorted(held, key=_rank_certainty):
        if count <= memory_length.MOST_LINES * _ROOM and size <= cap * _ROOM:
            return
        topic = place(_title(one.entry))
        if topic and not _is_link(one):
            count -= one.entry.end - one.entry.start + 1
            size -= openclaw_limits.length(one.entry.text)
            yield Leaving(one, topic, reason)


def _rank_certainty(one: Held) -> tuple[float, date, int]:
    return one.line.confidence, one.line.last or date.min, one.entry.start


def _is_link(one: Held) -> bool:
    return one.entry.text.startswith("[") or "](memory/" in one.entry.text


def _title(entry: Entry) -> str:
    return entry.section[-1] if entry.section else "Notes"


def place_archive(today: date) -> str:
    """Return the archive of the lines that leave in a month."""
    return f"{FOLDER}/{today:%Y-%B}.md"


def move_lines(view: View, leaving: Sequence[Leaving], agent: str) -> Change:
    """Return the change that moves lines out of the memory file, each with its id, below the title that it had."""
    path = view.workspace.memory_file
    before = view.read(path) or ""
    written = document.split(before)
    after = _remove_entries(before, [one.held.entry for one in leaving])
    texts: dict[str, str] = {}
    for one in leaving:
        entry = one.held.entry
        is_archive = manifest.kind(one.place) == "archive"
        text = texts.get(one.place) or view.read(one.place)
        birth = _ARCHIVE_TITLE if is_archive else f"# {PurePosixPath(one.place).stem.replace('-', ' ').title()}\n"
        block = "".join(written[entry.start - 1 : entry.end]).replace("\r\n", "\n").lstrip(" \t").rstrip("\n") + "\n"
        texts[one.place] = append_under(text or birth, _title(entry), block, create=True)
        if not is_archive and f"]({one.place})" not in after:
            after = append_under(after, _title(entry), topic_link(_title(entry), one.place), create=True)
    rows = view.rows()
    moved = tuple(replace(rows[one.held.line.id], file=one.place) for one in leaving if one.held.line.id in rows)
    return Change(
        f"memory: {count_entries(len(leaving))} moved out of {path}",
        "\n".join(_describe_leaving(path, one) for one in leaving),
        (Edit(path, before, after), *(Edit(place, view.read(place), text, before) for place, text in texts.items())),
        origin="agent",
        agent=agent,
        rows=moved,
    )


def _remove_entries(text: str, gone: Iterable[Entry]) -> str:
    """Return a text without the lines of entries; every other byte stays."""
    numbers = {number for entry in gone for number in range(entry.start, entry.end + 1)}
    return "".join(row for number, row in enumerate(document.split(text), 1) if number not in numbers)


def _describe_leaving(path: str, one: Leaving) -> str:
    """Return the line of the compaction log for an entry."""
    words = shorten(redacted(one_line(one.held.entry.text)), _MAX_QUOTE_CHARS)
    return (
        f"- entry {one.held.line.id} of {path}, “{words}”: {one.reason}, now in {one.place};"
        f" back: clawgit restore {one.held.line.id}"
    )


def count_entries(count: int) -> str:
    """Return a number with its noun."""
    return f"{count} {'entry' if count == 1 else 'entries'}"


def choose_proposed(view: View, leaving: Iterable[Leaving], now: datetime) -> list[Leaving]:
    """Return the lines to be proposed now: at most five a week, and none that was rejected before."""
    items = [item for item in view.workspace.store.read_items() if item.agent in _AGENTS]
    if any(item.state == "open" or now - item.opened < _PERIOD for item in items):
        return []
    rejected = {key for item in items if item.state == "rejected" for key in _list_removed(item.texts.values())}
    return [one for one in leaving if digest(one.held.entry.text) not in rejected][:MAX_PROPOSED]


def _list_removed(texts: Collection[tuple[str | None, str | None]]) -> Iterator[str]:
    for before, after in texts:
        old, new = ({digest(entry.text) for entry in entries(text or "")} for text in (before, after))
        yield from old - new


class Twins(Struct, frozen=True):
    """Two entries that say the same: the older one stays, or the one that clawgit did not write."""

    stays: Held
    goes: Held


def find_twins(held: Sequence[Held]) -> Iterator[Twins]:
    """Yield entries that say the same, each at most once: in one section by their sense, elsewhere word for word."""
    flat = [one for one in held if one.entry.depth == 1]
    by_sense: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, one in enumerate(flat):
        by_sense[sense(one.entry.text)].append(number)
    gone: set[int] = set()
    for group in by_sense.values():
        for place, number in enumerate(group):
            for other in group[place + 1 :]:
                if number in gone or other in gone or not _is_same(flat[number].entry, flat[other].entry):
                    continue
                stays, goes = sorted((number, other), key=lambda at: _rank_age(flat[at], at))
                gone.add(goes)
                yield Twins(flat[stays], flat[goes])


def _rank_age(one: Held, number: int) -> tuple[bool, date, int]:
    return one.is_own, one.line.first or date.max, number


def _is_same(one: Entry, other: Entry) -> bool:
    if one.section != other.section:
        return one.text == other.text and one.tag == other.tag and len(one.text.split()) >= _LONG_WORDS
    if len({one.tag, other.tag} - {None}) > 1:
        return False
    return one.text == other.text or compare(one.text, other.text).relation == "same"


def merge_twins(view: View, pairs: Sequence[Twins], agent: str) -> Change:
    """Return the change that makes one entry of two; mentions add up, and the other is superseded."""
    path, known = view.workspace.memory_file, view.rows()
    text = view.read(path) or ""
    change = Change(f"memory: {count_entries(len(pairs))} said twice, merged", origin="agent", agent=agent)
    rows: dict[str, Row] = {}
    notes: list[str] = []
    for pair in pairs:
        rows |= {row.id: row for row in _join_rows(pair, {**known, **rows})}
        words = shorten(redacted(one_line(pair.goes.entry.text)), _MAX_QUOTE_CHARS)
        notes.append(
            f"- entry {pair.goes.line.id} of {path}, “{words}”: says what entry {pair.stays.line.id} says;"
            f" back: clawgit undo {change.id}"
        )
    after = _remove_entries(text, [pair.goes.entry for pair in pairs])
    return replace(change, why="\n".join(notes), edits=(Edit(path, text, after),), rows=tuple(rows.values()))


def _join_rows(pair: Twins, rows: Mapping[str, Row]) -> Iterator[Row]:
    goes = rows.get(pair.goes.line.id)
    if goes is None:
        return
    line = pair.stays.line
    stays = rows.get(line.id) or Row(line.id, line.path, digest(line.text), line.tag or "", first=line.first)
    firsts, lasts = ([day for day in days if day] for days in ((stays.first, goes.first), (stays.last, goes.last)))
    yield replace(
        stays,
        confidence=max(stays.confidence, goes.confidence),
        first=min(firsts, default=None),
        last=max(lasts, default=None),
        mentions=stays.mentions | goes.mentions,
        sources=(stays.sources | goes.sources | {goes.id}) - {stays.id},
    )
    if goes.id != stays.id:
        yield replace(goes, status="superseded", by=stays.id)


def forget_line(workspace: Workspace, wanted: str) -> Change:
    """Return the change that moves a memory to the archive, named by its id or by words of it. Raises ClawgitError."""
    line = _find_line(workspace, wanted)
    if line.role not in MEMORY_ROLES or manifest.kind(line.path, workspace.memory_file) == "archive":
        raise path_role(f"{line.path} is no file of memory", fix=Command("clawgit memory show {}", line.id))
    before = workspace.read(line.path) or ""
    rows, every = document.split(before), entries(before)
    number = next(number for number, entry in enumerate(every) if entry.start == line.line)
    entry = every[number]
    below = [other for other in takewhile(lambda other: other.depth > entry.depth, every[number + 1 :]) if entry.depth]
    end = below[-1].end if below else entry.end
    block = dedent("".join(rows[entry.start - 1 : end]).replace("\r\n", "\n")).rstrip("\n") + "\n"
    place = place_archive(workspace.now().date())
    there = workspace.read(place)
    after = append_under(there or _ARCHIVE_TITLE, _title(entry), block, create=True)
    sidecar = workspace.rows().get(line.id)
    return Change(
        f"memory: forget: {shorten(redacted(one_line(line.text)), _MAX_SUBJECT_CHARS)}",
        f"Moved from {line.path} to {place}, as the operator asked.",
        (Edit(line.path, before, "".join((*rows[: entry.start - 1], *rows[end:]))), Edit(place, there, after, before)),
        rows=(replace(sidecar, file=place),) if sidecar else (),
    )


def _find_line(workspace: Workspace, wanted: str) -> MemoryLine:
    if is_id(wanted):
        return find_line(workspace, wanted)
    lines = find_words(workspace, wanted)
    if len(lines) > 1:
        named = "; ".join(
            f"{line.id} “{shorten(one_line(line.text), _MAX_SUBJECT_CHARS)}”" for line in lines[:_MAX_NOTES]
        )
        fix = Command("clawgit forget {}", lines[0].id)
        raise id_ambiguous(f"{len(lines):,} memories have these words: {named}", fix=fix)
    return lines[0]
