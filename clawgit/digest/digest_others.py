"""What others wrote, or what came from outside."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, timedelta

from msgspec.structs import replace

from clawgit.digest import digest_text
from clawgit.digest.digest_sections import Happened
from clawgit.digest.digest_text import Item, Part, named
from clawgit.errors import quoted
from clawgit.git import repository
from clawgit.text.entry import Entry
from clawgit.workspace import file_roles
from clawgit.workspace.capture import STALE_WRITES
from clawgit.workspace.capture_outcome import count_lines
from clawgit.workspace.commit_message import list_names

_FORTNIGHT, _YEAR = 14, timedelta(days=365)
_JOURNALS = 3
"""So many journals of these days are told with their lines; of so many days without one is told."""
_MANY = 6
"""Of more files of notes that others wrote one line tells how many there are of each kind."""
_SHORT = 12
"""Lines of a file of memories that stand alone beside that line; of more nobody looks at each place."""


def others(
    happened: Happened,
    new: Mapping[str, Iterable[Item | Entry]],
    elsewhere: Mapping[str, Collection[int]],
    taken: Mapping[str, int],
) -> Part:
    """Return where others wrote, or words from outside came, and still stand, outside the identity.

    Lines that are told `elsewhere` are left out. Many files of one kind, as journals are written every day, or of one
    folder, are told in one line, and so are very many of all kinds, with the files of memories of which no few places
    can be named. The last line tells how many lines were `taken` out of files that are no memory.
    """
    files = sorted({path for act in happened.acts for path in act.record.files})
    left = (path for path in files if not file_roles.guarded(path) and file_roles.captured(path, tracked=True))
    found = {
        path: {*_theirs(happened, path), *_foreign(new.get(path, ()))}.difference(elsewhere.get(path, ()))
        for path in left
    }
    first = min((act.commit.date.date() for act in happened.acts), default=date.max) - timedelta(days=1)
    groups: dict[str, list[str]] = {}
    own = {path: sorted(found[path]) for path in happened.workspace.memory_files if found.get(path)}
    for path in (path for path in found if found[path] and path not in own):
        groups.setdefault(_group(path, first), []).append(path)
    since = f"clawgit log --since {first + timedelta(days=1)}"
    if sum(map(len, groups.values())) > _MANY and len(groups) > 1:
        long = [path for path, lines in own.items() if len(lines) > _SHORT]
        many = sum(len(found[path]) for some in (long, *groups.values()) for path in some)
        items = [_written(path, own[path]) for path in own if path not in long]
        out = f"; {_taken(taken)}" if taken else ""
        items.append(Item(f"{_all_together(long, groups)}: {count_lines(many)}{out}", command=since))
    else:
        few = {path for some in groups.values() if len(some) <= _JOURNALS for path in some}
        items = [_written(path, sorted(found[path])) for path in sorted(few.union(own))]
        for name, paths in groups.items():
            if len(paths) > _JOURNALS:
                items.append(_together(name, paths, sum(len(found[path]) for path in paths)))
        items += [Item(_taken(taken), command=since)] if taken else []
    return Part("others", (*_healed(happened), *items), look="clawgit log")


def _group(path: str, first: date) -> str:
    """Return what many files are told as: journals of these days, older ones, and what lies in one folder."""
    if file_roles.dreamt(path):
        return "files of OpenClaw's dreaming"
    if day := file_roles.journal_day(path):
        return "journals" if day >= first else "older journals"
    folder = path.rpartition("/")[0]
    if not folder:
        return "files at the top"
    name = digest_text.named(folder)
    return "files in a folder with an odd name" if name == digest_text.ODD else f"files in {name}"


def _all_together(own: Iterable[str], groups: Mapping[str, Collection[str]]) -> str:
    kinds = sorted(groups.items(), key=lambda kind: -len(kind[1]))
    told = (f"{name} ({len(some)})" for name, some in kinds)
    return list_names((*map(named, own), *told), most=_MANY)


def _taken(taken: Mapping[str, int]) -> str:
    files = list_names(f"{named(path)} ({taken[path]:,})" for path in sorted(taken, key=lambda one: (-taken[one], one)))
    return f"files that are no memory lost {count_lines(sum(taken.values()))}: {files}"


def _together(name: str, some: list[str], lines: int) -> Item:
    look = f"clawgit log {quoted(os.path.commonpath(path.rpartition('/')[0] for path in some) or '.')}"
    return Item(f"{len(some)} {name}, {named(some[0])} to {named(some[-1])}: {count_lines(lines)}", command=look)


def silent(have: Collection[date], since: date, until: date) -> Iterator[Item]:
    """Yield the days from `since` on without a journal, where many had one, and a later day has one again."""
    since = max(since, until - _YEAR)
    ended = max((day for day in have if day < until), default=since)
    missing = [day for step in range((ended - since).days) if (day := since + timedelta(step)) not in have]
    if len(missing) >= _JOURNALS and _daily(have, since):
        yield Item(f"no journal of {len(missing)} days between {missing[0]} and {missing[-1]}", command="ls memory")


def stopped(have: Collection[date], today: date) -> Iterator[Item]:
    """Yield since when there is no journal at all, where nearly every day before had one."""
    last = max((day for day in have if day <= today), default=date.min)
    if last >= today - _YEAR and (today - last).days > _JOURNALS and _daily(have, last + timedelta(1)):
        yield Item(f"no journal was written after {last}, and nearly every day before has one", command="ls memory")


def journal_days(happened: Happened) -> set[date]:
    """Return the days of which there is a journal."""
    workspace = happened.workspace
    paths = repository.files(workspace.repo, workspace.head) if workspace.head else []
    return {day for path in paths if (day := file_roles.journal_day(path))}


def _daily(have: Collection[date], until: date) -> bool:
    return 2 * sum(until - timedelta(step) in have for step in range(1, _FORTNIGHT + 1)) >= _FORTNIGHT


def _healed(happened: Happened) -> Iterator[Item]:
    """Yield which files the agent saved from an old reading, over changes of clawgit's, which are back."""
    for act in happened.acts:
        if act.commit.ours and act.record.agent == STALE_WRITES:
            files = list_names(map(named, act.record.files))
            words = f"the agent saved an older copy of {files}; what clawgit had changed there is back"
            yield Item(words, command=act.undo)


def _theirs(happened: Happened, path: str) -> list[int]:
    """Return the lines of a file that others wrote.

    What our detector recorded of their words is told as conflicts; what the operator took back or restored, nobody else
    wrote.
    """
    mine = [one for one in happened.acts if one.commit.ours and one.record.change]  # captures are no changes
    left = [one for one in mine if path == file_roles.CONFLICTS or digest_text.again(one.record)]
    acts = tuple(one for one in happened.acts if one not in left)
    return replace(happened, acts=acts).brought(path, quotable=False)


def _written(path: str, lines: list[int]) -> Item:
    look = "clawgit log"
    if digest_text.plain(path):
        line = f"clawgit why {quoted(f'{path}:{lines[0]}')}"
        look = f"clawgit log {quoted(path)}" if digest_text.scattered(lines) else line
    return Item(digest_text.place(path, lines), command=look)


def _foreign(some: Iterable[Item | Entry]) -> set[int]:
    """Return the lines of the memories that are not quoted."""
    return {at for one in some if not isinstance(one, Item) for at in range(one.start, one.end + 1)}
