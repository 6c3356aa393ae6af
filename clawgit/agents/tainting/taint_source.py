"""Names of sources: where something was learnt from."""

import re
from typing import Literal

from msgspec import Struct

from clawgit import errors
from clawgit.errors import Advice, ClawgitError, Command
from clawgit.git import history, paths, repository
from clawgit.language.iso_dates import parse_date
from clawgit.text import document
from clawgit.workspace import records
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.workspace import Workspace

Kind = Literal["session", "lines", "change", "agent", "contact", "domain", "origin"]
_PREFIXED: tuple[Kind, ...] = ("session", "agent", "contact", "domain", "origin")
_LINES = re.compile(r"(?P<path>[^@#]+)(?:@(?P<rev>[^#]+))?(?:#L(?P<start>\d{1,9})(?:-L?(?P<end>\d{1,9}))?)?")
_ORIGINS = ("untrusted", "unknown", "agent")
FORMS = (
    "session:ID[#EVENT]",
    "FILE[@REV][#L4-L6]",
    "CHANGE",
    "agent:NAME",
    "contact:ID",
    "domain:HOST",
    "origin:untrusted",
)
"""How a source is named."""


class Source(Struct, frozen=True):
    """A source by its kind; `start` is 0 for a whole file, `since` an ISO date or "" for always."""

    kind: Kind
    name: str
    event: str = ""
    rev: str = ""
    start: int = 0
    end: int = 0
    since: str = ""

    @property
    def spelled(self) -> str:
        """The name by which it is registered: the same for the same source."""
        match self.kind:
            case "change":
                return self.name
            case "lines":
                span = f"#L{self.start}" + (f"-L{self.end}" if self.end > self.start else "") if self.start else ""
                return f"{self.name}@{self.rev[:10]}{span}"
            case "session":
                return f"session:{self.name}" + (f"#{self.event}" if self.event else "")
            case _:
                return f"{self.kind}:{self.name}" + (f" since {self.since}" if self.since else "")


def parse(workspace: Workspace, text: str, since: str = "") -> Source:
    """Return the source that is named; a file's revision is fixed. Raises UsageError for what names none."""
    day = _day(since)
    plain = text.strip()
    kind, colon, name = plain.partition(":")
    known = next((one for one in _PREFIXED if colon and one == kind), None)
    if known and not name.strip():
        raise errors.source_unknown(f"{plain!r} names nobody", fix=Advice(f"clawgit taint {kind}:NAME"))
    if known == "origin" and name not in _ORIGINS:
        raise errors.source_unknown(
            f"no origin {name!r}: {', '.join(_ORIGINS)}", fix=Command("clawgit taint origin:untrusted")
        )
    if day and known not in ("agent", "origin"):
        words = f"--since goes with agent: and origin: alone; {plain} is taken back whole"
        raise errors.source_unknown(words, fix=Command("clawgit taint {}", plain))
    if known == "agent":
        _require_agent(workspace, name.strip())
    if known == "session":
        session, _, event = name.partition("#")
        return Source("session", session, event=event)
    if known:
        return Source(known, name.strip(), since=day)
    return _lines(workspace, plain) or _change(workspace, plain)


def _require_agent(workspace: Workspace, name: str) -> None:
    """Raise UsageError for an agent that changed nothing, with the names of those that did."""
    there = sorted({one.agent for one in records.log(workspace) if one.agent})
    if name not in there:
        words = f"no change is by an agent {name!r}" + (f": there are {', '.join(there)}" if there else "")
        fix = Command("clawgit taint agent:{}", there[0]) if there else Advice("clawgit taint agent:NAME")
        raise errors.source_unknown(words, fix=fix)


def _day(since: str) -> str:
    if since and parse_date(since) is None:
        raise errors.date_invalid(
            f"--since: {since!r} is no date", fix=Command("clawgit taint origin:untrusted --since 2026-05-01")
        )
    return since


def _lines(workspace: Workspace, text: str) -> Source | None:
    """Return the source that lines of a file are; None where there is no such file in that revision."""
    match = _LINES.fullmatch(text)
    if not match or ("/" not in match["path"] and "." not in match["path"]):
        return None
    path = paths.check(match["path"])
    start = int(match["start"] or 0)
    end = int(match["end"] or start)
    if start and not start <= end:
        raise errors.line_range(f"no range: {start}-{end}", fix=Command("clawgit taint {}#L{}-L{}", path, end, start))
    rev = records.find(workspace, match["rev"]) if match["rev"] else _last(workspace, path)
    _require_lines(workspace, path, rev, end)
    return Source("lines", path, rev=rev, start=start, end=end)


def _require_lines(workspace: Workspace, path: str, rev: str, end: int) -> None:
    """Raise UsageError for lines that a file does not have in this revision."""
    lines = len(document.split(loosely(repository.read(workspace.repo, rev, path))))
    if end > lines:
        raise errors.line_range(f"{path} has {lines} lines in {rev[:10]}", fix=Command("clawgit log {}", path))


def _last(workspace: Workspace, path: str) -> str:
    """Return the last commit in which a file stood."""
    for one in records.log(workspace, path, limit=2):
        for rev in (one.commit, f"{one.commit}^"):
            oid = _holding(workspace, rev, path)
            if oid:
                return oid
    raise errors.file_missing(f"{path} is not in history", fix=Advice(f"clawgit taint SOURCE   # {', '.join(FORMS)}"))


def _holding(workspace: Workspace, rev: str, path: str) -> str | None:
    oid = repository.resolve(workspace.repo, rev)
    return oid if oid and repository.blob_id(workspace.repo, oid, path) else None


def _change(workspace: Workspace, text: str) -> Source:
    try:
        commit = records.find(workspace, text)
    except ClawgitError as exc:
        raise errors.source_unknown(f"no such source: {text!r}", fix=Advice(f"one of {', '.join(FORMS)}")) from exc
    if len(history.commit(workspace.repo, commit).parents) > 1:
        short = commit[:10]
        raise errors.undo_merge(f"{short} is a merge, not a source", fix=Command("git log {}^..{}", short, short))
    return Source("change", commit)
