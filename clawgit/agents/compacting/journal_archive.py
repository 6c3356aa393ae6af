"""Archives of journals."""

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Literal, NamedTuple
from urllib.parse import quote, unquote

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.agents.running import View
from clawgit.errors import BusyError, ClawgitError
from clawgit.git import history, pending_work, repository, repository_health, worktree_files
from clawgit.git.difference import Different
from clawgit.git.locks import leased
from clawgit.git.paths import check
from clawgit.search.boilerplate import CHRONICLE
from clawgit.text import document, evidence_pointer
from clawgit.text.correction import corrections
from clawgit.text.document import parse
from clawgit.text.entry import digest, entries
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import file_roles, manifest, write_guard
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.uncommitted import uncommitted
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.write_guard import cleaned

YOUNGEST = 30
"""Days that a journal stays as it is, whatever is configured."""
LARGEST = 256 << 10
"""Bytes of a journal; a larger one is no diary, and stays."""
_OTHERS = ("memory/archive/", "memory/dreaming/", "memory/imports/")
_CORRECTED = re.compile(r"(?<![\w#])#correction\b", re.IGNORECASE)
_TOLD = 5


class Journal(NamedTuple):
    """One journal as it was read."""

    path: str
    day: date
    text: str

    @property
    def blob(self) -> str:
        """What git calls these bytes, in ten letters."""
        return repository.hash_blob(self.text.encode())[:10]

    @property
    def pointer(self) -> str:
        """The whole of it, as evidence."""
        rows = self.text.removesuffix("\n").count("\n") + 1
        return evidence_pointer.format(Pointer("lines", self.path, 1, rows))


class Left(Struct):
    """What is left alone: how many, by reason, and sentences on what its owner should see to."""

    why: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def out(self, reason: str, note: str = "") -> None:
        """Leave one out."""
        self.why[reason] += 1
        if note and len(self.notes) < _TOLD and note not in self.notes:
            self.notes.append(note)

    def taken(self) -> dict[str, int]:
        """Return the reasons that came up since this was asked last."""
        found, self.why = dict(self.why), Counter()
        return found


def old(view: View, today: date, days: int, left: Left) -> list[Journal]:
    """Return the journals that are more than `days` days old, and never less than 30, in the order of their days.

    What is staged, open in an editor, holds a `#correction`, a new secret, or no text is left out.
    """
    repo = view.workspace.repo
    different = _different(view)
    known = {*repository_health.index(repo), *different}
    wanted = sorted((day, path) for path in known if (day := _day(path)) and (today - day).days > max(days, YOUNGEST))
    converted = frozenset(repository_health.attributed(repo, [path for _, path in wanted])) if wanted else frozenset()
    found: list[Journal] = []
    for day, path in wanted:
        if path in converted:
            left.out("stored in another form by git")
            continue
        try:
            found += _read(view, day, path, different.get(path), left)
        except FileNotFoundError:  # deleted, and not committed yet
            continue
        except ClawgitError as exc:
            left.out("not fit to be read", f"{exc.message}; it stays")
    return found


def _day(path: str) -> date | None:
    return None if path.startswith(_OTHERS) else file_roles.journal_day(path)


def _read(view: View, day: date, path: str, one: Different | None, left: Left) -> Iterator[Journal]:
    """Yield a journal, if it is fit to be compacted. Raises ClawgitError for what is no text, or may not be kept."""
    repo = view.workspace.repo
    if not _citable(path):
        left.out("named so that nothing can cite it", f"{path!r} has a name that the log cannot hold; it stays")
    elif one and (one.staged or one.unmerged):
        left.out("staged by hand", f"{path} has changes staged by hand; it stays")
    elif worktree_files.size(repo, path) > LARGEST:
        left.out("too large", f"{path} is too large to compact; it stays")
    elif (text := view.read(path)) is not None:
        if one:
            write_guard.refuse(path, repository.read(repo, view.workspace.head, path), text.encode())
        if _CORRECTED.search(text):
            left.out("holds a #correction")
        elif _free(view, path):
            yield Journal(path, day, text)
        else:
            left.out("open in another program", f"{path} is open in another program; it stays")


def _citable(path: str) -> bool:
    """Return whether a name can stand in the log, in evidence and in a command."""
    try:
        path.encode()
        write_guard.check_words(path, "a name")
        return evidence_pointer.parse(Journal(path, date.min, "").pointer).path == check(path)
    except (ClawgitError, UnicodeEncodeError):
        return False


def _free(view: View, path: str) -> bool:
    """Return whether nobody has a file open for writing."""
    try:
        with leased(view.workspace.repo, (path,), time.monotonic() + 0.05):
            return True
    except BusyError:
        return False


def staged(view: View, path: str) -> bool:
    """Return whether somebody is preparing a commit of a file."""
    one = _different(view).get(path)
    return one is not None and (one.staged or one.unmerged)


def _different(view: View) -> dict[str, Different]:
    """Return what is not as HEAD has it; what a killed write of ours left in the index is not staged by anybody."""
    repo = view.workspace.repo
    killed = pending_work.announced(repo) is not None
    found = (replace(one, staged=False) if killed else one for one in uncommitted(repo))
    return {one.path: one for one in found}


_LINE = re.compile(r"<!-- from (\S+) ([0-9a-f]{10}) -->")
_PLAIN = "/:@!$&'()*+,;=~#?[]"


def named(text: str) -> set[tuple[str, str]]:
    """Return path and version of each journal that an archive says it was made from."""
    return {(unquote(match[1]), match[2]) for match in _LINE.finditer(text)}


def line(one: Journal) -> str:
    """Return the line that names a journal: a comment, so that no search finds it."""
    shown = "".join(letter if letter.isalnum() else quote(letter, safe=_PLAIN) for letter in one.path)
    return f"<!-- from {shown} {one.blob} -->"


