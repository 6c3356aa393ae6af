"""The files of a context, as they are or were."""

from datetime import date, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.regular_file import limit_of
from clawgit.language.iso_dates import parse_date
from clawgit.safety.redaction import redacted
from clawgit.search import blocks, boilerplate, corpus
from clawgit.text.document import clip_lines
from clawgit.workspace import entries, file_roles, served
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.search.answer import Answer
    from clawgit.search.index import Sources


_MOST_DAYS = 3660
_AS_THEY_STAND = (file_roles.SOUL, "IDENTITY.md", file_roles.CORRECTIONS, file_roles.CONFLICTS)
"""Files whose lines are no entries: who the agent is, and records that say themselves how they stand."""
_NO_JOURNALS = ("memory/archive/", "memory/dreaming/", "memory/imports/")


class Ground:
    """A workspace as it is on disk, or as it was in the commit that `as_of` means. Reads only.

    `sessions` are searched too, and are as in `recall.search`.

    `today` is the day that journals are counted from; `lost` says why a file could not be read, `notes` of which file
    something else is shown than what stands there. Secrets are named, never shown. Raises
    ClawgitError for an `as_of` that means nothing.
    """

    def __init__(self, workspace: Workspace, as_of: str | None, sessions: "Sources | None" = None) -> None:
        self.workspace = workspace
        self._sessions = sessions
        self.lost: dict[str, str] = {}
        self.notes: dict[str, str] = {}
        self.commit: str | None = None
        self.today = workspace.now().date()
        self._texts: dict[str, str] = {}
        self._rows: dict[str, list[str]] = {}
        self._sound: set[str] = set()
        if as_of is not None:
            from clawgit.workspace import records  # noqa: PLC0415 - few ask for the past

            self.commit = records.find(workspace, as_of)
            day = parse_date(as_of)
            when = day or history.commit(workspace.repo, self.commit).date
            self.today = when.date() if isinstance(when, datetime) else when

    def text(self, path: str) -> str:
        """Return the text of a file, "" where there is none."""
        if path not in self._texts:
            text = self.standing(path)
            stands = path in _AS_THEY_STAND or not path.endswith(".md")
            self._texts[path] = text if stands else boilerplate.live(path, text, self._dead)
        return self._texts[path]

    def standing(self, path: str) -> str:
        """Return the text of a file with all that stands in it, also what holds no more."""
        return redacted(clip_lines(self._read(path))).replace("\r\n", "\n").removeprefix("\ufeff")

    @cached_property
    def _dead(self) -> frozenset[tuple[str, str]]:
        return entries.list_dead(self.text(entries.PATH))

    def rows(self, path: str) -> list[str]:
        """Return the lines of a file without comments, which no reader wants; numbers stay as they are."""
        if path not in self._rows:
            self._rows[path] = blocks.shown(self.text(path))
        return self._rows[path]

    def journals(self, hours: int) -> list[str]:
        """Return the journals of the last `hours`, today's first: of today, of yesterday, and so on for whole days."""
        days = {self.today - timedelta(ago) for ago in range(min(-(-hours // 24), _MOST_DAYS))}
        if self.commit:
            paths = list(repository.files(self.workspace.repo, self.commit))
        else:
            paths = [source.path for source in corpus.sources(self.workspace.root)]
        sound = (path for path in paths if path.isprintable() and not path.startswith(_NO_JOURNALS))
        dated = [(day, path) for path in sound if (day := file_roles.journal_day(path)) and day in days]
        found = [(day, path) for day, path in dated if not self._dumped(path)]
        return [path for _, path in sorted(found, key=lambda one: (-one[0].toordinal(), one[1]))]

    def _dumped(self, path: str) -> bool:
        return file_roles.may_be_dump(path) and file_roles.is_dump(path, self.text(path).encode())

    def find(self, question: str, most: int, since: date | None = None, least: float | None = None) -> "Answer":
        """Return what the memory says to a question, as of the same moment."""
        from clawgit.search.answer import Query  # noqa: PLC0415 - a context without a question searches nothing

        query = Query(question, most, least, since)
        from clawgit.search import ask  # noqa: PLC0415

        return ask.search(self.workspace, query, as_of=self.commit or "", sessions=self._sessions)

    def _read(self, path: str) -> str:
        try:
            limit = max(corpus.LARGEST, limit_of(path))
            data, note = served.read(self.workspace, path, self.commit, limit, self._sound)
        except ClawgitError as exc:
            self.lost[path] = exc.message
            return ""
        if note:
            self.notes[path] = note
        return loosely(data)
