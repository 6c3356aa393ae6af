"""Keeps rows of the sidecar with their entries."""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import Command, file_kind
from clawgit.git import churn, history, repository, worktree_files
from clawgit.git.churn import Touch
from clawgit.git.repository import Oid, Repository
from clawgit.text.document import unescape
from clawgit.text.entry import digest, entries, entry_id, normalise, without_comments
from clawgit.text.resemblance import resembling, wording
from clawgit.workspace.entries import Row
from clawgit.workspace.sidecar_rows import Table
from clawgit.workspace.workspace_base import WorkspaceBase

Files = Mapping[str, str | None]


class _Spot(Struct, frozen=True):
    """A bullet: its file, text, ordinal, section and hash."""

    path: str
    text: str
    ordinal: int
    section: tuple[str, ...]
    hash: str


def associate(table: Table, before: Files, after: Files) -> dict[str, Row]:
    """Return the rows that change because these files went from `before` to `after` (path to text, None: no file).

    The row of an entry that was moved, restyled or reworded follows it. An entry without one gets one when its words
    change, so that its id stays. A row whose entry is gone stays as it is, and so does a tombstone.
    """
    old_spots, new_spots = list(_spots(before)), list(_spots(after))
    gone, come = _beyond(old_spots, new_spots), _beyond(new_spots, old_spots)
    known = by_words(table.of_files({*before, *after}))
    standing = {(spot.path, spot.hash) for spot in new_spots}
    come = [spot for spot in come if (spot.path, spot.hash) not in known]
    changed: dict[str, Row] = {}
    for old, new in _pairs(gone, come):
        if (new.path, new.hash) in known:  # of equal entries in one file the first has the row
            continue
        row = known.get((old.path, old.hash))
        if row and (row.status == "tombstone" or (old.path, old.hash) in standing or row.id in changed):
            row = None
        key = row.id if row else _free_id(table, old)
        changed[key] = replace(
            _stated_anew(row, old, new) or Row(key, old.path, old.hash), file=new.path, hash=new.hash
        )
        table.reserve(key)
        known[new.path, new.hash] = changed[key]
    for new in come:  # an id that went on with other words is not given twice
        if (new.path, new.hash) not in known and entry_id(new.path, new.text, new.ordinal) in table:
            key = _free_id(table, new)
            changed[key] = known[new.path, new.hash] = Row(key, new.path, new.hash)
            table.reserve(key)
    return changed


def by_words(rows: Mapping[str, Row]) -> dict[tuple[str, str], Row]:
    """Return rows by their file and the hash of their words."""
    return {(row.file, row.hash): row for row in sorted(rows.values(), reverse=True)}


def _stated_anew(row: Row | None, old: _Spot, new: _Spot) -> Row | None:
    """Return the row of an entry: whoever words one anew that was out of force, as a corrected note, says it again."""
    if row and row.status == "superseded" and normalise(wording(old.text)) != normalise(wording(new.text)):
        return replace(row, status="live")
    return row


def bare(path: str, text: str) -> dict[str, Row]:
    """Return the rows that entries of a file have while the sidecar knows nothing of them, by their ids."""
    spots = ((spot, entry_id(path, spot.text, spot.ordinal)) for spot in _spots({path: text}))
    return {name: Row(name, path, spot.hash) for spot, name in spots}


def vanished(table: Table, before: Files, after: Files) -> list[tuple[str, str]]:
    """Return id and words of each entry that stood in these files, and stands no more, in whatever words."""
    old_spots, new_spots = list(_spots(before)), list(_spots(after))
    gone, come = _beyond(old_spots, new_spots), _beyond(new_spots, old_spots)
    stay = {id(old) for old, _ in _pairs(gone, come)}
    known = by_words(table.of_files({*before, *after}))
    words = {spot.hash for spot in new_spots}
    return [
        (
            row.id if (row := known.get((spot.path, spot.hash))) else entry_id(spot.path, spot.text, spot.ordinal),
            spot.text,
        )
        for spot in gone
        if id(spot) not in stay and spot.hash not in words
    ]


def _spots(files: Files) -> Iterator[_Spot]:
    for path, text in files.items():
        for one in entries(text or ""):
            if one.kind == "bullet":
                yield _Spot(path, one.text, one.ordinal, one.section, digest(one.text))


def _beyond(these: list[_Spot], those: list[_Spot]) -> list[_Spot]:
    """Return which of `these` are more than `those` have, file by file."""
    left = Counter((spot.path, spot.hash) for spot in those)
    found = []
    for spot in these:
        left[spot.path, spot.hash] -= 1
        if left[spot.path, spot.hash] < 0:
            found.append(spot)
    return found


def _pairs(gone: list[_Spot], come: list[_Spot]) -> Iterator[tuple[_Spot, _Spot]]:
    """Pair what is gone with what came: the same words elsewhere, in another style, and then nearly the same."""
    old, new = gone, come
    for sameness in (lambda spot: spot.hash, lambda spot: normalise(wording(spot.text))):
        pairs, old, new = _equal(old, new, sameness)
        yield from pairs
    groups = [_group(spot) for spot in old], [_group(spot) for spot in new]
    near = resembling([normalise(spot.text) for spot in old], [normalise(spot.text) for spot in new], groups)
    yield from ((old[at], new[to]) for at, to in near.items())