def missing(text: str, some: Iterable[Journal]) -> list[Journal]:
    """Return the journals that an archive does not hold as they are."""
    known = named(text)
    return [one for one in some if (one.path, one.blob) not in known]


Form = Literal["chronicle", "quarterly"]
FOLDER = "memory/archive/chronicles"
MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
QUARTERLY = 90
"""Days after which a journal may go into the archive of its quarter."""

Told = Mapping[str, str]
"""What a voice made of some journals, by path: the text of the day."""


def path(day: date, form: Form = "chronicle") -> str:
    """Return the archive of a day: of its month (spec §5.5, below memory/ where OpenClaw searches), or its quarter."""
    if form == "quarterly":
        return f"memory/archive/{day.year:04}-Q{(day.month + 2) // 3}.md"
    return f"{FOLDER}/{day.year:04}-{MONTHS[day.month - 1]}.md"


def title(place: str) -> str:
    """Return the words for the chronicle at `place`, or of its month."""
    year, _, month = place.rpartition("/")[2].removesuffix(".md").partition("-")
    return f"{month} {year}"


def add(text: str | None, place: str, some: Sequence[Journal], told: Told | None = None) -> str:
    """Return an archive with more journals at its end, each below a heading of its day; no line that stood there goes.

    They stand there in their own words (a voice may have told some), and each is named as its source. That is an
    archive and no summary, which a chronicle says at its beginning.
    """
    known = told or {}
    parts = [text if text.endswith("\n") else text + "\n"] if text is not None else []
    if text is None and place.startswith(FOLDER):
        parts.append(f"# Chronicle of {title(place)}\n\n{CHRONICLE}")
    parts += [_part(one, known.get(one.path)) for one in some]
    return "\n".join(parts)


def words(one: Journal) -> str:
    """Return a journal as an archive holds it: word for word, secrets named instead of shown."""
    plain = cleaned(one.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    return plain.strip("\n")


def _part(one: Journal, told: str | None) -> str:
    text = _below(words(one) if told is None else told, one.day)
    body = f"{_closed(text)}\n\n" if text.strip() else ""
    return f"# {one.day.isoformat()}\n\n{body}{line(one)}\n"


def _below(text: str, day: date) -> str:
    """Return a text whose headings stand below that of its day, else a search would not know of which day a line is.

    Where one is as high and does not name the day, each gets a `#` more; nothing else changes.
    """
    heads = list(document.sections(text))
    if not any(head.level == 1 and day.isoformat() not in head.title for head in heads):
        return text
    rows = document.split(text)
    for one in heads:
        row = rows[one.line - 1]
        if row.startswith("#") and one.level < 6:  # noqa: PLR2004 - the deepest
            rows[one.line - 1] = f"#{row}"
    return "".join(rows)


def _closed(text: str) -> str:
    """Return a text after which others can stand: no code block and no comment is open at its end."""
    probe = parse(f"{text}\n\n# end of it\n")
    last = next((block for block in reversed(probe.blocks) if block.kind != "blank"), None)
    if last is None or last.kind == "heading":
        return text
    if text.rfind("<!--") > text.rfind("-->"):
        return f"{text}\n-->"
    return "\n".join((text, *(fence.mark for fence in parse(text).fences if not (fence.closed or fence.nested))))


NAME = "memory-compactor"


class Before(Struct):
    """What former runs took away or archived: whoever brought it back wants it where it is.

    `journals` are the texts that were removed, by path, `archived` paths and versions that went into an archive,
    `entries` how many of a memory were left, by its hash, `records` ids of corrections.
    """

    journals: dict[str, list[str]] = field(default_factory=dict)
    archived: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    entries: dict[str, int] = field(default_factory=dict)
    records: set[str] = field(default_factory=set)

    def took(self, one: Journal) -> bool:
        """Return whether a journal was removed before, and what it said then stands there again."""
        said = one.text.strip()
        return any(text.strip() in said if text.strip() else not said for text in self.journals.get(one.path, ()))

    def brought_back(self, text: str) -> frozenset[str]:
        """Return the hashes of the memories of which more stand in `text` than a former run left."""
        standing = Counter(digest(entry.text) for entry in entries(text))
        return frozenset(one for one, left in self.entries.items() if standing[one] > left)

    def taken_back(self, one: Journal, archive: str, now: str) -> bool:
        """Return whether somebody took a journal, as it is, out of an archive that holds `now`."""
        mark = (one.path, one.blob)
        return mark in self.archived.get(archive, ()) and mark not in named(now)


def before(workspace: Workspace) -> Before:
    """Return what the commits of former runs took away and archived."""
    found = Before()
    for commit in history.log(workspace.repo, containing=f"Clawgit-Agent: {NAME}"):
        parent = commit.parents[0] if commit.parents else None
        for path in commit.paths:
            was, now = (repository.read(workspace.repo, oid, path) for oid in (parent, commit.id))
            if was is not None and now is None and manifest.kind(path) == "journal":
                found.journals.setdefault(path, []).append(loosely(was))
            else:
                _note(found, path, loosely(was), loosely(now))
    return found


def _note(found: Before, path: str, was: str, now: str) -> None:
    kind = manifest.kind(path)
    if kind == "archive":
        found.archived.setdefault(path, set()).update(named(now) - named(was))
    elif path == file_roles.CORRECTIONS:
        ids = ({correction.id for correction in corrections(text)} for text in (was, now))
        found.records |= next(ids) - next(ids)
    elif kind == "memory":
        old, new = (Counter(digest(entry.text) for entry in entries(text)) for text in (was, now))
        for one in old - new:
            found.entries[one] = min(new[one], found.entries.get(one, new[one]))
