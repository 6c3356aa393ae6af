"""A context laid out as OpenClaw lays out its own."""

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from clawgit.context.assemble import put_together
from clawgit.context.receipt import Asked, Assembled, Part
from clawgit.git import history, regular_file, repository
from clawgit.text.tokens import count_at_most
from clawgit.workspace import openclaw_limits
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.search.index import Sources
    from clawgit.sessions.chat_store import ChatStore
    from clawgit.workspace.workspace import Workspace


_BEGIN = "# Project Context\n\nThe following project context files have been loaded:\n"
_SOUL = "If SOUL.md is present, embody its persona and tone.\n"
_TRIES = 8


def project_context(
    workspace: "Workspace", asked: Asked, store: "ChatStore | None" = None, sessions: "Sources | None" = None
) -> Assembled:
    """Return what `assemble` does in OpenClaw's order and under its headings, each file within its caps.

    SOUL.md, IDENTITY.md, USER.md and the memory file come first under their whole paths, then what OpenClaw has no
    place for. The budget holds for this text, too.
    """
    found, parts = put_together(workspace, asked, store, sessions)
    total = room = found.budget
    for _ in range(_TRIES):
        laid = _laid(workspace, found, parts)
        if laid.tokens <= total:
            return replace(laid, budget=total)
        room = max(room - (laid.tokens - total), 0)
        found, parts = put_together(workspace, replace(asked, budget=room), store, sessions)
    return replace(found, text="", tokens=0, budget=total)


def _laid(workspace: "Workspace", found: Assembled, parts: Iterable[Part]) -> Assembled:
    every = list(parts)
    shown = (*openclaw_limits.ORDER, workspace.memory_file)
    files = [part for part in every if part.path in shown and part.slot != "due"]
    files.sort(
        key=lambda part: (
            openclaw_limits.ORDER.index(part.path) if part.path in openclaw_limits.ORDER else len(openclaw_limits.ORDER)
        )
    )
    others = [part for part in every if part not in files]
    limits, left = openclaw_limits.Limits(), openclaw_limits.Limits().total
    rows, cut = [], found.cut_identity
    for part in files:
        body = _within(part, min(limits.of(part.path), left))
        left -= openclaw_limits.length(body)
        cut |= body != part.text and part.slot == "identity"
        rows.append(f"## {workspace.root / part.path}\n\n{body}\n")
    slot = ""
    for part in others:
        rows.append((f"## {part.title}\n\n" if part.slot != slot else "") + f"{part.cited}\n{part.text}\n")
        slot = part.slot
    begin = _BEGIN + (_SOUL if any(part.path == "SOUL.md" for part in files) else "")
    text = "\n".join([begin, *rows]) if rows else ""
    return replace(found, text=text, tokens=count_at_most(text), cut_identity=cut)


def _within(part: Part, room: int) -> str:
    """Return as many whole lines as OpenClaw shows, with its own mark where some are missing."""
    if openclaw_limits.length(part.text) <= room:
        return part.text
    mark = f"[...truncated, read {part.path} for full content...]"
    rows, left = [], room - openclaw_limits.length(mark) - 1
    for row in part.text.split("\n"):
        left -= openclaw_limits.length(row) + 1
        if left < 0:
            break
        rows.append(row)
    return "\n".join([*rows, mark])


_WEEK = timedelta(7)


class Fit(Struct, frozen=True):
    """A file of `size` characters where `cap` are shown; the agent never sees `hidden`, on lines `first` to `last`.

    `growth` are the characters by which it grew in the last week, None where it was not there before.
    """

    path: str
    size: int
    cap: int
    hidden: int = 0
    first: int = 0
    last: int = 0
    growth: int | None = None

    @property
    def fits(self) -> bool:
        """Whether the agent sees all of it."""
        return not self.hidden


def check(workspace: Workspace) -> list[Fit]:
    """Return how each file stands, in the order in which OpenClaw loads them; characters as JavaScript counts them."""
    texts = {path: _now(workspace, path) for path in openclaw_limits.ORDER}
    texts = {path: text for path, text in texts.items() if text}
    gaps = {one.path: one for one in openclaw_limits.find_unseen(texts)}
    before = history.at(workspace.repo, workspace.now() - _WEEK) if workspace.head else None
    limits, found = openclaw_limits.Limits(), []
    for path, text in texts.items():
        size = openclaw_limits.length(text)
        old = repository.read(workspace.repo, before, path) if before else None
        growth = None if old is None else size - openclaw_limits.length(loosely(old))
        gap = gaps.get(path)
        hidden, first, last = (gap.hidden, gap.first, gap.last) if gap else (0, 0, 0)
        found.append(Fit(path, size, gap.cap if gap else limits.of(path), hidden, first, last, growth))
    return found


def _now(workspace: Workspace, path: str) -> str:
    try:
        return loosely(regular_file.read(workspace.root / path))
    except OSError:
        return ""
