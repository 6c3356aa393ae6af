"""Lines that leave the memory file."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import takewhile
from pathlib import PurePosixPath
from textwrap import dedent
from urllib.parse import unquote

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, id_ambiguous, path_role
from clawgit.git import history, repository
from clawgit.memory import due_entries
from clawgit.memory.view import View
from clawgit.openclaw import openclaw_limits
from clawgit.safety import secrets
from clawgit.safety.redaction import redacted
from clawgit.text import correction, document
from clawgit.text.edit import append_under, is_link, topic_link
from clawgit.text.entry import Entry, digest, entries, is_id, new_id
from clawgit.text.similarity import sense
from clawgit.workspace import manifest, records
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import fold_spaces, shorten
from clawgit.workspace.entries import Row
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.memory import find_topic_file
from clawgit.workspace.memory_lines import MEMORY_ROLES, MemoryLine, find_line, find_words, list_lines
from clawgit.workspace.uncommitted import uncommitted
from clawgit.workspace.workspace import Workspace

COMPACTOR, DECAY_ENGINE = "memory-compactor", "decay-engine"
_AGENTS = (COMPACTOR, DECAY_ENGINE, "organizer")
FADED = 0.3
"""Below this confidence a line may leave (spec 5.5, 2)."""
SILENT_DAYS = 60
"""Days without a mention after which it may (spec 5.5, 2)."""
MAX_MOVED = 200
MAX_PROPOSED, _PERIOD = 5, timedelta(days=7)
"""Lines of others that are proposed in a week."""
_ROOM = 0.9
"""The share of the limits to which a memory file is shortened."""
_LONG_WORDS = 8
"""Words from which on a line says the same in every section."""
_MAX_QUOTE_CHARS, _MAX_SUBJECT_CHARS, _MAX_NAMED = 160, 60, 5
_SOURCE = re.compile(r"<!-- from (\S+) ([0-9a-f]{10}) -->")


class Removals(Struct):
    """The removals of earlier runs: texts of journals by path, digests of entries and ids of corrections.

    `sources` are the archived journals: the archive, the path, the version.
    """

    journals: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    gone: set[str] = field(default_factory=set)
    sources: set[tuple[str, str, str]] = field(default_factory=set)


def list_sources(text: str) -> set[tuple[str, str]]:
    """Return path and version of each journal in an archive."""
    return {(unquote(match[1]), match[2]) for match in _SOURCE.finditer(text)}


def read_removals(workspace: Workspace) -> Removals:
    """Return the removals in the commits of earlier runs; a line brought back since is wanted there."""
    removals = Removals()
    trailers = [f"Clawgit-Agent: {agent}" for agent in _AGENTS]
    for commit in (commit for trailer in trailers for commit in history.log(workspace.repo, containing=trailer)):
        parent = commit.parents[0] if commit.parents else None
        for path in commit.paths:
            kind = manifest.kind(path, workspace.memory_file)
            before, after = (repository.read(workspace.repo, oid, path) for oid in (parent, commit.id))
            old, new = loosely(before), loosely(after)
            if kind == "journal" and after is None:
                removals.journals[path].append(old.strip())
            elif kind == "archive":
                removals.sources |= {(path, *source) for source in list_sources(new) - list_sources(old)}
            elif kind == "corrections":
                ids = ({record.id for record in correction.corrections(text)} for text in (old, new))
                removals.gone |= next(ids) - next(ids)
            elif kind == "memory":
                removals.gone |= _list_digests(old) - _list_digests(new)
    return removals


def _list_digests(text: str) -> set[str]:
    return {digest(entry.text) for entry in entries(text)}


def is_writable(view: View, path: str, skipped: Counter[str]) -> bool:
    """Return whether a file can be changed now; the reason why not is counted in `skipped`."""
    try:
        view.read(path)
    except ClawgitError:
        skipped["not fit to be read"] += 1
        return False
    if path in list_staged(view):
        skipped["staged by hand"] += 1
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


class Leaving(Struct, frozen=True):
    """A line that leaves for the file `place`, and the reason; `stays` is the one with the same text."""

    held: Held
    place: str
    reason: str
    stays: Held | None = None


Find = Callable[[View, Sequence[Held], date], Iterable[Leaving]]


def list_held(view: View, removals: Removals, skipped: Counter[str]) -> list[Held]:
    """Return the bullets that may leave the memory file, in their order.

    No corrections, conflicts, tasks, comments or lines with a secret, and nothing that somebody brought back.
    """
    path = view.workspace.memory_file
    text = view.read(path) or ""
    lines: dict[str, MemoryLine] = {}
    for line in list_lines(view.workspace, paths=(path,)):
        lines.setdefault(digest(line.text), line)
    changed = {line.changed.commit for line in lines.values() if line.changed}
    commits = history.read_commits(view.workspace.repo, changed)
    authors = ((oid, records.record(commit)) for oid, commit in commits.items())
    own = {oid for oid, record in authors if record.agent in manifest.WRITERS and not record.claimed}
    rows, all_entries = document.split(text), entries(text)
    result: list[Held] = []
    for entry, below_entry in zip(all_entries, (*all_entries[1:], None), strict=False):
        memory_line = lines.get(digest(entry.text))
        is_parent = below_entry is not None and below_entry.depth > entry.depth
        is_plain = entry.kind == "bullet" and not is_parent and not entry.status and entry.checked is None
        is_commented = "<!--" in "".join(rows[entry.start - 1 : entry.end])
        if secrets.scan(entry.text):
            skipped["holds a secret"] += 1
        elif memory_line is None or memory_line.status == "corrected" or is_commented or not is_plain:
            continue
        elif digest(entry.text) in removals.gone:
            skipped["brought back"] += 1
        else:
            is_own = memory_line.changed is not None and memory_line.changed.commit in own
            result.append(Held(entry, memory_line, is_own))
    return result


def find_leaving(view: View, held: Sequence[Held], today: date) -> list[Leaving]:
    """Return the lines that may leave now, each once: expired, faded or repeated ones, then those beyond the limit."""
    groups = (*find_expired(view, held, today), *find_faded(held, today), *find_twins(held, today))
    leaving = {leaving_line.held.entry.start: leaving_line for leaving_line in reversed(groups)}
    rest = [bullet for bullet in held if bullet.entry.start not in leaving]
    return [*leaving.values(), *find_excess(view, rest, list(leaving.values()))]


def find_expired(_view: View, held: Sequence[Held], today: date) -> Iterator[Leaving]:
    """Yield events of which the last day has passed, as seen from the birth of the line."""
    for bullet in held:
        line = bullet.line
        days = due_entries.read_days(line.text, line.first, today)
        # A line without a tag is an event if it names days after its birth.
        is_untagged_event = not line.tag and line.first is not None and min(days, default=date.min) >= line.first
        if days and days[-1] < today and (line.tag == due_entries.LEAVES or is_untagged_event):
            yield Leaving(bullet, place_archive(today), f"was due {days[-1]}")


def find_faded(held: Iterable[Held], today: date) -> Iterator[Leaving]:
    """Yield lines of which nobody is sure any more and that nobody mentioned for long; both, not one."""
    for bullet in held:
        silent = (today - bullet.line.last).days if bullet.line.last else 0
        if bullet.line.confidence < FADED and silent >= SILENT_DAYS:
            reason = f"confidence {bullet.line.confidence:g}, silent for {silent} days"
            yield Leaving(bullet, place_archive(today), reason)


def find_twins(held: Sequence[Held], today: date) -> Iterator[Leaving]:
    """Yield lines that repeat another one: in one section by their sense, elsewhere word for word.

    The older one stays, or the one that clawgit did not write.
    """
    by_sense: defaultdict[tuple[str, ...], list[Held]] = defaultdict(list)
    for bullet in sorted(held, key=lambda item: (item.is_own, item.line.first or date.max, item.entry.start)):
        if bullet.entry.depth == 1:
            by_sense[sense(bullet.entry.text)].append(bullet)
    for group in by_sense.values():
        stay: list[Held] = []
        for bullet in group:
            if twin := next((other for other in stay if _is_same(bullet.entry, other.entry)), None):
                yield Leaving(bullet, place_archive(today), f"says what entry {twin.line.id} says", twin)
            else:
                stay.append(bullet)


def _is_same(entry: Entry, other: Entry) -> bool:
    """Return whether of two lines of one sense one is enough."""
    if entry.section != other.section:
        return entry.text == other.text and entry.tag == other.tag and len(entry.text.split()) >= _LONG_WORDS
    return len({entry.tag, other.tag} - {None}) <= 1


def find_excess(view: View, held: Sequence[Held], leaving: Sequence[Leaving] = ()) -> Iterator[Leaving]:
    """Yield the least certain lines of a memory file that is too long without those that leave, for files by topic."""
    workspace = view.workspace
    text = view.read(workspace.memory_file) or ""
    removals = [item.held.entry for item in leaving if item.held.is_own]
    count = len(document.split(text)) - sum(entry.end - entry.start + 1 for entry in removals)
    size = openclaw_limits.length(text) - sum(openclaw_limits.length(entry.text) for entry in removals)
    cap = workspace.host.limits(workspace.root).of(workspace.memory_file)
    if count < openclaw_limits.MAX_MEMORY_LINES and size <= cap:
        return
    reason = f"the file has {count} lines and {size:,} characters"
    for bullet in sorted(held, key=lambda item: (item.line.confidence, item.line.last or date.min, item.entry.start)):
        if count <= openclaw_limits.MAX_MEMORY_LINES * _ROOM and size <= cap * _ROOM:
            return
        topic = find_topic_file(workspace.root, _title(bullet.entry))
        if topic and not is_link(bullet.entry.text) and "](memory/" not in bullet.entry.text:
            count -= bullet.entry.end - bullet.entry.start + 1
            size -= openclaw_limits.length(bullet.entry.text)
            yield Leaving(bullet, topic, reason)


def _title(entry: Entry) -> str:
    return entry.section[-1] if entry.section else "Notes"


def place_archive(today: date) -> str:
    """Return the archive of the lines that leave in a month."""
    return f"{file_roles.FORGOTTEN}{today:%Y-%B}.md"


def list_departures(view: View, find: Find, now: datetime, agent: str, skipped: Counter[str]) -> Iterator[Change]:
    """Yield a change for lines of clawgit's that leave, and one for the inbox for a few of others."""
    path = view.workspace.memory_file
    if view.read(path) is None or not is_writable(view, path, skipped):
        return
    removals = read_removals(view.workspace)
    leaving = list(find(view, list_held(view, removals, skipped), now.date()))
    own = [item for item in leaving if item.held.is_own and is_writable(view, item.place, skipped)][:MAX_MOVED]
    if own:
        yield move_lines(view, own, agent)
    left = find(view, list_held(view, removals, Counter()), now.date())
    if proposals := choose_proposed(view, [item for item in left if not item.held.is_own], now):
        yield replace(move_lines(view, proposals, agent), held=True)


