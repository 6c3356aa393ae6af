"""Whole lines of the files of a context, none twice."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.context.receipt import SLOTS
from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.regular_file import LARGEST_SEARCHED, limit_of
from clawgit.language.dates import parse_date
from clawgit.safety.redaction import redact
from clawgit.search import blocks, corpus
from clawgit.search.answer import span
from clawgit.search.blocks import BETWEEN, chunks, measure_bullet, unmarked
from clawgit.text.document import clip_lines
from clawgit.text.entry import normalise
from clawgit.workspace import line_origins
from clawgit.workspace.file_contents import to_text
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.search.answer import Answer

_MOST_DAYS = 3660
_AS_THEY_STAND = (file_roles.SOUL, "IDENTITY.md", file_roles.CORRECTIONS, file_roles.CONFLICTS)
"""Files whose lines are no entries: who the agent is, and records that say themselves how they stand."""
_NO_JOURNALS = ("memory/archive/", "memory/dreaming/", "memory/imports/")


class SourceFiles:
    """A workspace as it is on disk, or as it was in the commit of `as_of`. Reads only.

    `today` is the day that journals are counted from; `lost` are the reasons for unreadable files, `notes` the files
    with another shown text than their present one. Secrets are named, never shown. Raises ClawgitError for an invalid
    `as_of`.
    """

    def __init__(self, workspace: Workspace, as_of: str | None) -> None:
        self.workspace = workspace
        self.lost: dict[str, str] = {}
        self.notes: dict[str, str] = {}
        self.commit: str | None = None
        self.today = workspace.now().date()
        self._texts: dict[str, str] = {}
        self._rows: dict[str, list[str]] = {}

        if as_of is not None:
            from clawgit.workspace import records  # noqa: PLC0415 - few ask for the past

            self.commit = records.find_commit(workspace, as_of)
            day = parse_date(as_of)
            moment = day or history.commit(workspace.repo, self.commit).date
            self.today = moment.date() if isinstance(moment, datetime) else moment

    def text(self, path: str) -> str:
        """Return the text of a file, "" if there is none."""
        if path not in self._texts:
            text = self.standing(path)
            stands = path in _AS_THEY_STAND or not path.endswith(".md")
            self._texts[path] = text if stands else self._refuted.remove(path, text)
        return self._texts[path]

    def standing(self, path: str) -> str:
        """Return the whole text of a file, with entries out of force."""
        # Some Windows editors begin a file with a byte order mark.
        return redact(clip_lines(self._read(path))).replace("\r\n", "\n").removeprefix("\ufeff")

    @cached_property
    def _refuted(self) -> corpus.Refuted:
        return corpus.Refuted(self.workspace.root, self.standing)

    def rows(self, path: str) -> list[str]:
        """Return the lines of a file without comments, which no reader wants; numbers stay as they are."""
        if path not in self._rows:
            self._rows[path] = blocks.list_visible_rows(self.text(path))
        return self._rows[path]

    def journals(self, hours: int) -> list[str]:
        """Return the journals of the last `hours`, today's first: of today, of yesterday, and so on for whole days."""
        days = {self.today - timedelta(ago) for ago in range(min(-(-hours // 24), _MOST_DAYS))}
        if self.commit:
            paths = list(repository.files(self.workspace.repo, self.commit))
        else:
            paths = list(corpus.sources(self.workspace.root).stamps)
        sound = (path for path in paths if path.isprintable() and not path.startswith(_NO_JOURNALS))
        dated = [(day, path) for path in sound if (day := file_roles.journal_day(path)) and day in days]
        order = sorted(dated, key=lambda pair: (-pair[0].toordinal(), pair[1]))
        # Few files have a name of a dump, and only these are read here.
        dumps = (path for _, path in order if file_roles.may_be_dump(path))
        dumped = {path for path in dumps if file_roles.is_dump(path, self.text(path).encode())}
        return [path for _, path in order if path not in dumped]

    def find(self, question: str, limit: int) -> "Answer":
        """Return the memory's answer to a question, as of the same moment."""
        from clawgit.search import ask  # noqa: PLC0415 - a context without a question searches nothing
        from clawgit.search.answer import Query  # noqa: PLC0415

        query = Query(question, limit, as_of=self.commit or "")
        return ask.answer_question(self.workspace, query)

    def _read(self, path: str) -> str:
        try:
            limit = max(LARGEST_SEARCHED, limit_of(path))
            data, note = line_origins.read_servable(self.workspace, path, self.commit, limit)
        except ClawgitError as exc:
            self.lost[path] = exc.message
            return ""
        if note:
            self.notes[path] = note
        return to_text(data)


class Piece(Struct, frozen=True):
    """Lines `start` to `end` (from 1, both inside) of `path`; `text` is their shown text.

    `above` is the heading that they need to be understood. `start` is 0 if a source has no lines. `must`: room may be
    taken for it from lower slots.
    """

    path: str
    start: int
    end: int
    text: str
    above: str = ""
    must: bool = False

    @property
    def citation(self) -> str:
        """The citation: `path#L4-L9`."""
        return f"{self.path}#{span(self.start, self.end)}" if self.start else self.path


def join_ranges(pieces: Iterable[Piece]) -> list[tuple[int, int]]:
    """Return the lines of pieces of one source in their order, those that touch as one range."""
    ranges: list[tuple[int, int]] = []
    for piece in pieces:
        if ranges and ranges[-1][0] <= piece.start <= ranges[-1][1] + 1:
            ranges[-1] = ranges[-1][0], max(ranges[-1][1], piece.end)
        else:
            ranges.append((piece.start, piece.end))
    return ranges


def group_by_path(pieces: Iterable[Piece]) -> dict[str, list[Piece]]:
    """Return the pieces of each source, as they come."""
    groups: dict[str, list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(piece.path, []).append(piece)
    return groups


_MOMENT = re.compile(r"[\d:.\-/ T]*")


def divide_file(ground: SourceFiles, path: str) -> list[Piece]:
    """Return bullets, paragraphs, turns and rows of a file in their order, each of whole lines and under its heading.

    A line that search cuts into several is one piece.
    """
    rows = ground.rows(path)
    result: list[Piece] = []
    for chunk in chunks(ground.text(path)):
        start, heading = chunk.start, "" if chunk.chat else find_innermost(chunk.trail)  # a turn needs no heading
        if result and start <= result[-1].end:
            start = result.pop().start
        result.append(Piece(path, start, chunk.end, "\n".join(rows[start - 1 : chunk.end]), heading))
    return [piece for piece in result if piece.text.strip()]


def split_line(piece: Piece) -> Iterator[Piece]:
    """Yield a piece of one long line by its sentences; nothing for a short one."""
    if len(piece.text) > blocks.LARGEST:
        for sentence in blocks.sentences(piece.text, blocks.LARGEST):
            yield replace(piece, text=mark_cuts(piece.text, sentence))


def mark_cuts(row: str, excerpt: str) -> str:
    """Return sentences of a long line, with `…` at cuts."""
    before, middle, after = row.partition(excerpt)
    if not middle:  # a comment stood between
        return f"… {excerpt} …"
    return f"{'… ' if before.strip(' -*+') else before}{excerpt}{' …' if after.strip() else ''}"


def find_innermost(trail: str) -> str:
    """Return the innermost of several headings, on one line; none for the title of a whole file, or a mere time."""
    words = " ".join(trail.rsplit(BETWEEN, maxsplit=1)[-1].split()) if BETWEEN in trail else ""
    return "" if _MOMENT.fullmatch(words) else words


def trim_files(ground: SourceFiles, paths: Iterable[str]) -> list[Piece]:
    """Return the files that are not empty as they are, without empty lines around them."""
    result = []
    for path in paths:
        rows = ground.text(path).split("\n")
        filled = [number for number, row in enumerate(rows, 1) if row.strip()]
        if filled:
            result.append(Piece(path, filled[0], filled[-1], "\n".join(rows[filled[0] - 1 : filled[-1]])))
    return result


_SHORT = 6
"""Letters of what may be said as often as it likes: `- yes`, a rule."""


class Known:
    """The lines of a context so far, whatever their case, marks, tags and comments."""

    def __init__(self) -> None:
        self._lines: set[str] = set()

    def add(self, text: str) -> None:
        """Add a text."""
        self._lines.update(sentence for sentence in map(_normalise_row, text.split("\n")) if len(sentence) >= _SHORT)

    def new(self, piece: Piece) -> Piece | None:
        """Return a piece without the bullets that are included already; None if nothing is left of it."""
        rows = piece.text.split("\n")
        fresh = [row for row in rows if _normalise_row(row) not in self._lines]
        if not any(row.strip(" \t`~") for row in fresh):  # a fence alone says nothing
            return None
        if len(fresh) == len(rows):
            return piece
        new_rows = [row for row in rows if measure_bullet(row) is None or _normalise_row(row) not in self._lines]
        return replace(piece, text="\n".join(new_rows)) if any(row.strip() for row in new_rows) else None


@lru_cache(maxsize=1 << 13)
def _normalise_row(row: str) -> str:
    return normalise(unmarked(row)).strip("*_ ")


_ENDS = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_TITLES = "|".join(re.escape(title) for title in (*(rule.title for rule in SLOTS.values()), "Project Context"))
_TITLE = rf"#{{1,6}}[ \t]*(?:{_TITLES}|/[^{_ENDS}]*\.md)[ \t#:]*"
_CITATION = rf"\[[^{_ENDS}]*#L\d[^{_ENDS}]*\][ \t]*"
_POSING = re.compile(rf"(^|[{_ENDS}])([ \t]*)(?=(?:{_TITLE}|{_CITATION})(?:[{_ENDS}]|$))", re.IGNORECASE)


def escape_titles(piece: Piece) -> Piece:
    r"""Return a piece in which a line that reads like a title or citation of the context begins with `\`."""
    if "#" not in piece.text:  # as each of them has
        return piece
    text = _POSING.sub(r"\1\2\\", piece.text)
    return piece if text == piece.text else replace(piece, text=text)