def _equal(
    old: list[_Spot], new: list[_Spot], sameness: Callable[[_Spot], Hashable]
) -> tuple[list[tuple[_Spot, _Spot]], list[_Spot], list[_Spot]]:
    waiting: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for at, spot in enumerate(new):
        waiting[sameness(spot)].append(at)
    pairs: list[tuple[_Spot, _Spot]] = []
    rest: list[_Spot] = []
    taken: set[int] = set()
    for spot in old:
        spots = waiting.get(sameness(spot))
        if spots:
            at = spots.popleft()
            taken.add(at)
            pairs.append((spot, new[at]))
        else:
            rest.append(spot)
    return pairs, rest, [spot for at, spot in enumerate(new) if at not in taken]


def _group(spot: _Spot) -> str:
    return "\n".join((spot.path, *spot.section))


def _free_id(taken: Container[str], spot: _Spot) -> str:
    return free_id(taken, spot.path, spot.text, spot.ordinal)


def free_id(taken: Container[str], path: str, text: str, ordinal: int) -> str:
    """Return the id of an entry's text, in the first turn from its own that no other entry has."""
    ids = (entry_id(path, text, turn) for turn in count(ordinal))
    return next(key for key in ids if key not in taken)


_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)", re.DOTALL)
_MOST_ALIKE = 4
"""Entries of one file that say the same are told apart by their number; it is looked for up to this one."""


def holders(repo: Repository, name: str) -> tuple[str, ...]:
    """Return the Markdown files in which, at some time, an entry stood whose id begins with `name`, newest first.

    One pass over all of history, which is what it takes when nothing else knows the id.
    """
    found: dict[str, None] = {}
    for _, touch in churn.churn(repo, churn.reachable(repo, "HEAD"), "memory/*.md", "MEMORY.md", "memory.md"):
        if isinstance(touch, Touch) and touch.path not in found and _has(touch, name):
            found[touch.path] = None
    return tuple(found)


def _has(touch: Touch, name: str) -> bool:
    rows = (rows for hunk in touch.hunks for rows in (hunk.taken, hunk.given))
    return any(_is_called(touch.path, words, name) for part in rows for words in _bullets(part))


def _is_called(path: str, words: str, name: str) -> bool:
    return any(entry_id(path, words, number).startswith(name) for number in range(1, _MOST_ALIKE + 1))


def _bullets(rows: Sequence[bytes]) -> Iterator[str]:
    """Yield the words of each bullet, with the lines that go on with it."""
    for block in _blocks(row.decode("utf-8", "replace") for row in rows):
        match = _BULLET.match(block)
        if match:
            yield without_comments(unescape(match[1]))


def _blocks(rows: Iterable[str]) -> Iterator[str]:
    block: list[str] = []
    for row in rows:
        goes_on = row.startswith((" ", "\t")) and row.strip() and not _BULLET.match(row)
        if block and not goes_on:
            yield "\n".join(block)
            block = []
        if goes_on or row.strip():
            block.append(row.rstrip("\r") if not block else row.strip())
    if block:
        yield "\n".join(block)


_MOST = 20


class Version(Struct, frozen=True):
    """A file as a commit holds it, under the name that it had there."""

    commit: Oid
    path: str
    text: str


def versions(workspace: WorkspaceBase, path: str, start: Oid | None = None) -> Iterator[Version]:
    """Yield the versions of a file, newest first, from `start` on, also those under earlier names.

    Commits that only took the file away are left out, those before a new birth are not.
    """
    last, known = start or "HEAD", set[str]()
    for _ in range(_MOST):
        known.add(path)
        oldest: Oid | None = None
        for found in history.log(workspace.repo, path, start=last, named=False):
            data = repository.read(workspace.repo, found.id, path)
            if data is not None:
                yield Version(found.id, path, data.decode("utf-8", "replace"))
            oldest = found.id
        before = history.renames(workspace.repo, oldest).get(path) if oldest else None
        if oldest is None or before is None or before in known:
            return
        last, path = f"{oldest}^", before


def here(workspace: WorkspaceBase, path: str) -> str:
    """Return the name that a file has now: another than `path` when it was renamed and nothing took its place."""
    known = {path}
    for _ in range(_MOST):
        if lies(workspace, path):
            return path
        gone = next(history.log(workspace.repo, path, limit=1, named=False), None)
        after = [new for new, old in history.renames(workspace.repo, gone.id).items() if old == path] if gone else []
        if not after or after[0] in known:
            return path
        path = after[0]
        known.add(path)
    return path


def lies(workspace: WorkspaceBase, path: str) -> bool:
    """Tell whether a file lies at `path` on disk. Raises ClawgitError where something else is in its place."""
    place = worktree_files.locate(workspace.repo, path)
    if place.is_dir() and not place.is_symlink():
        raise file_kind(f"{path} is a folder now", fix=Command("git mv {} {}", path, f"{path}.d", note="then again"))
    blocking = next((folder for folder in place.parents if folder.is_file()), None)
    if blocking is not None and blocking.is_relative_to(workspace.root):
        name = blocking.relative_to(workspace.root).as_posix()
        raise file_kind(f"{name} is a file; {path} needs a folder", fix=Command("git mv {} {}", name, f"{name}.md"))
    return place.is_file() or place.is_symlink()