def choose_proposed(view: View, leaving: Iterable[Leaving], now: datetime) -> list[Leaving]:
    """Return the lines to be proposed now: at most five a week, and none that was rejected before."""
    own = (item for item in view.workspace.store.read_items() if item.agent in _AGENTS)
    items = [item for item in own if view.workspace.memory_file in item.texts]
    if any(item.state == "open" or now - item.opened < _PERIOD for item in items):
        return []
    texts = (pair for item in items if item.state == "rejected" for pair in item.texts.values())
    rejected = {key for old, new in texts for key in _list_digests(old or "") - _list_digests(new or "")}
    return [item for item in leaving if digest(item.held.entry.text) not in rejected][:MAX_PROPOSED]


def move_lines(view: View, leaving: Sequence[Leaving], agent: str) -> Change:
    """Return the change that moves lines out of the memory file, each with its id, below the title that it had."""
    path = view.workspace.memory_file
    before = view.read(path) or ""
    file_rows = document.split(before)
    spans = [(departure.held.entry.start, departure.held.entry.end) for departure in leaving]
    numbers = {number for start, end in spans for number in range(start, end + 1)}
    after = "".join(row for number, row in enumerate(file_rows, 1) if number not in numbers)
    texts: dict[str, str] = {}
    moved_rows: dict[str, Row] = {}
    for departure in leaving:
        entry, place = departure.held.entry, departure.place
        block = "".join(file_rows[entry.start - 1 : entry.end])
        texts[place] = _add_block(texts.get(place) or view.read(place), place, entry, block)
        if manifest.kind(place) != "archive" and f"]({place})" not in after:
            after = append_under(after, _title(entry), topic_link(_title(entry), place), create=True)
        if row := view.rows().get(departure.held.line.id):
            moved_rows[row.id] = replace(row, file=place)
            if departure.stays:
                stays = moved_rows.get(departure.stays.line.id) or view.find_row(departure.stays.line)
                moved_rows[stays.id] = join_rows(stays, row)
    count = len(leaving)
    return Change(
        f"memory: {count} {'entry' if count == 1 else 'entries'} moved out of {path}",
        "\n".join(_describe_leaving(path, departure) for departure in leaving),
        (Edit(path, before, after), *(Edit(place, view.read(place), text, before) for place, text in texts.items())),
        origin="agent",
        agent=agent,
        rows=tuple(moved_rows.values()),
    )


