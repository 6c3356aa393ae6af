"""Whole lines of the files of a context, none twice."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from clawgit.context.token_budget import KINDS
from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.regular_file import limit_of
from clawgit.language.iso_dates import parse_date
from clawgit.safety.redaction import redacted
from clawgit.search import blocks, boilerplate, corpus
from clawgit.search.answer import span
from clawgit.search.blocks import BETWEEN, chunks, marked, unmarked
from clawgit.text.document import clip_lines
from clawgit.text.entry import normalise
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
        order = sorted(dated, key=lambda one: (-one[0].toordinal(), one[1]))
        dumps = (path for _, path in order if file_roles.may_be_dump(path))
        dumped = {path for path in dumps if file_roles.is_dump(path, self.text(path).encode())}
        return [path for _, path in order if path not in dumped]

    def find(self, question: str, most: int) -> "Answer":
        """Return what the memory says to a question, as of the same moment."""
        from clawgit.search import ask  # noqa: PLC0415 - a context without a question searches nothing
        from clawgit.search.answer import Query  # noqa: PLC0415

        query = Query(question, most, as_of=self.commit or "")
        return ask.search(self.workspace, query, sessions=self._sessions)

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


class Piece(Struct, frozen=True):
    """Lines `start` to `end` (from 1, both inside) of `path`; `text` is what is shown of them.

    `above` is the heading that they need to be understood. `start` is 0 where a source has no lines. `must` tells that
    room may be taken for it from what lower slots would fill. `parts` is the same text in sentences, for where a long
    line does not fit whole.
    """

    path: str
    start: int
    end: int
    text: str
    above: str = ""
    must: bool = False
    parts: tuple[str, ...] = ()

    @property
    def citation(self) -> str:
        """Where it stands: `path#L4-L9`."""
        return f"{self.path}#{span(self.start, self.end)}" if self.start else self.path


def joined(pieces: Iterable[Piece]) -> list[tuple[int, int]]:
    """Return the lines of pieces of one source in their order, those that touch as one range."""
    found: list[tuple[int, int]] = []
    for piece in pieces:
        if found and found[-1][0] <= piece.start <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], piece.end)
        else:
            found.append((piece.start, piece.end))
    return found


def by_path(pieces: Iterable[Piece]) -> dict[str, list[Piece]]:
    """Return the pieces of each source, as they come."""
    found: dict[str, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(piece.path, []).append(piece)
    return found


LONG = 2000
"""Letters of a line that is given by its sentences: a slot has hardly room for more than one of these."""
_MOMENT = re.compile(r"[\d:.\-/ T]*")


def pieces(ground: Ground, path: str) -> list[Piece]:
    """Return bullets, paragraphs, turns and rows of a file in their order, each of whole lines and under its heading.

    A line that search cuts into several is one piece with parts, unless it is longer than `LONG`: then it is several.
    """
    rows = ground.rows(path)
    found: list[Piece] = []
    for chunk in chunks(ground.text(path)):
        start, above = chunk.start, "" if chunk.chat else last(chunk.trail)  # a turn needs no heading
        if start == chunk.end and len(rows[start - 1]) > LONG:
            found.append(Piece(path, start, start, part(rows[start - 1], chunk.text), above))
            continue
        said = part(rows[start - 1], chunk.text) if start == chunk.end and len(rows[start - 1]) > blocks.LARGEST else ""
        parts = (said,) if said else ()
        if found and start <= found[-1].end:
            last_ = found.pop()
            start, parts = last_.start, (*last_.parts, *parts) if start == last_.start == chunk.end else ()
        text = "\n".join(rows[start - 1 : chunk.end])
        found.append(Piece(path, start, chunk.end, text, above, parts=parts))
    return [piece for piece in found if piece.text.strip()]


def part(row: str, said: str) -> str:
    """Return sentences of a long line, with `…` where it is cut."""
    before, found, after = row.partition(said)
    if not found:  # a comment stood between
        return f"… {said} …"
    return f"{'… ' if before.strip(' -*+') else before}{said}{' …' if after.strip() else ''}"


def last(trail: str) -> str:
    """Return the innermost of several headings, on one line; none for the title of a whole file, or a mere time."""
    words = " ".join(trail.rsplit(BETWEEN, maxsplit=1)[-1].split()) if BETWEEN in trail else ""
    return "" if _MOMENT.fullmatch(words) else words


def lines(path: str, text: str) -> Iterator[Piece]:
    """Yield the lines of a text as they stand, comments too, the empty ones left out; a long one in parts, too."""
    for number, row in enumerate(text.split("\n"), 1):
        if row.strip():
            said = blocks.sentences(row, blocks.LARGEST) if len(row) > blocks.LARGEST else ()
            yield Piece(path, number, number, row, parts=tuple(part(row, one) for one in said))


def whole(ground: Ground, path: str) -> Piece | None:
    """Return a file as it stands, without empty lines around it; None for an empty one."""
    rows = ground.text(path).split("\n")
    said = [number for number, row in enumerate(rows, 1) if row.strip()]
    return Piece(path, said[0], said[-1], "\n".join(rows[said[0] - 1 : said[-1]])) if said else None


_SHORT = 6
"""Letters of what may be said as often as it likes: `- yes`, a rule."""


class Known:
    """What a context says already, line by line, whatever its case, marks, tags and comments."""

    def __init__(self) -> None:
        self._lines: set[str] = set()

    def add(self, text: str) -> None:
        """Note that a text is said."""
        self._lines.update(said for said in map(_said, text.split("\n")) if len(said) >= _SHORT)

    def drop(self, text: str) -> None:
        """Note that a text is not said after all."""
        self._lines.difference_update(map(_said, text.split("\n")))

    def new(self, piece: Piece) -> Piece | None:
        """Return a piece without the bullets that are said already; None where nothing is left of it."""
        rows = piece.text.split("\n")
        fresh = [row for row in rows if _said(row) not in self._lines]
        if not any(row.strip() for row in fresh):
            return None
        if len(fresh) == len(rows):
            return piece
        kept = [row for row in rows if marked(row) is None or _said(row) not in self._lines]
        return replace(piece, text="\n".join(kept)) if any(row.strip() for row in kept) else None


@lru_cache(maxsize=1 << 13)
def _said(row: str) -> str:
    return normalise(unmarked(row)).strip("*_ ")


_ENDS = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_TITLES = "|".join(re.escape(title) for title in (*(kind.title for kind in KINDS.values()), "Project Context"))
_TITLE = rf"#{{1,6}}[ \t]*(?:{_TITLES}|/[^{_ENDS}]*\.md)[ \t#:]*"
_CITATION = rf"\[[^{_ENDS}]*#L\d[^{_ENDS}]*\][ \t]*"
_POSING = re.compile(rf"(^|[{_ENDS}])([ \t]*)(?=(?:{_TITLE}|{_CITATION})(?:[{_ENDS}]|$))", re.IGNORECASE)


def plain(piece: Piece) -> Piece:
    r"""Return a piece in which a line that reads like a title or citation of the context begins with `\`."""
    if "#" not in piece.text:  # as each of them has
        return piece
    text = _POSING.sub(r"\1\2\\", piece.text)
    return piece if text == piece.text else replace(piece, text=text)
