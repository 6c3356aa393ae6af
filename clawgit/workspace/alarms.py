"""Alarms: what looks like an accident or an attack."""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from msgspec import Struct

from clawgit.errors import quoted
from clawgit.git.repository import Oid
from clawgit.resources import resource
from clawgit.workspace import blank_forms, file_roles
from clawgit.workspace.commit_message import list_names

SHRANK = "lost at least half of its text"
MANY = 5
"""So many files deleted at once are no tidying up."""
_WATCHED = (file_roles.MEMORY, file_roles.LOWER_MEMORY)
_HALF = 2
_SMALL = 200  # characters; below, half of a file is a line or two

Level = Literal["high", "low"]
Texts = Mapping[str, str | None]


class Alarm(Struct, frozen=True):
    """What a capture found: a sentence, the files that it is about, and a commit in which they are as they were.

    `commit` is the capture itself, where it was one; `cure` is the way out where it is not to bring the files back. One
    with a cure stands where its cure is told, unless it `lasts`. One that says nothing but which boundaries are lost is
    `by_boundary`: each of these stands as an alarm of its own. One with `lines` stands while a file holds one that
    begins like that, and the operator has not approved it. Of an `approved` file a text was approved: the way back.
    Of a low level is what nothing speaks against, but for which nobody has answered yet. `what` says of the files what
    `words` do without any of their words ("" where `words` hold none), `detail` how so, `line` where.
    """

    words: str
    paths: tuple[str, ...]
    as_of: Oid | None = None
    commit: Oid | None = None
    cure: str = ""
    level: Level = "high"
    lasts: bool = False
    by_boundary: bool = False
    lines: tuple[str, ...] = ()
    approved: bool = False
    what: str = ""
    detail: str = ""
    line: int = 0
    key: str = "alarm"

    @property
    def fix(self) -> str:
        """The way out: as a rule the command that brings the files back as they were.

        Of several that others committed, the folder that they lay in.
        """
        if self.cure:
            return self.cure
        if self.level == "low":
            return "clawgit trust"
        first = self.paths[0]
        of_lines = bool(self.lines) and not file_roles.guarded(first)
        if self.commit and (self.paths[1:] or of_lines or first.startswith(file_roles.OURS)):
            return f"clawgit undo {self.commit[:10]}"
        if self.approved and not self.paths[1:]:
            return way_back(first)
        as_of = f" --as-of {self.as_of[:10]}" if self.as_of else ""
        return f"clawgit restore {quoted(os.path.commonpath(self.paths) or '.')}{as_of}"


def way_back(path: str) -> str:
    """Return the command that brings an identity file back as the operator approved it."""
    return f"clawgit restore {quoted(path)} --approved"


def raised(
    before: Texts, after: Texts, agents: str | None = None, said: Callable[[str], str | None] = lambda _: None
) -> Iterator[Alarm]:
    """Yield the alarms of files that went from `before` to `after` (None: no file). An emptied file is gone.

    Alarms, not blocks: whoever did it may have meant it. `agents` is what AGENTS.md holds where it is not among them,
    `said` returns what the operator approved of a file.
    """
    after = {path: text if text and text.strip() else None for path, text in after.items()}
    moved = {text for path, text in after.items() if before.get(path) is None} - {None}
    gone = tuple(path for path, text in after.items() if text is None and before.get(path) not in (None, *moved))
    many = tuple(path for path in gone if not path.startswith(file_roles.OURS)) if len(gone) >= MANY else ()
    if many:
        kind = "journals" if all(map(file_roles.journal_day, many)) else "files"
        words = f"{len(many)} {kind} were deleted or emptied at once: {list_names(many)}"
        yield Alarm(words, many, what="were deleted or emptied at once", key="alarm-files-gone")
    for path in (path for path in after if path not in (*many, *file_roles.MAY_GO)):
        if before.get(path) in (None, *moved) or not (file_roles.guarded(path) or path in _WATCHED):
            continue
        if not blank_forms.may_go(path, before[path], after[path], after.get(file_roles.AGENTS, agents)):
            yield from _lost(path, before[path] or "", after[path], said(path))


def _lost(path: str, before: str, after: str | None, said: str | None) -> Iterator[Alarm]:
    form = blank_forms.form_lines(path, before, said)
    was, now = blank_forms.remove_lines(before, form), blank_forms.remove_lines(after or "", form)
    if after is None:
        yield Alarm(f"{path} is gone", (path,), what="is gone", key="alarm-file-gone")
    elif _plain(after) != _plain(before) and _plain(after) in _templates(path):
        yield Alarm(f"{path} was reset to its template", (path,), key="alarm-template")
    elif len(was) >= _SMALL and len(now) * _HALF <= len(was):
        detail = f"from {len(was):,} to {len(now):,} characters"
        yield Alarm(f"{path} shrank {detail}", (path,), what=SHRANK, detail=detail, key="alarm-shrank")


def _templates(path: str) -> Iterator[str]:
    ours = resource("templates") / "workspace" / path
    if "/" not in path and ours.is_file():
        yield _plain(ours.read_text("utf-8"))


def _plain(text: str) -> str:
    return " ".join(text.split())
