"""What a period removed or hid, with the way back."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby, takewhile

from msgspec import Struct
from msgspec.structs import replace

from clawgit.digest import digest_text
from clawgit.digest.digest_sections import Act, Happened, way_back
from clawgit.digest.digest_text import Item, Part
from clawgit.errors import quoted
from clawgit.text import entry
from clawgit.text.entry import digest
from clawgit.workspace import blank_forms, file_roles, seen_versions
from clawgit.workspace.capture_outcome import count_lines
from clawgit.workspace.entries import Row

_FEW = 3
_NAMED = 12
"""Files that a command still names."""
_MOVER = "memory-compactor"
_COMMENT = re.compile(r"<!--|-->")


def gone(happened: Happened, since: datetime, lost: Iterable[Item]) -> Part:
    """Return what was removed and is gone still, each with the command that brings it back.

    Where that would take other files of somebody else's change along, and there is none for it alone, it shows the
    change.
    """
    items = (
        *_files(happened),
        *_entries(happened),
        *_hidden(happened),
        *lost,
        *_overwritten(happened, since),
    )
    return Part("removals", items, look="clawgit log")


def _overwritten(happened: Happened, since: datetime) -> Iterator[Item]:
    """Yield of which files somebody wrote over lines that no commit has, as far as the watch saw them."""
    alone: dict[str, set[str]] = {}
    for one in takewhile(lambda one: one.version.at >= since, seen_versions.listed(happened.workspace.repo)):
        if one.alone:
            alone.setdefault(one.version.path, set()).update(one.alone)
    for path, lines in alone.items():
        commits = (happened.before, *(act.commit.id for act in happened.acts if path in act.record.files))
        known = {line for commit in commits for line in _lines(happened.text(commit, path))}
        said = {one.strip() for one in lines}
        left = [one for one in said if not any(line.startswith(one) for line in known | said - {one})]  # half typed
        if left:
            words = f"{digest_text.named(path)}: {count_lines(len(left))} stood there for a while, and in no commit"
            named = quoted(path) if digest_text.plain(path) else "."
            yield Item(words, command=f"clawgit log {named} --seen")


def _files(happened: Happened) -> Iterator[Item]:
    """Yield the files that are gone still, each by the change that took it last."""
    told = set[str]()
    agents = happened.text(happened.workspace.head, file_roles.AGENTS)
    for act in happened.acts:
        left = [
            path
            for path in act.record.files
            if file_roles.captured(path, tracked=True)
            and not blank_forms.may_go(path, happened.text(act.parent, path), None, agents)
            and happened.there(act.parent, path)
            and not happened.there(happened.workspace.head, path)
            and path not in told
        ]
        told.update(left)
        if len(left) > _FEW or not all(map(digest_text.plain, left)):
            how = "moved to the archive" if act.record.agent == _MOVER and act.commit.ours else "removed in one change"
            yield Item(f"{len(left)} file{'' if len(left) == 1 else 's'} {how}", command=_all_back(left, act))
        else:
            yield from (Item(f"{path} was removed", command=_back(act, path)) for path in left)


def _back(act: Act, *paths: str) -> str:
    return f"clawgit restore {' '.join(map(quoted, paths))} --as-of {(act.parent or '')[:10]}"


def _all_back(paths: Sequence[str], act: Act) -> str:
    """Return the command that brings files back: of some that can be named these alone, else all of the change."""
    if len(paths) > _NAMED or not all(map(digest_text.plain, paths)) or way_back(act, *paths) == act.undo:
        return act.undo
    return _back(act, *paths)


def _entries(happened: Happened) -> Iterator[Item]:
    """Yield the memories that the sidecar knew and that no file holds any more; those of one file together."""
    gone: dict[tuple[str, str], list[tuple[int, str, str]]] = {}
    for row, how in _lost_rows(happened):
        gone.setdefault((row.file, how), []).append((*_stood(happened, row), row.id))
    for (path, how), found in gone.items():
        some = sorted(found)
        command = f"clawgit restore {' '.join(name for *_, name in some)}"
        if len(some) == 1:
            yield Item(f"{some[0][1] or 'a memory that is not quoted'} ({how})", command=command)
        else:
            quotes = tuple(f"\u201c{said}\u201d" for _, said, _ in some if said)
            yield Item(f"{len(some)} memories of {digest_text.named(path)} were {how}", quotes, command, shown=_FEW)


def _lost_rows(happened: Happened) -> Iterator[tuple[Row, str]]:
    head = happened.workspace.head
    before, now = happened.rows(happened.before), happened.rows(head)
    paths = {path for act in happened.acts for path in act.record.files}
    stood = {(path, memory) for path in paths for memory in happened.memories(happened.before, path)}
    stands = {memory for path in paths for memory in happened.memories(head, path)}
    for row in before.values():
        after = now.get(row.id, row)
        if (row.file, row.hash) in stood and not {row.hash, after.hash} & stands and happened.there(head, row.file):
            yield row, "superseded" if after.status == "superseded" else "removed"


def _stood(happened: Happened, row: Row) -> tuple[int, str]:
    """Return the line where a memory stood, and its words, "" where they are not quoted."""
    found = entry.entries(happened.text(happened.before, row.file))
    place = next(one for one in found if digest(one.text) == row.hash)
    return place.start, digest_text.quote(place.text) if digest_text.known(row.origin) else ""


def _hidden(happened: Happened) -> Iterator[Item]:
    """Yield where others hid memories that nothing else tells of: in a comment or code, where no search reads them."""
    for act in happened.acts:
        for path in set(act.record.files) & set(happened.workspace.memory_files):
            if act.quotable or act.record.undoes or not digest_text.plain(path):
                continue
            before, after, now = (
                happened.text(commit, path) for commit in (act.parent, act.commit.id, happened.workspace.head)
            )
            rows, read = before.split("\n"), _digests(after) | _digests(now)
            stand = {_COMMENT.sub("", line).strip(): at for at, line in enumerate(after.split("\n"), 1)}
            entries = ((one, rows[one.start - 1].strip()) for one in entry.entries(before) if one.kind == "bullet")
            hidden = [stand[row] for one, row in entries if row in stand and digest(one.text) not in read]
            if hidden:
                many = "a memory" if len(hidden) == 1 else f"{len(hidden)} memories"
                where = digest_text.place(path, sorted(hidden))
                words = f"{where}: somebody put {many} into a comment or code, unread there"
                yield Item(words, command=way_back(act, path))


def _digests(text: str) -> set[str]:
    return {digest(one.text) for one in entry.entries(text) if one.kind == "bullet"}


class _Loss(Struct, frozen=True):
    """What others took out of a file in one change: how many lines more than they put in, and theirs that stand there.

    `words` tell it; `many` is 0 where they only reworded.
    """

    path: str
    words: str
    lines: list[int]
    many: int
    act: Act


class Lost(Struct, frozen=True):
    """What others took out: the items, and which lines of each file at HEAD came with that, which nothing else tells.

    `aside` is how many lines went out of files that are no memory.
    """

    items: tuple[Item, ...]
    lines: dict[str, set[int]]
    aside: Counter[str]


def lost(happened: Happened, shrunk: Collection[str] = ()) -> Lost:
    """Return where others took more lines out of notes than they put in, or reworded memories.

    It is one item for a commit, and one for a file of which several took lines. That a file shrank may be told already.
    """
    found = [one for act in happened.acts for path in act.record.files if (one := _loss(happened, act, path))]
    told, aside = dict[str, set[int]](), Counter[str]()
    for one in found:
        told.setdefault(one.path, set()).update(one.lines)
        if not _of_memory(happened, one.path):
            aside[one.path] += one.many
    losses = [one for one in found if _of_memory(happened, one.path) and not (one.many and one.path in shrunk)]
    times = Counter(loss.path for loss in losses if loss.many)
    items: list[Item] = []
    single = (loss for loss in losses if not loss.many or times[loss.path] == 1)
    for _, group in groupby(single, lambda one: one.act.commit.id):
        alone = list(group)
        if len(alone) > 1:
            words, act = f"somebody took lines out of {len(alone)} files", alone[0].act
            back = way_back(act, *(one.path for one in alone))
            items.append(Item(words, tuple(one.words for one in alone), back))
        else:
            items += (Item(one.words, command=way_back(one.act, one.path)) for one in alone)
    for path, count in times.items():
        if count > 1:
            many = sum(loss.many for loss in losses if loss.path == path)
            words = f"somebody took {count_lines(many)} out of {path}, in {count} changes"
            items.append(Item(words, command=f"clawgit log {quoted(path)}"))
    return Lost(tuple(items), told, +aside)


def _of_memory(happened: Happened, path: str) -> bool:
    return happened.remembers(path) or path.startswith("memory/")


def _loss(happened: Happened, act: Act, path: str) -> _Loss | None:
    """Return what others took out of a file or reworded in a change, None for nothing."""
    if act.quotable or act.record.undoes or not digest_text.plain(path) or not _of_others(path):
        return None
    before, after = (_lines(happened.text(commit, path)) for commit in (act.parent, act.commit.id))
    took, put = (before - after).total(), (after - before).total()
    if not took or not happened.there(happened.workspace.head, path):
        return None
    lines = replace(happened, acts=(act,)).brought(path, quotable=False)
    where = digest_text.place(path, lines)
    if took > put:
        new = f"; what came instead: {where}" if put and lines else ""
        return _Loss(path, f"somebody took {count_lines(took - put)} out of {path}{new}", lines, took - put, act)
    if took == put == len(lines) and path in happened.workspace.memory_files:
        return _Loss(path, f"{where}: somebody reworded {count_lines(took)}", lines, 0, act)
    return None


def _of_others(path: str) -> bool:
    """Return whether a file is one of notes: neither of the identity nor of our records."""
    ours = (file_roles.CONFLICTS, file_roles.CORRECTIONS)
    return file_roles.captured(path, tracked=True) and not file_roles.guarded(path) and path not in ours


def _lines(text: str) -> Counter[str]:
    return Counter(filter(None, map(str.strip, text.split("\n"))))