def _add_block(text: str | None, place: str, entry: Entry, block: str) -> str:
    """Return a file with the lines of an entry below the title that it had."""
    is_archive = manifest.kind(place) == "archive"
    title = "Memories that left their files" if is_archive else PurePosixPath(place).stem.replace("-", " ").title()
    # A row without its table is no entry of its own: as a bullet it stays one, with the same words.
    plain = f"- {entry.text}\n" if entry.kind == "row" else dedent(block.replace("\r\n", "\n")).rstrip("\n") + "\n"
    return append_under(text or f"# {title}\n", _title(entry), plain, create=True)


def join_rows(stays: Row, goes: Row) -> Row:
    """Return the row of an entry with the mentions of another one of the same text."""
    firsts, lasts = ([day for day in days if day] for days in ((stays.first, goes.first), (stays.last, goes.last)))
    return replace(
        stays,
        confidence=max(stays.confidence, goes.confidence),
        first=min(firsts, default=None),
        last=max(lasts, default=None),
        mentions=stays.mentions | goes.mentions,
        sources=(stays.sources | goes.sources | {goes.id}) - {stays.id},
    )


def _describe_leaving(path: str, departure: Leaving) -> str:
    """Return the line of the compaction log for an entry."""
    words = shorten(redacted(fold_spaces(departure.held.entry.text)), _MAX_QUOTE_CHARS)
    return (
        f"- entry {departure.held.line.id} of {path}, “{words}”: {departure.reason}, now in {departure.place};"
        f" back: clawgit restore {departure.held.line.id}"
    )


