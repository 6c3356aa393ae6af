"""Due lines, and lines that leave the memory file."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import takewhile
from pathlib import PurePosixPath
from textwrap import dedent

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, id_ambiguous, path_role
from clawgit.git import churn, history
from clawgit.git.churn import Touch
from clawgit.language import date_mentions
from clawgit.memory.view import View
from clawgit.openclaw import blank_forms
from clawgit.safety import secrets
from clawgit.safety.redaction import redact
from clawgit.text import document
from clawgit.text.edit import append_under, is_link
from clawgit.text.entry import Entry, entries, hash_entry, is_id, new_id
from clawgit.text.similarity import normalise_note
from clawgit.workspace import manifest, records
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import fold_spaces, shorten
from clawgit.workspace.entries import PLANS, Row, Rows
from clawgit.workspace.memory_lines import MEMORY_ROLES, MemoryLine, find_line, find_topic_file, find_words, list_lines
from clawgit.workspace.uncommitted import list_uncommitted_files
from clawgit.workspace.workspace import Workspace

LEAVES = "event"
"""What is over when its day is; a decision holds."""
WEEK = 7
"""Days that are shown: today and the six after it."""
_OLD = timedelta(days=400)
"""After which only a day with its year can still lie ahead."""
_YEAR = re.compile(r"\d{4}")


class Due(Struct, frozen=True):
    """An entry with the days that it names, on lines `start` to `end` of a file; `row` is None if unknown."""

    path: str
    entry: Entry
    row: Row | None
    days: tuple[date, ...]

    def next(self, today: date) -> date | None:
        """Return the first of its days that is not over."""
        return next((day for day in self.days if day >= today), None)

    def over(self, today: date) -> bool:
        """Return whether it is a plan of which the last day has passed."""
        tag = self.entry.tag or (self.row.tag if self.row else "")
        return tag == LEAVES and self.row is not None and self.days[-1] < today


def read_days(text: str, said: date | None, today: date) -> tuple[date, ...]:
    """Return the days to come that a text names, seen from the day on which it was said; of an old one with years."""
    is_old = said is not None and today - said > _OLD and not _YEAR.search(text)
    return () if is_old else date_mentions.days(text, said)


def list_due(path: str, text: str, rows: Iterable[Row], today: date) -> Iterator[Due]:
    """Yield the entries of a file that name days to come, as seen from the day on which they were said.

    That is the first one that the sidecar knows; an entry of which nobody knows counts by days with their year. One
    without a tag, as people write them, counts as well.
    """
    hash_rows = {row.hash: row for row in sorted(rows, reverse=True) if row.file == path and row.status != "tombstone"}
    for entry in entries(text):
        if entry.kind != "bullet" or "superseded" in entry.status or entry.checked:
            continue
        row = hash_rows.get(hash_entry(entry.text))
        tag = entry.tag or (row.tag if row else "")
        if (tag and tag not in PLANS) or (row and row.status == "superseded"):
            continue
        if dates := read_days(entry.text, row.first if row else None, today):
            yield Due(path, entry, row, dates)


def list_coming(texts: Mapping[str, str], rows: Rows, today: date, days: int = WEEK) -> list[tuple[date, Due]]:
    """Return the entries in texts of files, by path, that are due within so many days, the soonest first."""
    items = (item for path, text in texts.items() for item in list_due(path, text, rows.values(), today))
    pairs = ((day, item) for item in items if (day := item.next(today)) and (day - today).days < days)
    return sorted(pairs, key=lambda pair: (pair[0], pair[1].path, pair[1].entry.start))


COMPACTOR, DECAY_ENGINE = "memory-compactor", "decay-engine"
_AGENTS = (COMPACTOR, DECAY_ENGINE, "organizer")
FADED, SILENT_DAYS = 0.3, 60
"""Below this confidence a line may leave after so many days without a mention (spec 5.5, 2)."""
MAX_MOVED = 200
MAX_PROPOSED, _PERIOD = 5, timedelta(days=7)
"""Lines of others that are proposed in a week."""
_ROOM = 0.9
"""The share of the limits to which a memory file is shortened."""
_MAX_QUOTE_CHARS, _MAX_SUBJECT_CHARS, _MAX_NAMED = 160, 60, 5


class Removals(Struct):
    """The lines that earlier runs took out of files and added to them, each with its file."""

    lines_out: set[tuple[str, str]] = field(default_factory=set)
    lines_in: set[tuple[str, str]] = field(default_factory=set)


def read_removals(workspace: Workspace) -> Removals:
    """Return the lines that earlier runs moved; a line brought back since is wanted there."""
    trailers = (f"Clawgit-Agent: {agent}" for agent in _AGENTS)
    commits = [
        item.id for words in trailers for item in history.walk_log(workspace.repo, containing=words, named=False)
    ]
    removals = Removals()
    for touch in (touch for _, touch in churn.churn(workspace.repo, commits, "*.md") if isinstance(touch, Touch)):
        for hunk in touch.hunks:
            # A last line that only got its line end did not move.
            lines_out, lines_in = (
                {(touch.path, row.decode("utf-8", "replace").strip()) for row in rows}
                for rows in (hunk.taken, hunk.given)
            )
            removals.lines_out |= lines_out - lines_in
            removals.lines_in |= lines_in - lines_out
    return removals


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
    return {change.path for change in list_uncommitted_files(view.workspace.repo) if change.staged or change.unmerged}


class Held(Struct, frozen=True):
    """An entry of a file on lines up to `end`; `is_own` if clawgit wrote it and nobody reworded it."""

    entry: Entry
    line: MemoryLine
    end: int
    is_own: bool = False


class Leaving(Struct, frozen=True):
    """An entry that leaves for the file `place`, and the reason; `stays` is the one with the same text."""

    held: Held
    place: str
    reason: str
    stays: Held | None = None


Find = Callable[[View, Sequence[Held], date], Iterable[Leaving]]


def list_held(view: View, removals: Removals, skipped: Counter[str]) -> list[Held]:
    """Return the bullets that may leave the memory file, in their order.

    No corrections, conflicts, tasks, comments, bullets with others below them or lines with a secret, and nothing that
    somebody brought back.
    """
    path = view.workspace.memory_file
    text = view.read(path) or ""
    lines = {hash_entry(line.text): line for line in reversed(list_lines(view.workspace, paths=(path,)))}
    changed = {line.changed.commit for line in lines.values() if line.changed}
    commits = history.read_commits(view.workspace.repo, changed)
    authors = ((oid, records.record(commit)) for oid, commit in commits.items())
    own = {oid for oid, record in authors if record.agent in manifest.WRITERS and not record.claimed}
    rows, all_entries = document.split(text), entries(text)
    result: list[Held] = []
    for entry, below_entry in zip(all_entries, (*all_entries[1:], None), strict=False):
        line = lines.get(hash_entry(entry.text))
        block = "".join(rows[entry.start - 1 : entry.end])
        is_parent = below_entry is not None and below_entry.depth > entry.depth
        is_plain = entry.kind == "bullet" and not is_parent and not entry.status and entry.checked is None
        if secrets.find_secrets(entry.text):
            skipped["holds a secret"] += 1
        elif line is None or line.status == "corrected" or "<!--" in block or not is_plain:
            continue
        elif (path, rows[entry.start - 1].strip()) in removals.lines_out:
            skipped["brought back"] += 1
        else:
            result.append(Held(entry, line, entry.end, line.changed is not None and line.changed.commit in own))
    return result


def find_leaving(view: View, held: Sequence[Held], today: date) -> list[Leaving]:
    """Return the lines that may leave now, each once: expired, faded or repeated ones, then those beyond the limit."""
    groups = (*find_expired(view, held, today), *find_faded(held, today), *find_twins(held, today))
    leaving = {item.held.entry.start: item for item in reversed(groups)}
    rest = [bullet for bullet in held if bullet.entry.start not in leaving]
    return [*leaving.values(), *find_excess(view, rest, list(leaving.values()))]


def find_expired(_view: View, held: Sequence[Held], today: date) -> Iterator[Leaving]:
    """Yield events of which the last day has passed, as seen from the birth of the line."""
    for bullet in held:
        line = bullet.line
        days = read_days(line.text, line.first, today)
        # A line without a tag is an event if it names days after its birth.
        is_untagged_event = not line.tag and line.first is not None and min(days, default=date.min) >= line.first
        if days and days[-1] < today and (line.tag == LEAVES or is_untagged_event):
            yield Leaving(bullet, place_archive(today), f"was due {days[-1]}")


def find_faded(held: Iterable[Held], today: date) -> Iterator[Leaving]:
    """Yield lines of which nobody is sure any more and that nobody mentioned for long; both, not one."""
    for bullet in held:
        silent = (today - bullet.line.last).days if bullet.line.last else 0
        if bullet.line.confidence < FADED and silent >= SILENT_DAYS:
            reason = f"confidence {bullet.line.confidence:g}, silent for {silent} days"
            yield Leaving(bullet, place_archive(today), reason)


def find_twins(held: Sequence[Held], today: date) -> Iterator[Leaving]:
    """Yield lines with the sense of another one of their section.

    The older one stays, or the one that clawgit did not write.
    """
    stay: dict[tuple[object, ...], Held] = {}
    for bullet in sorted(held, key=lambda item: (item.is_own, item.line.first or date.max, item.entry.start)):
        entry = bullet.entry
        twin = stay.setdefault((entry.section, normalise_note(entry.text)), bullet) if entry.depth == 1 else bullet
        if twin is not bullet and len({entry.tag, twin.entry.tag} - {None}) <= 1:
            yield Leaving(bullet, place_archive(today), f"says what entry {twin.line.id} says", twin)


def find_excess(view: View, held: Sequence[Held], leaving: Sequence[Leaving] = ()) -> Iterator[Leaving]:
    """Yield the least certain lines of a memory file that is too long without those that leave, for files by topic."""
    workspace = view.workspace
    text = view.read(workspace.memory_file) or ""
    removals = [item.held.entry for item in leaving if item.held.is_own]
    count = len(document.split(text)) - sum(entry.end - entry.start + 1 for entry in removals)
    size = blank_forms.length(text) - sum(blank_forms.length(entry.text) for entry in removals)
    cap = workspace.host.limits(workspace.root).of(workspace.memory_file)
    if count < blank_forms.MAX_MEMORY_LINES and size <= cap:
        return
    reason = f"the file has {count} lines and {size:,} characters"
    for bullet in sorted(held, key=lambda item: (item.line.confidence, item.line.last or date.min, item.entry.start)):
        if count <= blank_forms.MAX_MEMORY_LINES * _ROOM and size <= cap * _ROOM:
            return
        topic = find_topic_file(workspace.root, _title(bullet.entry))
        if topic and not is_link(bullet.entry.text) and "](memory/" not in bullet.entry.text:
            count -= bullet.entry.end - bullet.entry.start + 1
            size -= blank_forms.length(bullet.entry.text)
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
    keys = (({hash_entry(entry.text) for entry in entries(text or "")} for text in pair) for pair in texts)
    rejected = {key for old, new in keys for key in old - new}
    return [item for item in leaving if hash_entry(item.held.entry.text) not in rejected][:MAX_PROPOSED]


def move_lines(view: View, leaving: Sequence[Leaving], agent: str | None, path: str = "") -> Change:
    """Return the change that moves entries out of a file, each with its id, below the title that it had.

    Without an `agent` the operator forgets them: they are served no more, and no link leads to their archive.
    """
    path = path or view.workspace.memory_file
    before = view.read(path) or ""
    file_rows = document.split(before)
    numbers = {number for item in leaving for number in range(item.held.entry.start, item.held.end + 1)}
    after = "".join(row for number, row in enumerate(file_rows, 1) if number not in numbers)
    name, texts, moved_rows = new_id(), dict[str, str](), dict[str, Row]()
    for item in leaving:
        entry, place = item.held.entry, item.place
        block = "".join(file_rows[entry.start - 1 : item.held.end])
        texts[place] = _add_block(texts.get(place) or view.read(place), place, entry, block)
        if manifest.kind(place) != "archive" and f"]({place})" not in after:
            after = append_under(after, _title(entry), f"- More: [{place}]({place})", create=True)
        if agent is None:
            row = view.find_row(item.held.line)
            moved_rows[row.id] = replace(row, file=place, status="superseded", by=name)
        elif known_row := view.rows().get(item.held.line.id):
            moved_rows[known_row.id] = replace(known_row, file=place)
            if item.stays:
                stays = moved_rows.get(item.stays.line.id) or view.find_row(item.stays.line)
                moved_rows[stays.id] = join_rows(stays, known_row)
    count = len(leaving)
    return Change(
        f"memory: {count} {'entry' if count == 1 else 'entries'} moved out of {path}",
        "\n".join(_describe_leaving(path, item) for item in leaving),
        (Edit(path, before, after), *(Edit(place, view.read(place), text, before) for place, text in texts.items())),
        origin="agent" if agent else "operator",
        agent=agent,
        rows=tuple(moved_rows.values()),
        id=name,
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
    return replace(
        stays,
        confidence=max(stays.confidence, goes.confidence),
        first=min(filter(None, (stays.first, goes.first)), default=None),
        last=max(filter(None, (stays.last, goes.last)), default=None),
        mentions=stays.mentions | goes.mentions,
        sources=(stays.sources | goes.sources | {goes.id}) - {stays.id},
    )


def _describe_leaving(path: str, item: Leaving) -> str:
    """Return the line of the compaction log for an entry."""
    words = shorten(redact(fold_spaces(item.held.entry.text)), _MAX_QUOTE_CHARS)
    name = item.held.line.id
    return f"- entry {name} of {path}, “{words}”: {item.reason}, now in {item.place}; back: clawgit restore {name}"


def forget_line(workspace: Workspace, wanted: str) -> Change:
    """Return the change that moves a memory to the archive, named by its id or by words of it. Raises ClawgitError."""
    line = find_line(workspace, wanted) if is_id(wanted) else _find_only_line(workspace, wanted)
    if line.role not in MEMORY_ROLES or manifest.kind(line.path, workspace.memory_file) == "archive":
        raise path_role(f"{line.path} is no file of memory", fix=Command("clawgit show {}", line.id))
    all_entries = entries(workspace.read(line.path) or "")
    number = next(number for number, entry in enumerate(all_entries) if entry.start == line.line)
    entry, place = all_entries[number], place_archive(workspace.now().date())
    later = all_entries[number + 1 :] if entry.depth else ()
    end = [entry, *takewhile(lambda other: other.depth > entry.depth, later)][-1].end
    change = move_lines(View(workspace), [Leaving(Held(entry, line, end), place, "")], None, line.path)
    subject = f"memory: forget: {shorten(redact(fold_spaces(line.text)), _MAX_SUBJECT_CHARS)}"
    return replace(change, subject=subject, why=f"Moved from {line.path} to {place}, as the operator asked.")


def _find_only_line(workspace: Workspace, words: str) -> MemoryLine:
    lines = find_words(workspace, words)
    if len(lines) > 1:
        quotes = ((line, shorten(fold_spaces(line.text), _MAX_SUBJECT_CHARS)) for line in lines[:_MAX_NAMED])
        names = "; ".join(f"{line.id} “{quote}” ({line.path}:{line.line})" for line, quote in quotes)
        fix = Command("clawgit forget {}", lines[0].id)
        raise id_ambiguous(f"{len(lines):,} memories have these words: {names}", fix=fix)
    return lines[0]
