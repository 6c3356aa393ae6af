"""Alarms: what looks like an accident or an attack."""

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from clawgit.errors import quoted
from clawgit.git import repository
from clawgit.git.repository import Oid, Repository
from clawgit.resources import resource
from clawgit.workspace import scope
from clawgit.workspace.message import list_names
from clawgit.workspace.trust.trust import Trust

MANY = 5
"""So many journals deleted at once are no tidying up."""
LASTS = timedelta(days=14)
_WATCHED = (scope.MEMORY, scope.LOWER_MEMORY)
_HALF = 2
_SMALL = 200  # characters; below, half of a file is a line or two

Level = Literal["high", "low"]
Texts = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Alarm:
    """What a capture found: a sentence, the files that it is about, and a commit in which they are as they were.

    `commit` is the capture itself, where it was one; `cure` is the way out where it is not to bring the files back. One
    with a cure stands where its cure is told, unless it `lasts`.
    Of a low level is what nothing speaks against, but for which nobody has answered yet.
    """

    words: str
    paths: tuple[str, ...]
    as_of: Oid | None = None
    commit: Oid | None = None
    cure: str = ""
    level: Level = "high"
    lasts: bool = False

    @property
    def fix(self) -> str:
        """The way out: as a rule the command that brings the files back as they were.

        Of several that others committed, the first.
        """
        if self.cure:
            return self.cure
        if self.level == "low":
            return "clawgit trust"
        if self.commit and (self.paths[1:] or self.paths[0].startswith(scope.OURS)):
            return f"clawgit undo {self.commit[:10]}"
        more = f"   # and so for the other {len(self.paths) - 1}" if self.paths[1:] else ""
        return f"clawgit restore {quoted(self.paths[0])} --as-of {(self.as_of or '')[:10]}{more}"


@dataclass(frozen=True, slots=True)
class Standing:
    """An alarm that nobody has answered: when it was raised, and the way out."""

    words: str
    date: str
    fix: str
    level: Level = "high"


def raised(before: Texts, after: Texts, gone_back: Iterable[str] = ()) -> Iterator[Alarm]:
    """Yield the alarms of files that went from `before` to `after` (None: no file); `gone_back` hold an older version.

    Alarms, not blocks: whoever did it may have meant it.
    """
    gone = tuple(path for path, text in after.items() if text is None and before.get(path) is not None)
    journals = tuple(path for path in gone if scope.journal_day(path))
    if len(journals) >= MANY:
        yield Alarm(f"{len(journals)} journals were deleted at once: {list_names(journals)}", journals)
    for path, text in after.items():
        if not (scope.guarded(path) or path in _WATCHED) or before.get(path) is None or path in scope.MAY_GO:
            continue
        words = _said(path, before[path] or "", text)
        if words is None and path in gone_back and scope.guarded(path):
            words = "went back to an older version"
        if words:
            yield Alarm(f"{path} {words}", (path,))


def _said(path: str, before: str, after: str | None) -> str | None:
    if after is None:
        return "is gone"
    if _plain(after) != _plain(before) and _plain(after) in _templates(path):
        return "was reset to its template"
    if len(before) >= _SMALL and len(after) * _HALF <= len(before):
        return f"shrank from {len(before):,} to {len(after):,} characters"
    return None


def _templates(path: str) -> Iterator[str]:
    ours = resource("templates") / "workspace" / path
    if "/" not in path and ours.is_file():
        yield _plain(ours.read_text("utf-8"))


def _plain(text: str) -> str:
    return " ".join(text.split())


def keep(state: Path, repo: Repository, commit: Oid, when: datetime, alarms: Iterable[Alarm]) -> None:
    """Note alarms about files as they are in `commit`, until they are answered."""
    state.mkdir(parents=True, exist_ok=True)
    with _file(state).open("a", encoding="utf-8") as file:
        for alarm in alarms:
            blobs = {path: repository.blob_id(repo, commit, path) for path in alarm.paths}
            file.write(json.dumps({**asdict(alarm), "blobs": blobs, "date": when.isoformat()}) + "\n")


def standing(
    state: Path, repo: Repository, head: Oid | None, now: datetime, trust: Trust | None = None
) -> tuple[Standing, ...]:
    """Return the alarms of the last two weeks of which a file is still as the alarm found it, oldest first.

    That the operator has said yes to what stands there answers one.
    """
    found: dict[str, Standing] = {}
    for known in _kept(state):
        blobs = known["blobs"].items()
        if datetime.fromisoformat(known["date"]) <= now - LASTS:
            continue
        still = [path for path, blob in blobs if repository.blob_id(repo, head, path) == blob]
        if any(not (trust and trust.says(path, known["blobs"][path])) for path in still):
            level = known.get("level", "high")
            alarm = Alarm(known["words"], tuple(known["paths"]), known["as_of"], known["commit"], known["cure"], level)
            found[alarm.words] = Standing(alarm.words, known["date"], alarm.fix, level)
    return tuple(found.values())


def _kept(state: Path) -> Iterator[dict[str, Any]]:
    """Yield what was noted; a line that a killed writer left unfinished, or that is none of ours, is passed over."""
    try:
        lines = _file(state).read_text("utf-8", "replace").splitlines()
    except OSError:
        return
    for line in lines:
        with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
            known = json.loads(line)
            datetime.fromisoformat(known["date"]).astimezone()
            optional = {"commit": known.get("commit"), "cure": known.get("cure", "")}
            yield {**known, "blobs": dict(known["blobs"]), "as_of": known["as_of"], **optional}


def _file(state: Path) -> Path:
    return state / "alarms.jsonl"
