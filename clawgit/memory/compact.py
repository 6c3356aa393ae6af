"""Archives of old journals and corrections."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Literal, NamedTuple
from urllib.parse import quote

from msgspec import Struct, field

from clawgit import file_roles
from clawgit.errors import ClawgitError, quote_shell
from clawgit.git import git_filters, history, repository, repository_health
from clawgit.language.dates import parse_date
from clawgit.memory.expiry import COMPACTOR, MAX_MOVED, Removals, is_writable, list_staged
from clawgit.memory.view import View, find_gravest
from clawgit.safety import secrets
from clawgit.search.corpus import CHRONICLE
from clawgit.text import conflict, document
from clawgit.text.edit import append_block
from clawgit.text.unit import fence
from clawgit.workspace import bootstrap, file_contents, records
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.config import Config
from clawgit.workspace.file_contents import clean_for_writing
from clawgit.workspace.settings import KEYS
from clawgit.workspace.uncommitted import list_uncommitted_files

MIN_DAYS = 30
"""Days that a journal stays as it is, whatever is configured."""
_MIN_DAYS_OF_QUARTER = 90
_OTHERS = ("memory/archive/", "memory/dreaming/", "memory/imports/")
_CORRECTED = re.compile(r"(?<![\w#])#correction\b", re.IGNORECASE)
_SOURCE = re.compile(r"<!-- from (\S+) ([0-9a-f]{10}) -->")
FOLDER, _CORRECTIONS_FOLDER = "memory/archive/chronicles", "Archive/Corrections"
_PLAIN = "/:@!$&'()*+,;=~#?[]"

Form = Literal["chronicle", "quarterly"]
Told = Mapping[str, str]
"""What a model tells of days, by the path of the journal."""


class CompactionPlan(Struct, frozen=True):
    """Journals older than `days` go into archives of a `form`; with `remove` they leave.

    With `tend` a run also tidies the memory file and the corrections. Without `enabled` it only shows a preview. With
    `ask` the first run waits in the inbox.
    """

    form: Form
    days: int
    remove: bool
    tend: bool = True
    enabled: bool = True
    ask: bool = False


def read_plan(config: Config) -> CompactionPlan:
    """Return the plan in `compaction` of CONFIG.md."""
    setting, days = config.shown(KEYS["compaction"]), int(config.value("compaction_age_days"))
    value = str(config.value("compaction"))
    if value == "quarterly":
        return CompactionPlan("quarterly", max(days, _MIN_DAYS_OF_QUARTER), remove=False)
    return CompactionPlan(
        "chronicle", max(days, MIN_DAYS), remove=True, enabled=value == "chronicle", ask=setting.line is None
    )


class Journal(NamedTuple):
    """A journal as it was read."""

    path: str
    day: date
    text: str

    @property
    def source(self) -> str:
        """The comment below its text in an archive: its path, and ten letters of its id in git."""
        path = "".join(letter if letter.isalnum() else quote(letter, safe=_PLAIN) for letter in self.path)
        return f"<!-- from {path} {repository.hash_blob(self.text.encode())[:10]} -->"

    @property
    def words(self) -> str:
        """Its text for an archive: secrets are named instead of shown."""
        plain = self.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        return clean_for_writing(plain).strip("\n")


class Run(Struct):
    """The state of a run; `tell` returns a model's sentences on days."""

    view: View
    plan: CompactionPlan
    today: date
    removals: Removals
    tell: Callable[[Sequence[Journal]], Told]
    skipped: Counter[str] = field(default_factory=Counter)


def is_first_run(view: View) -> bool:
    """Return whether the workspace was adopted and no journal left it for a chronicle yet."""
    repo = view.workspace.repo
    places = ((bootstrap.SUBJECT, ()), (f"Clawgit-Agent: {COMPACTOR}", (FOLDER,)))
    is_adopted, is_compacted = (
        any(history.walk_log(repo, *paths, containing=words, limit=1, named=False)) for words, paths in places
    )
    return is_adopted and not is_compacted


