"""How far a soul moved, by section and by whom."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from difflib import SequenceMatcher
from typing import Literal

from msgspec import Struct, field

from clawgit.errors import Command, history_missing
from clawgit.git import history, repository
from clawgit.text import document
from clawgit.text.tokens import count
from clawgit.workspace import file_contents, file_roles, records
from clawgit.workspace.records import Record
from clawgit.workspace.workspace import Workspace

By = Literal["agent", "operator", "unknown"]
_WORD = re.compile(r"\w+|[^\w\s]")
_NOBODY = frozenset({"capture"})


class Moved(Struct, frozen=True):
    """One section: tokens added and removed since, the share of its words of then that still stand, 0 to 1.

    `stand` is None for a section that is new; `by` counts the tokens added and removed by each.
    """

    section: str
    added: int
    removed: int
    stand: float | None
    by: Mapping[By, int] = field(default_factory=dict)


class Drift(Struct, frozen=True):
    """How a soul moved from one commit to another; `whole` sums up its sections."""

    path: str
    start: str
    end: str
    since: datetime
    changes: int
    whole: Moved
    sections: tuple[Moved, ...]


def drift(workspace: Workspace, path: str = file_roles.SOUL, since: str | None = None) -> Drift:
    """Return how a soul moved since a change, a revision or the end of a day; None: since its first version.

    Raises ClawgitError when the file has no history, or was not there then.
    """
    commits = list(records.log(workspace, path))
    if not commits or workspace.head is None:
        raise history_missing(f"{path} has no history here", fix=Command("git log -- {}", path))
    start = records.find(workspace, since) if since else commits[-1].commit
    then, now = _text(workspace, start, path), _text(workspace, workspace.head, path)
    if then is None:
        first = commits[-1].commit[:10]
        raise history_missing(
            f"{path} was not there at {start[:10]}",
            fix=Command("clawgit soul drift --since {}", first, note="its first version"),
        )
    after = [
        one for one in commits if one.commit != start and not repository.reaches(workspace.repo, start, one.commit)
    ]
    spent = _spent(workspace, path, after)
    old, new = _parts(then), _parts(now or "")
    sections = tuple(_moved(title, old.get(title), new.get(title, ""), spent) for title in dict.fromkeys([*old, *new]))
    moment = records.moment(workspace, start)
    return Drift(path, start, workspace.head, moment, len(after), _whole(sections, then, now or ""), sections)


def _text(workspace: Workspace, commit: str, path: str) -> str | None:
    text = file_contents.decoded(path, repository.read(workspace.repo, commit, path))
    return text and document.clip_lines(text)


def _parts(text: str) -> dict[str, str]:
    """Return the text below each title, "" for what stands above the first; of two with one name both."""
    found: dict[str, str] = {}
    for row, title in zip(document.split(text), document.section_titles(text), strict=True):
        found[title] = found.get(title, "") + row
    return {title: words for title, words in found.items() if title or words.strip()}


def _moved(title: str, old: str | None, new: str, spent: Mapping[tuple[str, By], int]) -> Moved:
    added, removed = _difference(old or "", new)
    by: dict[By, int] = {who: number for (name, who), number in spent.items() if name == title and number}
    return Moved(title, added, removed, None if old is None else _stand(old, new), by)


def _whole(sections: Iterable[Moved], then: str, now: str) -> Moved:
    by: Counter[By] = Counter()
    added = removed = 0
    for one in sections:
        by.update(one.by)
        added, removed = added + one.added, removed + one.removed
    return Moved("", added, removed, _stand(then, now), dict(by))


def _difference(old: str, new: str) -> tuple[int, int]:
    """Return the tokens that came and went."""
    mine, theirs = _WORD.findall(old), _WORD.findall(new)
    added, removed = list[str](), list[str]()
    for op, a, b, c, d in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if op != "equal":
            removed += mine[a:b]
            added += theirs[c:d]
    return count(" ".join(added)), count(" ".join(removed))


def _stand(old: str, new: str) -> float:
    """Return the share of the words of `old` that stand in `new`, in their order."""
    mine, theirs = _WORD.findall(old), _WORD.findall(new)
    if not mine:
        return 1.0
    blocks = SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / len(mine)


def _spent(workspace: Workspace, path: str, changes: Iterable[Record]) -> Counter[tuple[str, By]]:
    """Return the tokens that each wrote or took away, by section."""
    found: Counter[tuple[str, By]] = Counter()
    for one in changes:
        parents = history.commit(workspace.repo, one.commit).parents
        old = _parts(_text(workspace, parents[0], path) or "" if parents else "")
        new = _parts(_text(workspace, one.commit, path) or "")
        for title in {*old, *new}:
            found[title, _by(one)] += sum(_difference(old.get(title, ""), new.get(title, "")))
    return found


def _by(one: Record) -> By:
    """Return who made a change, as its commit says; "unknown" of a claim."""
    if not one.claimed and one.agent and one.agent not in _NOBODY:
        return "agent"
    return "operator" if one.change and one.origin == "operator" else "unknown"


def parts(moved: Moved) -> Iterator[tuple[By, int]]:
    """Yield who wrote how many of the tokens, the most first."""
    yield from sorted(moved.by.items(), key=lambda one: (-one[1], one[0]))