def forget_line(workspace: Workspace, wanted: str) -> Change:
    """Return the change that moves a memory to the archive, named by its id or by words of it. Raises ClawgitError."""
    line = _find_line(workspace, wanted)
    if line.role not in MEMORY_ROLES or manifest.kind(line.path, workspace.memory_file) == "archive":
        raise path_role(f"{line.path} is no file of memory", fix=Command("clawgit show {}", line.id))
    before, place = workspace.read(line.path) or "", place_archive(workspace.now().date())
    rows, all_entries = document.split(before), entries(before)
    number = next(number for number, entry in enumerate(all_entries) if entry.start == line.line)
    entry = all_entries[number]
    later = all_entries[number + 1 :] if entry.depth else []
    end = [entry, *takewhile(lambda other: other.depth > entry.depth, later)][-1].end
    archive = workspace.read(place)
    after = _add_block(archive, place, entry, "".join(rows[entry.start - 1 : end]))
    name = new_id()
    row = View(workspace).find_row(line)
    return Change(
        f"memory: forget: {shorten(redacted(fold_spaces(line.text)), _MAX_SUBJECT_CHARS)}",
        f"Moved from {line.path} to {place}, as the operator asked.",
        (
            Edit(line.path, before, "".join((*rows[: entry.start - 1], *rows[end:]))),
            Edit(place, archive, after, before),
        ),
        rows=(replace(row, file=place, status="superseded", by=name),),  # neither served nor found there
        id=name,
    )


def _find_line(workspace: Workspace, wanted: str) -> MemoryLine:
    if is_id(wanted):
        return find_line(workspace, wanted)
    lines = find_words(workspace, wanted)
    if len(lines) > 1:
        quotes = ((line, shorten(fold_spaces(line.text), _MAX_SUBJECT_CHARS)) for line in lines[:_MAX_NAMED])
        names = "; ".join(f"{line.id} “{quote}” ({line.path}:{line.line})" for line, quote in quotes)
        fix = Command("clawgit forget {}", lines[0].id)
        raise id_ambiguous(f"{len(lines):,} memories have these words: {names}", fix=fix)
    return lines[0]