def list_journals(run: Run) -> list[Journal]:
    """Return the journals that are old enough, and never less than 30 days, in the order of their days."""
    repo, staged = run.view.workspace.repo, list_staged(run.view)
    limit = max(run.plan.days, MIN_DAYS)
    paths = {*repository_health.index(repo), *(file.path for file in list_uncommitted_files(repo))}
    days = ((file_roles.journal_day(path), path) for path in paths if not path.startswith(_OTHERS))
    journals: list[Journal] = []
    for day, path in sorted((day, path) for day, path in days if day and (run.today - day).days > limit):
        text = "" if path in staged else _read_journal(run, path)
        rows = {row.strip() for row in text.splitlines() if row.strip()}
        removals = {row for row in rows if (path, row) in run.removals.lines_out}
        # A title alone may be that of a new journal of the same day.
        if path in staged:
            run.skipped["staged by hand"] += 1
        elif removals == rows or any(not row.startswith("#") for row in removals):
            run.skipped["brought back"] += bool(rows)
        else:
            journals.append(Journal(path, day, text))
    return journals


def _read_journal(run: Run, path: str) -> str:
    """Return the text of a journal that is fit to be archived, "" with the reason in `skipped`."""
    view, repo = run.view, run.view.workspace.repo
    if not path.isprintable():
        run.skipped["named so that nothing can cite it"] += 1
        return ""
    try:
        file_contents.check_words(path, "a name")
        text = view.read(path) or ""
        git_filters.require_unfiltered(repo, path, text.encode())
        file_contents.refuse_new_secrets(path, repository.read(repo, view.workspace.head, path), text.encode())
    except ClawgitError:
        run.skipped["not fit to be read"] += 1
        return ""
    if _CORRECTED.search(text):
        run.skipped["holds a #correction"] += 1
        return ""
    return text


def list_archive_changes(run: Run, journals: Sequence[Journal]) -> Iterator[Change]:
    """Yield a change for each archive: the journals go into it, and leave, with the ids of their entries."""
    for place, group in groupby(journals, key=lambda journal: place_archive(journal.day, run.plan.form)):
        if is_writable(run.view, place, run.skipped):
            yield from _archive_journals(run, place, list(group))


def _archive_journals(run: Run, place: str, group: list[Journal]) -> Iterator[Change]:
    before = run.view.read(place)
    sources = {match[0] for match in _SOURCE.finditer(before or "")}
    undone = {journal.source for journal in group if (place, journal.source) in run.removals.lines_in} - sources
    run.skipped.update("brought back" for _ in undone)
    fresh = [journal for journal in group if journal.source not in sources | undone]
    summaries = run.tell(fresh) if fresh and run.plan.form == "chronicle" else {}
    after = add_journals(before, place, fresh, summaries) if fresh else before
    removals = [journal for journal in group if journal.source not in undone] if run.plan.remove else []
    if not fresh and not removals:
        return
    edits = [Edit(place, before, after, "".join(journal.text for journal in fresh))] if fresh else []
    edits += [Edit(journal.path, journal.text, None, exact=True) for journal in removals]
    days, name = len({journal.day for journal in fresh}), title_archive(place)
    kind = "chronicle" if run.plan.form == "chronicle" else "archive"
    subject = f"memory: {kind} of {name}, {days} {'day' if days == 1 else 'days'}"
    if not fresh:
        subject = f"memory: {len(removals)} {'journal' if len(removals) == 1 else 'journals'} of {name} removed"
    why = "\n".join(
        f"- {journal.path}: {(run.today - journal.day).days} days old, now in {place};"
        f" back: clawgit restore {quote_shell(journal.path)}"
        for journal in removals
    )
    # An archive is no surer than the least trusted of those that wrote to its journals.
    commits = records.list_records(run.view.workspace, *(journal.path for journal in group))
    origin = find_gravest(record.origin for record in commits)
    yield Change(subject, why, tuple(edits), origin="agent" if origin == "operator" else origin, agent=COMPACTOR)


def place_archive(day: date, form: Form = "chronicle") -> str:
    """Return the archive of a day: of its month (spec 5.5, below memory/, which OpenClaw searches) or its quarter."""
    if form == "quarterly":
        return f"memory/archive/{day.year:04}-Q{(day.month + 2) // 3}.md"
    return f"{FOLDER}/{day.year:04}-{day:%B}.md"


def title_archive(place: str) -> str:
    """Return the month or quarter of an archive in words."""
    name = place.rpartition("/")[2].removesuffix(".md")
    year, _, month = name.partition("-")
    return name if month.startswith("Q") else f"{month} {year}"


def add_journals(text: str | None, place: str, journals: Sequence[Journal], summaries: Told) -> str:
    """Return an archive with more journals at its end, in their own words, each below its day; nothing else changes."""
    parts = [text if text.endswith("\n") else f"{text}\n"] if text is not None else []
    if text is None and place.startswith(FOLDER):
        parts.append(f"# Chronicle of {title_archive(place)}\n\n{CHRONICLE}")
    for journal in journals:
        words, day = journal.words, journal.day.isoformat()
        first, _, rest = words.partition("\n")
        has_title = first.startswith("# ") and day in first
        title, words = (first, rest.strip("\n")) if has_title else (f"# {day}", words)
        body = _close(document.lowered(words, 2)) if words.strip() else ""
        parts.append("\n\n".join(filter(None, (title, summaries.get(journal.path), body, f"{journal.source}\n"))))
    return "\n".join(parts)


def _close(text: str) -> str:
    """Return a text with no code block or comment open at its end."""
    probe = document.parse_document(f"{text}\n\n# end of it\n")
    last = next((block for block in reversed(probe.blocks) if block.kind != "blank"), None)
    if last is None or last.kind == "heading":
        return text
    if text.rfind("<!--") > text.rfind("-->"):
        return f"{text}\n-->"
    return f"{text}\n{fence(probe.lines[last.start - 1])}" if last.kind == "fence" else text


def archive_corrections(run: Run) -> Change | None:
    """Return the change that moves old records of corrections to the archive of their month, None for none."""
    path, view = file_roles.CORRECTIONS, run.view
    text = view.read(path) or ""
    rows = document.split(text)
    all_records = conflict.corrections(text)
    counts = Counter(record.id for record in all_records)
    ends = [*(record.line - 1 for record in all_records[1:]), len(rows)]
    days = int(view.workspace.config.value("correction_archive_days"))
    texts, notes = dict[str, str](), list[str]()
    for record, end in zip(all_records, ends, strict=False):
        day = parse_date(record.at[:10]) if record.id else None
        if day is None or (run.today - date(day.year, day.month, day.day)).days <= days or len(notes) == MAX_MOVED:
            continue
        heading, words = rows[record.line - 1].strip(), "".join(rows[record.line - 1 : end]).strip("\r\n")
        if counts[record.id] > 1 or (path, heading) in run.removals.lines_out or secrets.find_secrets(words):
            run.skipped["brought back, twice there, or with a secret"] += 1
            continue
        place = f"{_CORRECTIONS_FOLDER}/{record.at[:4]}-{day:%B}.md"
        if is_writable(view, place, run.skipped):
            title = f"# Corrections of {title_archive(place)}\n"
            texts[place] = append_block(texts.get(place) or view.read(place) or title, f"{words}\n")
            anchor = heading.removeprefix("## ").strip()
            back = f"clawgit restore {quote_shell(f'{path}#{anchor}')}"
            notes.append(f"- correction {record.id} of {path}: of {record.at[:10]}, now in {place}; back: {back}")
            rows[record.line - 1 : end] = [""] * (end - record.line + 1)
    if not notes:
        return None
    archives = (Edit(place, view.read(place), after, text) for place, after in texts.items())
    edits = (Edit(path, text, "".join(rows)), *archives)
    count = f"{len(notes)} {'correction' if len(notes) == 1 else 'corrections'}"
    return Change(f"memory: {count} to the archive", "\n".join(notes), edits, origin="agent", agent=COMPACTOR)
